// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.ullage.host.capture.BadCapture;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// The packer. Its native library lies beside our jars: unpacked to /tmp at run time, as zstd-jni does by itself, it
/// would be missing on the very host that has a full disk.
final class Zstd {
    /// A window of 8 MiB: all levels up to 19. What needs more wants our memory, not our attention.
    private static final int LONGEST_WINDOW = 23;

    private static final int LEVEL = 9;

    private Zstd() {}

    static InputStream unpacked(InputStream in) throws IOException {
        return unpacked(in, LONGEST_WINDOW);
    }

    static InputStream unpacked(InputStream in, int longestWindow) throws IOException {
        findLibrary();
        try {
            ZstdInputStreamNoFinalizer unpacked = new ZstdInputStreamNoFinalizer(in);
            unpacked.setLongMax(longestWindow);
            return unpacked;
        } catch (LinkageError e) {
            throw new BadCapture(cannotLoad(e) + "; unpack it with `zstd -d` and give the .tar");
        }
    }

    static OutputStream packed(OutputStream out) throws IOException {
        findLibrary();
        try {
            ZstdOutputStreamNoFinalizer packed = new ZstdOutputStreamNoFinalizer(out, LEVEL);
            packed.setChecksum(true);
            return packed;
        } catch (LinkageError e) {
            throw new BadCapture(cannotLoad(e) + "; give a name that ends in .tar.gz");
        }
    }

    private static String cannotLoad(LinkageError e) {
        return "the zstd library does not load here (" + e.getMessage() + ")";
    }

    private static void findLibrary() {
        if (System.getProperty("ZstdNativePath") != null) return;
        String machine = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "amd64";
        try {
            Path jar = Path.of(Zstd.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path folder = jar.resolveSibling("native/linux/" + machine);
            if (!Files.isDirectory(folder)) return;
            try (DirectoryStream<Path> libraries = Files.newDirectoryStream(folder, "libzstd-jni-*.so")) {
                for (Path library : libraries) System.setProperty("ZstdNativePath", library.toString());
            }
        } catch (IOException | URISyntaxException e) {
            // Then zstd-jni unpacks its own.
            return;
        }
    }
}
