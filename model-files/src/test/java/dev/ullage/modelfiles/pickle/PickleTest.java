// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.modelfiles.Python;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PickleTest {
    private static List<String> everything;

    @BeforeAll
    static void python_writes_the_same_in_all_its_protocols() {
        byte[] out = Python.run("""
                import pickle, collections
                twice = ['shared']
                data = {'text': 'Größe\\n\\u20ac 日本', 'none': None, 'yes': True, 'no': False, 'small': 7, 'byte': 200,
                        'word': 60000, 'negative': -2, 'address': 139637976727552, 'big': 2**200, 'minus': -2**70,
                        'real': 1.5, 'inf': float('inf'), 'bytes': b'\\x00\\xff', 'list': [1, [2, [3]]], 'empty': [],
                        'tuple': (1, 'two', (3.0,), ()), 'pair': (1, 2), 'triple': (1, 2, 3), 'set': {5, 6},
                        'frozen': frozenset([9]), 'ordered': collections.OrderedDict([('b', 1), ('a', 2)]),
                        'twice': [twice, twice], 'long': 'x' * 70000, 'quote': "it's", 'many': list(range(2500)),
                        'class': collections.Counter, 'object': complex(1, 2)}
                data['itself'] = data
                for protocol in range(6):
                    print(pickle.dumps(data, protocol).hex())
                """);
        everything = new String(out, StandardCharsets.US_ASCII).lines().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void everything_python_writes_is_read_as_it_was(int protocol) {
        byte[] bytes = HexFormat.of().parseHex(everything.get(protocol));
        Pickle pickle = Pickle.read("x", new ByteArrayInputStream(bytes)).orThrow();
        assertEquals(protocol < 2 ? 0 : protocol, pickle.protocol());
        assertEquals(bytes.length, pickle.length().bytes());
        DictOf data = assertInstanceOf(DictOf.class, pickle.root());
        assertEquals("Größe\n€ 日本", data.text("text", ""));
        assertSame(Data.Nothing.NONE, data.get("none"));
        assertEquals(new Data.Truth(true), data.get("yes"));
        assertEquals(new Data.Truth(false), data.get("no"));
        assertEquals(7, data.number("small", 0));
        assertEquals(200, data.number("byte", 0));
        assertEquals(60000, data.number("word", 0));
        assertEquals(-2, data.number("negative", 0));
        assertEquals(139637976727552L, data.number("address", 0));
        assertEquals(new Data.Big(BigInteger.TWO.pow(200)), data.get("big"));
        assertEquals(new Data.Big(BigInteger.TWO.pow(70).negate()), data.get("minus"));
        assertEquals(new Data.Real(1.5), data.get("real"));
        assertEquals(new Data.Real(Double.POSITIVE_INFINITY), data.get("inf"));
        assertEquals(70000, data.text("long", "").length());
        assertEquals("it's", data.text("quote", ""));
        assertEquals(2500, ((ListOf) data.get("many")).items().size());
        ListOf list = (ListOf) data.get("list");
        assertEquals(
                3,
                ((ListOf) ((ListOf) list.items().get(1)).items().get(1))
                        .items()
                        .getFirst()
                        .orElse(0));
        TupleOf tuple = (TupleOf) data.get("tuple");
        assertEquals("two", tuple.items().get(1).orElse(""));
        assertEquals(4, tuple.items().size());
        assertEquals(2, ((SetOf) data.get("set")).items().size());
        assertEquals(9, ((SetOf) data.get("frozen")).items().getFirst().orElse(0));
        assertEquals(2, ((DictOf) data.get("ordered")).number("a", 0));
        ListOf twice = (ListOf) data.get("twice");
        assertSame(twice.items().get(0), twice.items().get(1));
        assertEquals(new Data.ClassName("collections", "Counter"), data.get("class"));
        Instance complex = (Instance) data.get("object");
        assertEquals("complex", ((Data.ClassName) complex.callee()).name());
        assertSame(data, data.get("itself"));
    }

    @Test
    void byte_strings_are_measured_and_their_beginning_kept() {
        byte[] bytes =
                Python.run("import pickle,sys\nsys.stdout.buffer.write(pickle.dumps([b'ab', bytearray(300000)], 5))");
        ListOf list = (ListOf)
                Pickle.read("x", new ByteArrayInputStream(bytes)).orThrow().root();
        Data.Raw small = (Data.Raw) list.items().get(0);
        assertArrayEquals(new byte[] {'a', 'b'}, small.head());
        Data.Raw large = (Data.Raw) list.items().get(1);
        assertEquals(300000, large.length());
        assertEquals(256, large.head().length);
    }

    @Test
    void a_pickle_is_known_by_its_first_two_bytes() {
        assertTrue(Pickle.looksLike(new byte[] {(byte) 0x80, 4, (byte) 0x95}, 3));
        assertFalse(Pickle.looksLike(new byte[] {(byte) 0x80, 9}, 2));
        assertFalse(Pickle.looksLike("INFO 06-01".getBytes(StandardCharsets.US_ASCII), 10));
        assertFalse(Pickle.looksLike(new byte[] {(byte) 0x80}, 1));
    }
}
