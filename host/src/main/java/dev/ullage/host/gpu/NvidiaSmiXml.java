// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// What `nvidia-smi -q -x` prints, of drivers from R450 to R580.
///
/// ```
/// <?xml version="1.0" ?>
/// <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
/// <nvidia_smi_log>
///     <driver_version>550.54.15</driver_version>
///     <gpu id="00000000:3B:00.0">
///         <product_name>NVIDIA H100 80GB HBM3</product_name>
///         <fb_memory_usage>
///             <total>81559 MiB</total>
/// ```
///
/// Mistake people make: letting the parser fetch the document type it names. Here it is skipped, nothing is resolved,
/// and a
/// document that breaks off is read as far as it goes: GPUs after the break are not there, and [GpuPresence] counts
/// them.
///
/// A command line in `process_name` is printed as it is, `<` and `&` and all, and is nobody's business: it is cut out
/// first.
/// So are the clocks a GPU supports, nine tenths of the text.
public final class NvidiaSmiXml {
    static final String SOURCE = "nvidia-smi -q -x";

    private static final List<String> CUT_OUT = List.of("process_name", "supported_clocks");

    /// Deeper is no output of this program.
    private static final int DEEPEST = 40;

    private static final int LONGEST_VALUE = 300;

    private NvidiaSmiXml() {}

    /// One GPU: values by path (`fb_memory_usage/total`), and the lists in it.
    static final class Element {
        final Map<String, String> values = new HashMap<>();
        final List<Map<String, String>> instances = new ArrayList<>();
        final List<Map<String, String>> processes = new ArrayList<>();
    }

    public static Reading<List<Gpu>> parse(String text) {
        int start = text.indexOf("<nvidia_smi_log");
        if (start < 0) return whatItSaidInstead(text);
        Map<String, String> host = new HashMap<>();
        List<Element> gpus = new ArrayList<>();
        // From the root on: declaration and document type have nothing for us.
        read(kept(text.substring(start)), host, gpus);
        return NvmlText.parse(NvidiaSmiLines.of(host, gpus), SOURCE);
    }

    /// It prints one line of text when it fails: `NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA
    /// driver. …`, `Failed to initialize NVML: Driver/library version mismatch`, `Unable to determine the device
    /// handle for
    /// GPU 0000:3B:00.0: GPU is lost. …`, `No devices were found`.
    private static Reading<List<Gpu>> whatItSaidInstead(String text) {
        if (text.contains("No devices were found")) return Reading.of(List.of());
        String line = text.strip().lines().findFirst().orElse("nothing");
        String said = "it said \"" + (line.length() > 160 ? line.substring(0, 160) + "…" : line) + "\"";
        AbsentCause cause;
        if (text.contains("GPU is lost") || text.contains("fallen off the bus")) cause = AbsentCause.VANISHED;
        else if (text.contains("Insufficient Permissions")) cause = AbsentCause.NO_PERMISSION;
        else if (text.contains("has failed") || text.contains("Failed to initialize"))
            cause = AbsentCause.NOT_CONFIGURED;
        else cause = AbsentCause.MALFORMED;
        return Reading.absent(SOURCE, cause, said);
    }

    /// What of its output is worth keeping: all but the elements that are cut out. A reading of it is the same.
    public static String kept(String text) {
        String kept = text;
        for (String name : CUT_OUT) {
            String open = "<" + name + ">";
            String close = "</" + name + ">";
            StringBuilder out = new StringBuilder();
            int from = 0;
            while (true) {
                int begin = kept.indexOf(open, from);
                int end = begin < 0 ? -1 : kept.indexOf(close, begin);
                if (end < 0) break;
                out.append(kept, from, begin);
                from = end + close.length();
            }
            kept = out.append(kept, from, kept.length()).toString();
        }
        return kept;
    }

    private static void read(String xml, Map<String, String> host, List<Element> gpus) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLResolver((_, _, _, _) -> new java.io.ByteArrayInputStream(new byte[0]));
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
            new Walk(host, gpus).over(reader);
        } catch (XMLStreamException | RuntimeException e) {
            // Cut off or broken: what came before it stands.
            return;
        }
    }

    /// Goes through the elements, with the path to where it is.
    private static final class Walk {
        private final Map<String, String> host;
        private final List<Element> gpus;
        private final Deque<String> path = new ArrayDeque<>();
        private Map<String, String> values;
        /// How many names of the path lead to `values`.
        private int base = 1;

        Walk(Map<String, String> host, List<Element> gpus) {
            this.host = host;
            this.gpus = gpus;
            this.values = host;
        }

        void over(XMLStreamReader reader) throws XMLStreamException {
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> begin(reader);
                    case XMLStreamConstants.CHARACTERS -> text(reader.getText().strip());
                    case XMLStreamConstants.END_ELEMENT -> end(path.removeLast());
                    default -> {}
                }
            }
        }

        private void begin(XMLStreamReader reader) throws XMLStreamException {
            String name = reader.getLocalName();
            path.addLast(name);
            if (path.size() > DEEPEST) throw new XMLStreamException("deeper than nvidia-smi goes");
            if (path.size() == 2 && name.equals("gpu")) {
                Element gpu = new Element();
                gpus.add(gpu);
                String id = reader.getAttributeValue(null, "id");
                if (id != null) gpu.values.put("id", id);
                enter(gpu.values);
            } else if (!gpus.isEmpty() && name.equals("mig_device")) enter(added(gpus.getLast().instances));
            else if (!gpus.isEmpty() && name.equals("process_info")) enter(added(gpus.getLast().processes));
        }

        private static Map<String, String> added(List<Map<String, String>> list) {
            list.add(new HashMap<>());
            return list.getLast();
        }

        private void enter(Map<String, String> inside) {
            values = inside;
            base = path.size();
        }

        private void text(String text) {
            if (text.isEmpty() || path.size() <= base) return;
            String key = path.stream().skip(base).collect(Collectors.joining("/"));
            values.putIfAbsent(key, text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) : text);
        }

        private void end(String name) {
            if (path.size() >= base) return;
            boolean isGpu = name.equals("gpu");
            values = isGpu || gpus.isEmpty() ? host : gpus.getLast().values;
            base = isGpu || gpus.isEmpty() ? 1 : 2;
        }
    }
}
