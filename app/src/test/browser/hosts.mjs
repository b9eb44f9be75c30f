// SPDX-License-Identifier: Apache-2.0
// Recorded hosts for pages: the calm host of the rule pages, made sick, hostile, long.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const DIAGNOSIS = "diagnosis/src";
const RULES = DIAGNOSIS + "/main/java/dev/ullage/diagnosis/rules/";
export const MODEL = "/models/qwen3-8b-q4_k_m.gguf";

/** `── path` begins a file, ⇥ is a tab: the notation of the rule pages. */
function parse(text) {
  const files = new Map();
  for (const block of text.split(/^── /m).slice(1)) {
    const end = block.indexOf("\n");
    files.set(block.slice(0, end).trim(), block.slice(end + 1).replaceAll("⇥", "\t"));
  }
  return files;
}

function calm() {
  return parse(readFileSync(DIAGNOSIS + "/test/resources/dev/ullage/diagnosis/rules/calm.host", "utf8"));
}

/** The host of an example of a rule's page, by its heading. */
function example(page, heading) {
  const text = readFileSync(RULES + page + ".md", "utf8");
  const after = text.slice(text.indexOf("### " + heading));
  const block = after.match(/```host calm\n([^]*?)\n```/)[1] + "\n";
  const files = calm();
  for (const [path, content] of parse(block)) {
    if (!path.endsWith("(gone)")) files.set(path, content);
    else files.delete(path.slice(0, -6).trim());
  }
  return files;
}

function renamed(files, names) {
  const change = text => Object.entries(names).reduce((t, [from, to]) => t.replaceAll(from, to), text);
  return new Map([...files].map(([path, content]) => [change(path), change(content)]));
}

/** Counters and amounts at every step of a window, so that the lines have a shape. */
function course(files, seconds, wave, step = 1) {
  for (const path of ["proc/meminfo", "proc/vmstat", "proc/diskstats", "proc/pressure/memory", "proc/pressure/io", "proc/pressure/cpu"]) {
    for (const key of [...files.keys()]) if (key.startsWith("at-") && key.endsWith("/" + path)) files.delete(key);
  }
  for (const key of [...files.keys()]) {
    if (!key.startsWith("at-3.000/")) continue;
    files.set(`at-${seconds}.000/` + key.slice(9), files.get(key));
    if (seconds !== 3) files.delete(key);
  }
  const start = Date.parse("2026-03-01T10:00:00Z");
  const sum = { some: 0, full: 0, io: 0, cpu: 0, in: 0, out: 0, reads: 0, sectors: 0, millis: 0, writes: 0 };
  for (let t = 0; t <= seconds; t += step) {
    const w = wave(t, seconds);
    const at = `at-${t}.000/`;
    files.set(at + "recorded/clock", `${new Date(start + t * 1000).toISOString()} ${86400 + t}.0\n`);
    files.set(at + "proc/meminfo", `MemTotal: 65536000 kB\nMemFree: ${Math.round(w.available / 8)} kB\n` +
      `MemAvailable: ${w.available} kB\nBuffers: 204800 kB\nCached: ${w.cached} kB\nAnonPages: ${w.anonymous} kB\n` +
      `Shmem: 1502400 kB\nSlab: 1204000 kB\nSwapTotal: 8388608 kB\nSwapFree: ${8388608 - w.swapped} kB\n` +
      "HugePages_Total: 2048\nHugePages_Free: 1024\nHugepagesize: 2048 kB\nHugetlb: 4194304 kB\n");
    sum.in += w.in * step; sum.out += w.out * step;
    sum.some += w.some * step; sum.full += w.some * step * 0.6; sum.io += w.io * step; sum.cpu += w.cpu * step;
    sum.reads += w.reads * step; sum.sectors += w.reads * step * 250; sum.writes += 12 * step;
    sum.millis += Math.round(w.reads * step * w.await);
    files.set(at + "proc/vmstat", `workingset_refault_anon 0\nworkingset_refault_file ${1000 + t}\npswpin ${sum.in}\n` +
      `pswpout ${sum.out}\nallocstall_normal 0\npgmajfault ${5000 + t}\npgscan_kswapd 0\npgscan_direct 0\noom_kill 0\n`);
    const psi = (some, full) => `some avg10=0.00 avg60=0.00 avg300=0.00 total=${Math.round(some * 1e6)}\n` +
      `full avg10=0.00 avg60=0.00 avg300=0.00 total=${Math.round(full * 1e6)}\n`;
    files.set(at + "proc/pressure/memory", psi(sum.some, sum.full));
    files.set(at + "proc/pressure/io", psi(sum.io, sum.io * 0.8));
    files.set(at + "proc/pressure/cpu", psi(sum.cpu, 0));
    files.set(at + "proc/diskstats", ` 259 0 nvme0n1 ${100000 + sum.reads} 0 ${20000000 + sum.sectors} ${20000 + sum.millis} ` +
      `${5000 + sum.writes} 0 ${400000 + sum.writes * 64} ${2000 + sum.writes * 3} 0 ${15000 + t * 900} 22000\n`);
  }
  return files;
}

const CALM = t => ({ available: 52428800 - t * 128, cached: 49152000, anonymous: 8192000, swapped: 0, in: 0, out: 0,
  some: 0, io: 0.002, cpu: 0.01, reads: 3, await: 0.2 });

const SICK = (t, last) => {
  const x = t / last;
  return { available: Math.round(26214400 - 12000000 * x), cached: Math.round(22152000 - 8000000 * x),
    anonymous: Math.round(28192000 + 9000000 * x), swapped: Math.round(2000000 + 3000000 * x),
    in: Math.round(9000 + 4000 * Math.sin(t / 3)), out: Math.round(5000 + 3000 * Math.cos(t / 5)),
    some: 0.4 + 0.3 * Math.sin(t / 4) ** 2, io: 0.55 + 0.35 * Math.sin(t / 7) ** 2, cpu: 0.06 + 0.03 * Math.cos(t),
    reads: Math.round(3800 + 700 * Math.sin(t / 6)), await: 2.5 + Math.sin(t / 9) };
};

const LONG_CGROUP = "kubepods.slice/kubepods-burstable.slice/" +
  "kubepods-burstable-pod7f3c2a91_8d44_4e0b_9a57_c1f6b0d2e833.slice/" +
  "cri-containerd-4b1d8e52b6c9473fae4d6f8b2f90c6a1d7e35f0892ab4c6d8e9f10234567890a.scope";
const LONG_MODEL = "/var/lib/kubelet/pods/7f3c2a91-8d44-4e0b-9a57-c1f6b0d2e833/volumes/kubernetes.io~csi/pvc-models/mount/" +
  "hub/models--Qwen--Qwen3-8B-GGUF/snapshots/6f0d7c2b9e/qwen3-8b-instruct-2507-q4_k_m.gguf";

/** Two independent causes: a limit below the model, and a full file system; long names everywhere. */
function sick() {
  let files = example("CgroupLimitTooLow", "Fires: a 4.6 GiB model in a unit limited to 3 GiB");
  files = course(files, 30, SICK);
  for (const level of ["kubepods.slice", "kubepods.slice/kubepods-burstable.slice", LONG_CGROUP.replace(/\/[^/]*$/, "")]) {
    files.set(`sys/fs/cgroup/${level}/memory.stat`, "anon 1000000000\nfile 5000000000\n");
    files.set(`sys/fs/cgroup/${level}/memory.current`, "6000000000\n");
    files.set(`sys/fs/cgroup/${level}/memory.max`, "max\n");
  }
  files.set("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=100000000 bfree=90000 bavail=0 files=25000000 ffree=24000000\n");
  files.set("proc/swaps", "Filename Type Size Used Priority\n/swap.img file 8388608 5000000 -2\n");
  for (const [pid, name, anon] of [[901, "python3", 9000000], [955, "java", 5200000], [1200, "postgres", 2100000]]) {
    for (const at of ["at-0.000/", "at-30.000/"])
      files.set(`${at}proc/${pid}/stat`, `${pid} (${name}) S 1 ${pid} ${pid} 0 -1 4194304 5012 0 700 0 118 94 0 0 20 0 9 0 ${50000 + pid} 10737418240 1200000\n`);
    files.set(`proc/${pid}/cmdline`, `${name}\0--work\0`);
    files.set(`proc/${pid}/status`, `Name:\t${name}\nState:\tS (sleeping)\nUid:\t0\nVmRSS:\t ${anon} kB\nRssAnon:\t ${anon} kB\nRssFile:\t 0 kB\nRssShmem:\t 0 kB\nVmSwap:\t 0 kB\n`);
  }
  return renamed(files, { "system.slice/llama.service": LONG_CGROUP, [MODEL]: LONG_MODEL });
}

/** A server whose every name is an attack on the page. */
function hostile() {
  const script = "</script><script>globalThis.stolen=1</script><img src=x onerror=globalThis.stolen=1>";
  const files = example("CgroupLimitTooLow", "Fires: a 4.6 GiB model in a unit limited to 3 GiB");
  files.set("proc/812/cmdline", `/opt/llama-server"onmouseover='stolen=1'${script}\u202e\u001b[31m\0-m\0${MODEL}\0`);
  const model = "/models/`x`|@everyone<script>globalThis.stolen=1<--script>#1.gguf";
  return renamed(files, { [MODEL]: model });
}

/** Two GPUs with much to tell, or eight, one of which is silent. */
function gpus(count) {
  const files = course(calm(), 3, CALM);
  let nvml = "driver 570.86.15\n";
  for (let i = 0; i < count; i++) {
    files.set(`proc/driver/nvidia/gpus/0000:${10 + i}:00.0/information`, "Model: NVIDIA H100\n");
    nvml += `gpu ${i} NVIDIA H100 80GB HBM3\npci 0000:${10 + i}:00.0\n`;
    if (i === 7) { nvml += "absent memory timed-out the driver does not answer\n"; continue; }
    nvml += `memory total=85520809984 used=${70000000000 + i * 1000000000} free=${14000000000 - i * 1000000000} reserved=642777088\n` +
      `process pid=812 kind=compute memory=${60000000000 + i * 1000000000}\nprocess pid=7777 kind=compute memory=4000000000\nprocesses\n` +
      "load compute=97 memory=41\npcie generation=5 width=16 max-generation=5 max-width=16\ncelsius 54\n";
  }
  files.set("recorded/nvml", nvml);
  return files;
}

export const HOSTS = {
  calm: () => course(calm(), 3, CALM),
  sick,
  hostile,
  "two GPUs": () => gpus(2),
  "eight GPUs": () => gpus(8),
  // Without a server: of a recorded host, each file that did not change is looked for in every instant before.
  hour: () => course(new Map([...calm()].filter(([path]) => !path.includes("/812/"))), 3600, SICK, 60),
  "one instant": () => new Map([...calm()].filter(([path]) => !path.startsWith("at-3")).map(([path, text]) =>
    [path.replace(/^at-0\.000\//, ""), text])),
};

export function write(files, folder) {
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
