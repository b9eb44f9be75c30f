# SPDX-License-Identifier: Apache-2.0
"""Writes a GGUF v3 model of about the wished size that llama.cpp loads: a llama architecture with a vocabulary that
tokenizes (SPM with byte fallback) and Q8_0 weights that are random but finite.

The numbers mean nothing; only the layout, the sizes and the tensor names are like a real model's.
"""
import os
import struct
from pathlib import Path

_U32, _I32, _F32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9
_F32_TENSOR, _Q8_0_TENSOR = 0, 8
_Q8_0_BLOCK = 34              # one f16 scale and 32 signed bytes
_ALIGNMENT = 32
_VOCABULARY = 512


def write(path: Path, size: int, seed: int = 1) -> Path:
    """Writes the model whole layers at a time, so that the file is within one layer of `size`."""
    width = 512 if size < 256 << 20 else 1024 if size < 2 << 30 else 2048
    hidden = width * 11 // 4
    tensors = [("token_embd.weight", (width, _VOCABULARY))]
    layer = _layer(width, hidden)
    layers = max(1, round(size / sum(_bytes(shape) for _, shape in layer)))
    for index in range(layers):
        tensors += [(f"blk.{index}.{name}", shape) for name, shape in layer]
    tensors += [("output_norm.weight", (width,)), ("output.weight", (width, _VOCABULARY))]

    keys = _settings(width, hidden, layers) + _tokenizer()
    directory, offset = b"", 0
    for name, shape in tensors:
        kind = _F32_TENSOR if len(shape) == 1 else _Q8_0_TENSOR
        directory += _text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        directory += struct.pack("<IQ", kind, offset)
        offset += _padded(_bytes(shape))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys) + directory
    with open(path, "wb", buffering=1 << 20) as file:
        file.write(head + bytes(-len(head) % _ALIGNMENT))
        _write_payload(file, [shape for _, shape in tensors], seed)
        file.flush()
        os.fsync(file.fileno())
    return path


def _layer(width: int, hidden: int) -> list[tuple[str, tuple[int, ...]]]:
    keys = width // 4              # a quarter as many key/value heads as query heads
    return [("attn_norm.weight", (width,)),
            ("attn_q.weight", (width, width)), ("attn_k.weight", (width, keys)), ("attn_v.weight", (width, keys)),
            ("attn_output.weight", (width, width)), ("ffn_norm.weight", (width,)),
            ("ffn_gate.weight", (width, hidden)), ("ffn_up.weight", (width, hidden)),
            ("ffn_down.weight", (hidden, width))]


def _bytes(shape: tuple[int, ...]) -> int:
    return shape[0] * 4 if len(shape) == 1 else shape[0] * shape[1] // 32 * _Q8_0_BLOCK


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _write_payload(file, shapes, seed: int) -> None:
    noise = os.urandom(32 * 8192)
    scale = struct.pack("<e", 0.0005)
    blocks = b"".join(scale + noise[i:i + 32] for i in range(0, len(noise), 32)) * 60      # about 16 MiB
    start = seed * 977 * _Q8_0_BLOCK
    for shape in shapes:
        size = _bytes(shape)
        left = size
        if len(shape) == 1:
            file.write(struct.pack("<f", 1.0) * shape[0])
            left = 0
        while left:
            start %= len(blocks)
            part = blocks[start:start + left]
            file.write(part)
            left -= len(part)
            start += len(part)
        file.write(bytes(_padded(size) - size))


def _settings(width: int, hidden: int, layers: int) -> list[bytes]:
    head = 64
    numbers = {"context_length": 4096, "embedding_length": width, "block_count": layers, "feed_forward_length": hidden,
               "attention.head_count": width // head, "attention.head_count_kv": width // head // 4,
               "rope.dimension_count": head, "vocab_size": _VOCABULARY}
    return [_key("general.architecture", _STRING, "llama"), _key("general.name", _STRING, "random-llama"),
            _key("general.alignment", _U32, _ALIGNMENT), _key("general.file_type", _U32, 7),
            _key("llama.attention.layer_norm_rms_epsilon", _F32, 1e-5), _key("llama.rope.freq_base", _F32, 10000.0),
            *(_key("llama." + name, _U32, number) for name, number in numbers.items())]


def _tokenizer() -> list[bytes]:
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    kinds = [2, 3, 3] + [6] * 256
    scores = [0.0] * len(tokens)
    words = ["▁"] + [chr(code) for code in range(33, 127)]
    syllables = [c + v for c in "bcdfghjklmnprstvwz" for v in "aeiou"]
    words += ["▁" + s for s in syllables] + syllables
    for word in words[:_VOCABULARY - len(tokens)]:
        tokens.append(word)
        kinds.append(1)
        scores.append(-float(len(tokens)))
    return [_key("tokenizer.ggml.model", _STRING, "llama"), _list("tokenizer.ggml.tokens", _STRING, tokens),
            _list("tokenizer.ggml.scores", _F32, scores), _list("tokenizer.ggml.token_type", _I32, kinds),
            _key("tokenizer.ggml.bos_token_id", _U32, 1), _key("tokenizer.ggml.eos_token_id", _U32, 2),
            _key("tokenizer.ggml.unknown_token_id", _U32, 0), _key("tokenizer.ggml.add_bos_token", _BOOL, True)]


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(kind: int, value) -> bytes:
    if kind == _STRING:
        return _text(value)
    return struct.pack({_U32: "<I", _I32: "<i", _F32: "<f", _BOOL: "<?"}[kind], value)


def _key(name: str, kind: int, value) -> bytes:
    return _text(name) + struct.pack("<I", kind) + _value(kind, value)


def _list(name: str, kind: int, values) -> bytes:
    return _text(name) + struct.pack("<IIQ", _ARRAY, kind, len(values)) + b"".join(_value(kind, v) for v in values)
