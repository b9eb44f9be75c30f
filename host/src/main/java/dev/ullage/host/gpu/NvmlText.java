// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.KeyValues;
import dev.ullage.host.gpu.GpuHealth.Ecc;
import dev.ullage.host.gpu.GpuHealth.Repairs;
import dev.ullage.host.gpu.GpuHealth.Throttling;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;

/// What NVIDIA's library answers, written down as text: one thing a line, after the line of the GPU it is about.
///
/// ```
/// driver 570.86.15
/// cuda 12.8
/// gpu 0 NVIDIA H100 80GB HBM3
/// uuid GPU-0b1e…
/// pci 0000:3b:00.0
/// memory total=85520809984 used=78643200000 free=6877609984 reserved=642777088
/// bar1 total=137438953472 used=2228224
/// mig current=0 pending=0
/// process pid=812 kind=compute memory=78110000000 load=97 memory-load=41
/// process pid=900 kind=graphics instance=1
/// processes
/// load compute=97 memory=41
/// pcie generation=5 width=16 max-generation=5 max-width=16 received=1048576 sent=2097152
/// ecc corrected-volatile=0 uncorrected-volatile=0 corrected-aggregate=12 uncorrected-aggregate=0
/// repairs retired=0 remapped=1 pending=0 failed=0
/// throttling reasons=4 clock=1980 max-clock=1980
/// clocks clock=1980 max-clock=1980 memory-clock=2619 max-memory-clock=2619
/// celsius 54
/// power milliwatts=312450 limit=700000
/// ecc-mode current=1 pending=1
/// persistence 1
/// compute-mode default
/// addressing hmm
/// nvlink links=18 up=18
/// unified
/// instance 1 MIG-5f3c… total=10200547328 used=13107200 free=10187440128
/// absent ecc not-configured ECC is switched off
/// ```
///
/// `processes` says that the list of processes was read, however many there are. A process without `memory=` is one of
/// which the driver does not know it. `instance=` is the place of a line `instance` among them, counted from 0.
/// `absent`
/// takes the word of a line, the cause and a clause; `absent everything` stands for each word that has no line of its
/// own: a GPU that is lost, or one whose driver got stuck on the way.
public final class NvmlText {
    private static final String LIBRARY = "libnvidia-ml.so.1";
    private static final String EVERYTHING = "everything";

    /// Chips whose memory is the host's, also where the driver tells numbers for it.
    private static final Pattern UNIFIED = Pattern.compile("\\b(?:GB10|Orin|Thor|Xavier|Tegra|N1X)\\b");

    private final String source;
    private final String driver;
    private final String cuda;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<GpuProcess> processes = new ArrayList<>();
    private final List<GpuInstance> instances = new ArrayList<>();
    private final Map<String, Reading<Object>> absences = new LinkedHashMap<>();

    private NvmlText(String source, String driver, String cuda) {
        this.source = source;
        this.driver = driver;
        this.cuda = cuda;
    }

    /// Whether a GPU of this name uses the host's memory.
    public static boolean isUnified(String name) {
        return UNIFIED.matcher(name).find();
    }

    /// The GPUs, in the library's order.
    public static Reading<List<Gpu>> parse(String text) {
        return parse(text, LIBRARY);
    }

    /// @param source who told it
    static Reading<List<Gpu>> parse(String text, String source) {
        List<Gpu> gpus = new ArrayList<>();
        String driver = "";
        String cuda = "";
        NvmlText gpu = null;
        for (String line : text.lines().toList()) {
            int space = line.indexOf(' ');
            String word = space < 0 ? line : line.substring(0, space);
            String rest = space < 0 ? "" : line.substring(space + 1).strip();
            if (word.equals("driver")) driver = rest;
            if (word.equals("cuda")) cuda = rest;
            if (word.equals("gpu")) {
                if (gpu != null) gpus.add(gpu.built(gpus.size()));
                gpu = new NvmlText(source, driver, cuda);
            }
            if (gpu != null) gpu.take(word, rest);
        }
        if (gpu != null) gpus.add(gpu.built(gpus.size()));
        return Reading.of(List.copyOf(gpus));
    }

    private void take(String word, String rest) {
        switch (word) {
            case "process" -> processes.add(process(rest));
            case "instance" -> instances.add(instance(rest));
            case "absent" -> {
                String[] parts = rest.split(" ", 3);
                if (parts.length > 1)
                    absences.put(
                            parts[0],
                            Reading.absent(
                                    source + " " + parts[0],
                                    AbsentCause.of(parts[1]),
                                    parts.length > 2 ? parts[2] : "the driver does not say"));
            }
            default -> values.put(word, rest);
        }
    }

    private Gpu built(int index) {
        String name = values.getOrDefault("gpu", "");
        return new Gpu(
                index,
                Vendor.NVIDIA,
                name.contains(" ") ? name.substring(name.indexOf(' ') + 1) : "",
                values.getOrDefault("uuid", ""),
                values.getOrDefault("pci", ""),
                driver,
                values.containsKey("unified"),
                reading("memory", NvmlText::memory),
                reading("processes", _ -> List.copyOf(processes)),
                reading("load", NvmlText::load),
                reading("pcie", this::pcie),
                new GpuHealth(
                        reading("ecc", NvmlText::ecc),
                        reading("repairs", NvmlText::repairs),
                        reading("throttling", NvmlText::throttling),
                        reading("celsius", rest ->
                                (int) KeyValues.number(rest).orElseThrow(() -> new NumberFormatException(rest)))),
                List.copyOf(instances),
                Optional.of(details()));
    }

    private NvidiaDetails details() {
        return new NvidiaDetails(
                cuda,
                reading("bar1", NvmlText::bar1),
                reading("power", NvmlText::power),
                reading("clocks", NvmlText::clocks),
                reading("ecc-mode", NvmlText::mode),
                reading("mig", NvmlText::mode),
                reading("persistence", rest -> rest.equals("1")),
                reading("compute-mode", rest -> rest),
                reading("addressing", rest -> rest),
                reading("nvlink", NvmlText::nvlink));
    }

    private <T> Reading<T> reading(String word, Function<String, T> parse) {
        String rest = values.get(word);
        if (rest != null) {
            try {
                return Reading.of(parse.apply(rest));
            } catch (NumberFormatException e) {
                return Reading.malformed(source + " " + word, rest, "numbers as " + word + " has them");
            }
        }
        if (absences.get(word) instanceof Reading.Absent<Object> one) return one.as();
        return absences.get(EVERYTHING) instanceof Reading.Absent<Object> all
                ? Reading.absent(source + " " + word, all.cause(), all.detail())
                : Reading.absent(source + " " + word, AbsentCause.NOT_RECORDED, "the driver was not asked");
    }

    private static Vram memory(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        Bytes total = bytes(numbers, "total");
        Bytes used = bytes(numbers, "used");
        return new Vram(total, used, bytes(numbers, "free"), new Bytes(numbers.orZero("reserved")));
    }

    private static Bytes bytes(KeyValues numbers, String key) {
        return new Bytes(required(numbers, key));
    }

    private static long required(KeyValues numbers, String key) {
        return numbers.get(key).orElseThrow(() -> new NumberFormatException("no " + key));
    }

    private GpuProcess process(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        Reading<Bytes> memory = numbers.get("memory").isPresent()
                ? Reading.of(new Bytes(numbers.orZero("memory")))
                : Reading.absent(source, AbsentCause.NOT_CONFIGURED, "the driver does not say how much");
        OptionalInt instance = numbers.get("instance").isPresent()
                ? OptionalInt.of((int) numbers.orZero("instance"))
                : OptionalInt.empty();
        Reading<GpuLoad> load = numbers.get("load").isPresent()
                ? Reading.of(new GpuLoad(
                        Ratio.ofPercent(numbers.orZero("load")), Ratio.ofPercent(numbers.orZero("memory-load"))))
                : Reading.absent(source, AbsentCause.NOT_CONFIGURED, "the driver took no sample of it");
        return new GpuProcess(
                (int) numbers.orZero("pid"), memory, word(rest, "kind=").orElse("compute"), instance, load);
    }

    private static Optional<String> word(String rest, String key) {
        for (String pair : rest.split(" ")) if (pair.startsWith(key)) return Optional.of(pair.substring(key.length()));
        return Optional.empty();
    }

    private GpuInstance instance(String rest) {
        String[] parts = rest.split(" ", 3);
        String uuid = parts.length > 1 ? parts[1] : "";
        Reading<Vram> memory;
        try {
            memory = Reading.of(memory(parts.length > 2 ? parts[2] : ""));
        } catch (NumberFormatException e) {
            memory = Reading.absent(source, AbsentCause.NOT_CONFIGURED, "the driver does not say");
        }
        return new GpuInstance((int) KeyValues.number(parts[0]).orElse(0), uuid, memory);
    }

    private static GpuLoad load(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new GpuLoad(Ratio.ofPercent(required(numbers, "compute")), Ratio.ofPercent(required(numbers, "memory")));
    }

    private PcieLink pcie(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new PcieLink(
                (int) required(numbers, "generation"),
                (int) required(numbers, "width"),
                (int) required(numbers, "max-generation"),
                (int) required(numbers, "max-width"),
                throughput(numbers, "received"),
                throughput(numbers, "sent"));
    }

    private Reading<BytesPerSecond> throughput(KeyValues numbers, String key) {
        return numbers.get(key).isPresent()
                ? Reading.of(new BytesPerSecond(numbers.orZero(key)))
                : Reading.absent(source + " pcie", AbsentCause.NOT_CONFIGURED, "the driver does not say");
    }

    private static Ecc ecc(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new Ecc(
                numbers.orZero("corrected-volatile"),
                numbers.orZero("uncorrected-volatile"),
                numbers.orZero("corrected-aggregate"),
                numbers.orZero("uncorrected-aggregate"));
    }

    private static Repairs repairs(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new Repairs(
                numbers.orZero("retired"),
                numbers.orZero("remapped"),
                numbers.orZero("pending") > 0,
                numbers.orZero("failed") > 0);
    }

    private static Throttling throttling(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new Throttling(
                required(numbers, "reasons"), (int) numbers.orZero("clock"), (int) numbers.orZero("max-clock"));
    }

    private static NvidiaDetails.Bar1 bar1(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new NvidiaDetails.Bar1(bytes(numbers, "total"), bytes(numbers, "used"));
    }

    private static NvidiaDetails.Power power(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new NvidiaDetails.Power((int) required(numbers, "milliwatts"), numbers.get("limit"));
    }

    private static NvidiaDetails.Clocks clocks(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new NvidiaDetails.Clocks(
                (int) numbers.orZero("clock"),
                (int) numbers.orZero("max-clock"),
                (int) required(numbers, "memory-clock"),
                (int) numbers.orZero("max-memory-clock"));
    }

    private static NvidiaDetails.Mode mode(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new NvidiaDetails.Mode(required(numbers, "current") == 1, required(numbers, "pending") == 1);
    }

    private static NvidiaDetails.NvLink nvlink(String rest) {
        KeyValues numbers = KeyValues.parsePairs(rest);
        return new NvidiaDetails.NvLink((int) required(numbers, "links"), (int) required(numbers, "up"));
    }
}
