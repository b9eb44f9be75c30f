// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// A style or a script that stands in the page itself, and the hash by which the page's policy lets it in.
///
/// The policy (Content-Security-Policy in a `<meta>`) names the hashes of exactly two: nothing that a host's names
/// might smuggle into the page can run or load anything, even if an escape were forgotten.
record Inlined(String text) {
    static Inlined of(String... resources) {
        StringBuilder text = new StringBuilder();
        for (String resource : resources) text.append(read(resource).strip()).append('\n');
        return new Inlined(text.toString());
    }

    static String read(String resource) {
        try (InputStream in = Inlined.class.getResourceAsStream(resource)) {
            if (in == null) throw new IllegalStateException("the build left out " + resource);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + resource, e);
        }
    }

    /// `'sha256-…'`, as the policy wants it.
    String source() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
