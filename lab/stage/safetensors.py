# SPDX-License-Identifier: Apache-2.0
"""Writes a safetensors file of the wished size: a JSON header with llama's tensor names over random BF16 numbers, and
the config.json that lies beside it in every Hugging Face folder."""
import json
import os
import struct
from pathlib import Path

_VOCABULARY = 4096


def write(path: Path, size: int, seed: int = 1) -> Path:
    width = 512 if size < 256 << 20 else 2048          # a layer is 5 or 82 MiB, and the file is within one of `size`
    hidden = width * 11 // 4
    layer = {"self_attn.q_proj": (width, width), "self_attn.o_proj": (width, width),
             "mlp.gate_proj": (hidden, width), "mlp.up_proj": (hidden, width), "mlp.down_proj": (width, hidden)}
    layers = max(1, size // sum(2 * a * b for a, b in layer.values()))
    tensors = {"model.embed_tokens.weight": (_VOCABULARY, width)}
    for index in range(layers):
        tensors |= {f"model.layers.{index}.{name}.weight": shape for name, shape in layer.items()}
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, (rows, columns) in tensors.items():
        end = offset + 2 * rows * columns
        header[name] = {"dtype": "BF16", "shape": [rows, columns], "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    noise = os.urandom(16 << 20)
    with open(path, "wb", buffering=0) as file:
        file.write(struct.pack("<Q", len(text)) + text)
        start = seed % len(noise)
        while offset:
            offset -= file.write(noise[start:start + offset])
            start = 0
        os.fsync(file.fileno())
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": width,
              "intermediate_size": hidden, "num_hidden_layers": layers, "num_attention_heads": width // 64,
              "num_key_value_heads": width // 64, "vocab_size": _VOCABULARY, "torch_dtype": "bfloat16",
              "max_position_embeddings": 4096, "tie_word_embeddings": True}
    (path.parent / "config.json").write_text(json.dumps(config, indent=2))
    return path
