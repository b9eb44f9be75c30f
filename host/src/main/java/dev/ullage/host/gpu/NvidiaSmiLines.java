// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.gpu.NvidiaSmiXml.Element;
import dev.ullage.measure.AbsentCause;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Puts the values of `nvidia-smi`'s XML into the lines of [NvmlText]: one and the same thing is told by both, and so
/// there
/// is one place that makes records of it. Names of elements have changed between drivers; each is looked for by all of
/// its
/// names.
final class NvidiaSmiLines {
    private static final long MIB = 1 << 20;
    private static final long KB = 1024;

    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,15}(?:\\.\\d{1,6})?)(?: ?[A-Za-z%/]{1,6})?");
    private static final Pattern ID = Pattern.compile("([0-9A-Fa-f]{4,8}):([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})\\.([0-7])");

    /// The ends of the names in `clocks_event_reasons`, by the bit of nvml.h.
    private static final List<String> REASONS = List.of(
            "_gpu_idle",
            "_applications_clocks_setting",
            "_sw_power_cap",
            "_hw_slowdown",
            "_sync_boost",
            "_sw_thermal_slowdown",
            "_hw_thermal_slowdown",
            "_hw_power_brake_slowdown",
            "_display_clocks_setting");

    private final Map<String, String> values;
    private final Element gpu;
    private final StringBuilder text;

    private NvidiaSmiLines(Element gpu, StringBuilder text) {
        this.values = gpu.values;
        this.gpu = gpu;
        this.text = text;
    }

    static String of(Map<String, String> host, List<Element> gpus) {
        StringBuilder text = new StringBuilder();
        if (host.containsKey("driver_version")) line(text, "driver " + host.get("driver_version"));
        if (host.containsKey("cuda_version")) line(text, "cuda " + host.get("cuda_version"));
        for (int i = 0; i < gpus.size(); i++) new NvidiaSmiLines(gpus.get(i), text).write(i);
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line.replace('\n', ' ')).append('\n');
    }

    private void write(int index) {
        String name = values.getOrDefault("product_name", "");
        line(text, "gpu " + index + " " + name);
        if (values.containsKey("uuid")) line(text, "uuid " + values.get("uuid"));
        Matcher id = ID.matcher(values.getOrDefault("id", ""));
        if (id.matches())
            line(
                    text,
                    String.format(Locale.ROOT, "pci %04x:", Long.parseLong(id.group(1), 16))
                            + (id.group(2) + ":" + id.group(3) + "." + id.group(4)).toLowerCase(Locale.ROOT));
        writeMemory(name);
        writeProcesses();
        writeNumbers(
                "load",
                List.of(
                        new Field("compute", 1, "utilization/gpu_util"),
                        new Field("memory", 1, "utilization/memory_util")),
                List.of());
        writeHealth();
        writeSetup();
        writeLink();
    }

    /// @param names of the element, the newest first
    private record Field(String key, double unit, String... names) {}

    private void writeMemory(String name) {
        boolean isTold =
                writeNumbers("memory", memory(), List.of(new Field("reserved", MIB, "fb_memory_usage/reserved")));
        boolean isAts = "ATS".equals(values.get("addressing_mode"));
        if (NvmlText.isUnified(name) || !isTold && isAts) line(text, "unified");
        writeNumbers(
                "bar1",
                List.of(
                        new Field("total", MIB, "bar1_memory_usage/total"),
                        new Field("used", MIB, "bar1_memory_usage/used")),
                List.of());
        writeMode("mig", "mig_mode/current_mig", "mig_mode/pending_mig");
        for (Map<String, String> instance : gpu.instances) {
            StringBuilder line = new StringBuilder("instance ")
                    .append(number(instance.getOrDefault("gpu_instance_id", "")).orElse(0))
                    .append(' ')
                    .append(instance.getOrDefault("uuid", "-"));
            StringBuilder numbers = new StringBuilder();
            boolean isKnown = true;
            for (Field field : memory()) isKnown &= append(numbers, instance, field);
            line(text, isKnown ? line.append(numbers).toString() : line.toString());
        }
    }

    private static List<Field> memory() {
        return List.of(
                new Field("total", MIB, "fb_memory_usage/total"),
                new Field("used", MIB, "fb_memory_usage/used"),
                new Field("free", MIB, "fb_memory_usage/free"));
    }

    private void writeProcesses() {
        String instead = values.get("processes");
        if (instead != null && gpu.processes.isEmpty() && !instead.equals("None")) {
            absent("processes", instead);
            return;
        }
        for (Map<String, String> process : gpu.processes) {
            OptionalLong pid = number(process.getOrDefault("pid", ""));
            if (pid.isEmpty()) continue;
            String type = process.getOrDefault("type", "C");
            StringBuilder line = new StringBuilder("process pid=")
                    .append(pid.getAsLong())
                    .append(" kind=")
                    .append(type.contains("M") ? "mps" : type.contains("C") ? "compute" : "graphics");
            append(line, process, new Field("memory", MIB, "used_memory"));
            int place = place(process);
            line(text, place < 0 ? line.toString() : line + " instance=" + place);
        }
        line(text, "processes");
    }

    /// Of the instance a process runs in; -1 for the whole GPU.
    private int place(Map<String, String> process) {
        String wanted = process.getOrDefault("gpu_instance_id", "N/A");
        for (int i = 0; i < gpu.instances.size(); i++)
            if (wanted.equals(gpu.instances.get(i).get("gpu_instance_id"))) return i;
        return -1;
    }

    private void writeHealth() {
        writeMode("ecc-mode", "ecc_mode/current_ecc", "ecc_mode/pending_ecc");
        if ("Disabled".equals(values.get("ecc_mode/current_ecc")))
            line(text, "absent ecc " + AbsentCause.NOT_CONFIGURED.word() + " ECC is switched off");
        else writeEcc();
        writeRepairs();
        writeThrottling();
        writeNumbers(
                "clocks",
                List.of(new Field("clock", 1, "clocks/sm_clock"), new Field("memory-clock", 1, "clocks/mem_clock")),
                List.of(
                        new Field("max-clock", 1, "max_clocks/sm_clock"),
                        new Field("max-memory-clock", 1, "max_clocks/mem_clock")));
        OptionalLong celsius = number(values.getOrDefault("temperature/gpu_temp", ""));
        if (celsius.isPresent()) line(text, "celsius " + celsius.getAsLong());
        else absent("celsius", values.get("temperature/gpu_temp"));
        writeNumbers(
                "power",
                List.of(new Field(
                        "milliwatts",
                        1000,
                        "gpu_power_readings/instant_power_draw",
                        "gpu_power_readings/average_power_draw",
                        "gpu_power_readings/power_draw",
                        "power_readings/power_draw")),
                List.of(new Field(
                        "limit",
                        1000,
                        "gpu_power_readings/current_power_limit",
                        "power_readings/enforced_power_limit",
                        "power_readings/power_limit")));
    }

    /// Until Volta by bits, with a total; since then by kind of memory, and since R550 with two kinds of uncorrectable.
    private void writeEcc() {
        StringBuilder line = new StringBuilder("ecc");
        boolean isKnown = true;
        for (String counter : List.of("volatile", "aggregate")) {
            String in = "ecc_errors/" + counter + "/";
            isKnown &=
                    sum(line, " corrected-" + counter, in, "single_bit/total", "sram_correctable", "dram_correctable");
            isKnown &= sum(
                    line,
                    " uncorrected-" + counter,
                    in,
                    "double_bit/total",
                    "sram_uncorrectable",
                    "sram_uncorrectable_parity",
                    "sram_uncorrectable_secded",
                    "dram_uncorrectable");
        }
        if (isKnown) line(text, line.toString());
        else absent("ecc", values.get("ecc_errors/volatile/dram_correctable"));
    }

    private boolean sum(StringBuilder line, String key, String in, String... names) {
        long sum = 0;
        boolean isKnown = false;
        for (String name : names) {
            OptionalLong number = number(values.getOrDefault(in + name, ""));
            isKnown |= number.isPresent();
            sum += number.orElse(0);
        }
        line.append(key).append('=').append(sum);
        return isKnown;
    }

    private void writeRepairs() {
        OptionalLong corrected = number(values.getOrDefault("remapped_rows/remapped_row_corr", ""));
        OptionalLong uncorrected = number(values.getOrDefault("remapped_rows/remapped_row_unc", ""));
        OptionalLong single =
                number(values.getOrDefault("retired_pages/multiple_single_bit_retirement/retired_count", ""));
        OptionalLong dual = number(values.getOrDefault("retired_pages/double_bit_retirement/retired_count", ""));
        if (corrected.isEmpty() && uncorrected.isEmpty() && single.isEmpty() && dual.isEmpty()) {
            absent("repairs", values.get("retired_pages/double_bit_retirement/retired_count"));
            return;
        }
        boolean isPending = isYes("remapped_rows/remapped_row_pending")
                || isYes("retired_pages/pending_retirement")
                || isYes("retired_pages/pending_blacklist");
        line(
                text,
                "repairs retired=" + (single.orElse(0) + dual.orElse(0)) + " remapped="
                        + (corrected.orElse(0) + uncorrected.orElse(0)) + " pending=" + (isPending ? 1 : 0) + " failed="
                        + (isYes("remapped_rows/remapped_row_failure") ? 1 : 0));
    }

    private boolean isYes(String name) {
        return "Yes".equals(values.get(name));
    }

    private void writeThrottling() {
        long reasons = 0;
        boolean isKnown = false;
        for (Map.Entry<String, String> value : values.entrySet()) {
            String name = value.getKey().replace("display_clock_setting", "display_clocks_setting");
            // R535 and earlier say "throttle", later ones "event".
            if (!name.startsWith("clocks_throttle_reasons/") && !name.startsWith("clocks_event_reasons/")) continue;
            boolean isActive = value.getValue().equals("Active");
            isKnown |= isActive || value.getValue().equals("Not Active");
            for (int bit = 0; bit < REASONS.size(); bit++)
                if (isActive && name.endsWith(REASONS.get(bit))) reasons |= 1L << bit;
        }
        if (!isKnown) {
            absent("throttling", values.get("clocks_event_reasons"));
            return;
        }
        StringBuilder line = new StringBuilder("throttling reasons=").append(reasons);
        append(line, values, new Field("clock", 1, "clocks/sm_clock"));
        append(line, values, new Field("max-clock", 1, "max_clocks/sm_clock"));
        line(text, line.toString());
    }

    private void writeSetup() {
        writeWord("persistence", "persistence_mode", "Enabled", "1", "Disabled", "0");
        writeWord(
                "compute-mode",
                "compute_mode",
                "Default",
                "default",
                "Exclusive_Process",
                "exclusive-process",
                "Exclusive_Thread",
                "exclusive-thread",
                "Prohibited",
                "prohibited");
        writeWord("addressing", "addressing_mode", "None", "none", "HMM", "hmm", "ATS", "ats");
        line(
                text,
                "absent nvlink " + AbsentCause.NOT_RECORDED.word()
                        + " nvidia-smi -q does not tell it; nvidia-smi nvlink -s does");
    }

    /// @param words what it prints, then what we say, pair after pair
    private void writeWord(String word, String name, String... words) {
        String value = values.getOrDefault(name, "");
        for (int i = 0; i < words.length; i += 2)
            if (value.equals(words[i])) {
                line(text, word + " " + words[i + 1]);
                return;
            }
        absent(word, values.get(name));
    }

    private void writeMode(String word, String current, String pending) {
        String now = values.getOrDefault(current, "");
        if (!now.equals("Enabled") && !now.equals("Disabled")) {
            absent(word, values.get(current));
            return;
        }
        int next = "Enabled".equals(values.getOrDefault(pending, now)) ? 1 : 0;
        line(text, word + " current=" + (now.equals("Enabled") ? 1 : 0) + " pending=" + next);
    }

    private void writeLink() {
        String in = "pci/pci_gpu_link_info/";
        writeNumbers(
                "pcie",
                List.of(
                        new Field("generation", 1, in + "pcie_gen/current_link_gen"),
                        new Field("width", 1, in + "link_widths/current_link_width"),
                        new Field("max-generation", 1, in + "pcie_gen/max_link_gen"),
                        new Field("max-width", 1, in + "link_widths/max_link_width")),
                List.of(new Field("received", KB, "pci/rx_util"), new Field("sent", KB, "pci/tx_util")));
    }

    /// A line of the fields that must be there and those that may; if one that must be there is not, why.
    private boolean writeNumbers(String word, List<Field> must, List<Field> may) {
        StringBuilder line = new StringBuilder(word);
        for (Field field : must)
            if (!append(line, values, field)) {
                absent(word, values.get(field.names[0]));
                return false;
            }
        for (Field field : may) append(line, values, field);
        line(text, line.toString());
        return true;
    }

    private static boolean append(StringBuilder line, Map<String, String> from, Field field) {
        for (String name : field.names) {
            OptionalDouble number = decimal(from.getOrDefault(name, ""));
            if (number.isEmpty() || number.getAsDouble() < 0) continue;
            line.append(' ').append(field.key).append('=').append(Math.round(number.getAsDouble() * field.unit));
            return true;
        }
        return false;
    }

    private static OptionalLong number(String value) {
        OptionalDouble number = decimal(value);
        return number.isPresent() ? OptionalLong.of((long) number.getAsDouble()) : OptionalLong.empty();
    }

    /// `81559 MiB`, `97 %`, `16x`, `312.45 W`.
    private static OptionalDouble decimal(String value) {
        Matcher matcher = NUMBER.matcher(value);
        return matcher.matches() ? OptionalDouble.of(Double.parseDouble(matcher.group(1))) : OptionalDouble.empty();
    }

    /// @param value what stands there instead of a number; null when the element is missing
    private void absent(String word, String value) {
        AbsentCause cause;
        String lower = value == null ? "" : value.toLowerCase(Locale.ROOT);
        if (value == null || lower.contains("deprecated")) cause = AbsentCause.NOT_ON_THIS_KERNEL;
        else if (lower.contains("permission")) cause = AbsentCause.NO_PERMISSION;
        else if (lower.contains("lost") || lower.contains("reset")) cause = AbsentCause.VANISHED;
        else if (lower.contains("n/a") || lower.contains("not supported")) cause = AbsentCause.NOT_CONFIGURED;
        else cause = AbsentCause.MALFORMED;
        String detail =
                value == null ? "this driver's nvidia-smi does not print it" : "nvidia-smi shows \"" + value + "\"";
        line(text, "absent " + word + " " + cause.word() + " " + detail);
    }
}
