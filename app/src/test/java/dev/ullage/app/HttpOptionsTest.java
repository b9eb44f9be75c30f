// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.kernel.HttpAccess;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HttpOptionsTest {
    private static HttpAccess of(String... arguments) {
        return HttpOptions.of(new CommandLine(new DiagnoseVerb().spec()).parseArgs(arguments));
    }

    private static String refusal(String... arguments) {
        return assertThrows(BadOption.class, () -> of(arguments)).getMessage();
    }

    @Test
    void servers_are_asked_without_a_key_unless_told_otherwise() {
        assertEquals(HttpAccess.WITHOUT_KEY, of());
        assertEquals(HttpAccess.FORBIDDEN, of("--no-http"));
    }

    @Test
    void the_key_is_the_value_of_the_variable() {
        // PATH is the one variable that is surely set; its value is one word.
        assertEquals(
                Optional.of(System.getenv("PATH")), of("--api-key-env", "PATH").key());
    }

    @Test
    void a_variable_that_is_not_set_is_said_to_be_so_with_what_to_do() {
        String message = refusal("--api-key-env", "ULLAGE_TEST_NO_SUCH_KEY");
        assertTrue(message.contains("ULLAGE_TEST_NO_SUCH_KEY: this variable is not set"), message);
        assertTrue(message.contains("sudo --preserve-env=ULLAGE_TEST_NO_SUCH_KEY"), message);
    }

    @Test
    void a_key_in_the_place_of_a_name_is_not_repeated() {
        String message = refusal("--api-key-env", "sk-abcdef123456");
        assertFalse(message.contains("sk-abcdef"), message);
        assertTrue(message.contains("expected the name of an environment variable"), message);
    }

    @Test
    void a_key_for_nobody_is_a_mistake() {
        assertTrue(refusal("--api-key-env", "PATH", "--no-http").contains("no server is asked"));
    }

    @Test
    void capture_takes_the_same_options() {
        CommandLine capture = new CommandLine(new CaptureVerb().spec());
        assertEquals(HttpAccess.FORBIDDEN, HttpOptions.of(capture.parseArgs("x", "--no-http")));
    }
}
