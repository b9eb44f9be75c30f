// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Every signature there is. A new one is a page and a line of `signatures.txt`; a test compares the two.
public final class Signatures {
    private static List<SignaturePage> pages;

    private Signatures() {}

    /// In the order of `signatures.txt`: of two that match a line the first is what it is.
    public static synchronized List<SignaturePage> pages() {
        if (pages == null)
            pages = text("signatures.txt")
                    .lines()
                    .map(String::strip)
                    .filter(name -> !name.isEmpty() && !name.startsWith("#"))
                    .map(name -> SignaturePage.parse(name, text(name + ".md")))
                    .toList();
        return pages;
    }

    private static String text(String file) {
        try (InputStream in = Signatures.class.getResourceAsStream(file)) {
            if (in == null) throw new IllegalStateException("the signature file " + file + " is missing");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }
}
