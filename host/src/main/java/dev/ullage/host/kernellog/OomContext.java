// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.KeyValues;
import java.util.Optional;
import java.util.OptionalLong;

/// The line that decides whose limit it was, since 5.0 (in one line):
///
/// ```
/// oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0-1,
///          oom_memcg=/llm,task_memcg=/llm/worker,task=x,pid=42,uid=0
/// oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,
///          global_oom,task_memcg=/,task=x,pid=42,uid=0
/// ```
/// It is written in pieces (`pr_cont`), and another CPU's line between two of them leaves the rest on a line of its
/// own that begins with a comma.
///
/// Mistake people make: splitting at commas. Masks (`0-1,4`), cgroup paths and task names may hold them, so each
/// value ends where the next known key begins.
///
/// @param constraint `CONSTRAINT_MEMCG`; not to be trusted alone, [#limitedCgroup] and [#global] decide
/// @param limitedCgroup the cgroup whose limit was reached (`oom_memcg`), above or equal to the victim's
record OomContext(
        Optional<String> constraint,
        Optional<String> limitedCgroup,
        boolean global,
        Optional<String> taskCgroup,
        Optional<String> name,
        Optional<Integer> pid,
        OptionalLong uid) {

    static Optional<OomContext> parse(String text) {
        String line = text;
        OptionalLong uid = OptionalLong.empty();
        Optional<Integer> pid = Optional.empty();
        Optional<String> name = Optional.empty();
        // From the end on: what a user may choose (task name, paths) stands before what the kernel counts.
        int at = line.lastIndexOf(",uid=");
        // The three are written at once; without the last of them the line was cut, and perhaps within a number.
        boolean whole = at >= 0;
        if (whole) {
            uid = KeyValues.number(line.substring(at + 5));
            line = line.substring(0, at);
        }
        at = line.lastIndexOf(",pid=");
        if (at >= 0) {
            if (whole) pid = OomLine.pid(line.substring(at + 5));
            line = line.substring(0, at);
        }
        at = line.lastIndexOf(",task=");
        if (at >= 0) {
            if (whole) name = Optional.of(line.substring(at + 6));
            line = line.substring(0, at);
        }
        Optional<String> taskCgroup = Optional.empty();
        at = line.lastIndexOf(",task_memcg=");
        if (at >= 0) {
            taskCgroup = Optional.of(line.substring(at + 12));
            line = line.substring(0, at);
        }
        Optional<String> limited = Optional.empty();
        at = line.indexOf(",oom_memcg=");
        if (at >= 0) {
            limited = Optional.of(line.substring(at + 11));
            line = line.substring(0, at);
        }
        boolean global = line.endsWith(",global_oom");
        OomContext context = new OomContext(constraint(line), limited, global, taskCgroup, name, pid, uid);
        boolean saysAnything = global
                || context.constraint.isPresent()
                || limited.isPresent()
                || taskCgroup.isPresent()
                || pid.isPresent();
        return saysAnything ? Optional.of(context) : Optional.empty();
    }

    private static Optional<String> constraint(String line) {
        String key = "oom-kill:constraint=";
        if (!line.startsWith(key)) return Optional.empty();
        int end = line.indexOf(',');
        return Optional.of(end < 0 ? line.substring(key.length()) : line.substring(key.length(), end));
    }

    /// The pieces of one line put together.
    OomContext and(OomContext rest) {
        return new OomContext(
                constraint.or(rest::constraint),
                limitedCgroup.or(rest::limitedCgroup),
                global || rest.global,
                taskCgroup.or(rest::taskCgroup),
                name.or(rest::name),
                pid.or(rest::pid),
                uid.isPresent() ? uid : rest.uid);
    }

    boolean isWhole() {
        return pid.isPresent();
    }

    boolean begins() {
        return constraint.isPresent();
    }
}
