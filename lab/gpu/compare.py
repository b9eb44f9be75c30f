# SPDX-License-Identifier: Apache-2.0
"""What Ullage read through NVIDIA's library beside what nvidia-smi -q -x prints, field by field."""
import re
import xml.etree.ElementTree as tree
from dataclasses import dataclass

SAME, NEAR, SILENT, ONLY_US, DIFFERS, MISSED = "same", "near", "both silent", "only the library", "DIFFERS", "MISSED"
_MIB = 1 << 20
_REASONS = ["gpu_idle", "applications_clocks_setting", "sw_power_cap", "hw_slowdown", "sync_boost", "sw_thermal_slowdown",
            "hw_thermal_slowdown", "hw_power_brake_slowdown"]


@dataclass(frozen=True)
class Field:
    gpu: int
    name: str
    ours: str
    theirs: str
    verdict: str


def fields(nvml: str, xml: str) -> list[Field]:
    ours, theirs = _ours(nvml), tree.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", xml)).findall("gpu")
    found = [_field(-1, "number of GPUs", len(ours), len(theirs))]
    for index, (a, b) in enumerate(zip(ours, theirs)):
        found += _one(index, a, b)
    return found


def _ours(text: str) -> list[dict]:
    gpus: list[dict] = []
    head: dict = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "gpu":
            gpus.append({**head, "name": rest.partition(" ")[2], "process": {}, "instance": [], "absent": {}})
        elif not gpus:
            head[word] = rest
        elif word == "absent":
            gpus[-1]["absent"][rest.split(" ")[0]] = rest
        elif word == "process":
            pairs = _pairs(rest)
            gpus[-1]["process"][int(pairs["pid"])] = pairs.get("memory")
        elif word == "instance":
            gpus[-1]["instance"].append(_pairs(rest))
        else:
            gpus[-1][word] = _pairs(rest) if "=" in rest else rest
    return gpus


def _pairs(rest: str) -> dict:
    return dict(pair.split("=", 1) for pair in rest.split(" ") if "=" in pair)


def _one(gpu: int, a: dict, b: tree.Element) -> list[Field]:
    def number(path: str, unit: float = 1) -> float | None:
        match = re.match(r"(-?[\d.]+)", b.findtext(path, "").strip())
        return float(match[1]) * unit if match else None

    def ours(word: str, key: str) -> float | None:
        line = a.get(word)
        return float(line[key]) if isinstance(line, dict) and key in line else None

    def words(path: str, **known: str) -> str | None:
        text = b.findtext(path, "").strip()
        return next((ours_ for theirs, ours_ in known.items() if text == theirs), None)

    pci = re.sub(r"^0000(?=....:)", "", b.get("id", "").lower())
    out = [_field(gpu, "name", a["name"], b.findtext("product_name")),
           _field(gpu, "PCI address", a.get("pci"), pci),
           _field(gpu, "memory total", ours("memory", "total"), number("fb_memory_usage/total", _MIB), _MIB),
           _field(gpu, "memory reserved", ours("memory", "reserved"), number("fb_memory_usage/reserved", _MIB), 2 * _MIB),
           _field(gpu, "memory used", ours("memory", "used"), number("fb_memory_usage/used", _MIB), 128 * _MIB),
           _field(gpu, "memory free", ours("memory", "free"), number("fb_memory_usage/free", _MIB), 128 * _MIB),
           _field(gpu, "BAR1 total", ours("bar1", "total"), number("bar1_memory_usage/total", _MIB), _MIB),
           _field(gpu, "BAR1 used", ours("bar1", "used"), number("bar1_memory_usage/used", _MIB), 64 * _MIB),
           _field(gpu, "link generation at most", ours("pcie", "max-generation"),
                  number("pci/pci_gpu_link_info/pcie_gen/max_link_gen")),
           _field(gpu, "link width at most", ours("pcie", "max-width"),
                  number("pci/pci_gpu_link_info/link_widths/max_link_width")),
           _field(gpu, "link width", ours("pcie", "width"), number("pci/pci_gpu_link_info/link_widths/current_link_width")),
           _field(gpu, "SM clock at most", ours("throttling", "max-clock"), number("max_clocks/sm_clock")),
           _field(gpu, "memory clock at most", ours("clocks", "max-memory-clock"), number("max_clocks/mem_clock")),
           _field(gpu, "temperature", _float(a.get("celsius")), number("temperature/gpu_temp"), 6),
           _field(gpu, "power", ours("power", "milliwatts"),
                  number("gpu_power_readings/instant_power_draw", 1000) or number("gpu_power_readings/power_draw", 1000)
                  or number("gpu_power_readings/average_power_draw", 1000) or number("power_readings/power_draw", 1000),
                  150_000),
           _field(gpu, "power limit", ours("power", "limit"), number("gpu_power_readings/current_power_limit", 1000)
                  or number("power_readings/enforced_power_limit", 1000), 1000),
           _field(gpu, "persistence", a.get("persistence"), words("persistence_mode", Enabled="1", Disabled="0")),
           _field(gpu, "compute mode", a.get("compute-mode"), words(
               "compute_mode", Default="default", Exclusive_Process="exclusive-process", Prohibited="prohibited")),
           _field(gpu, "addressing", a.get("addressing"), words("addressing_mode", HMM="hmm", ATS="ats", **{"None": "none"})),
           _field(gpu, "MIG", ours("mig", "current"), _float(words("mig_mode/current_mig", Enabled="1", Disabled="0"))),
           _field(gpu, "MIG instances", len(a["instance"]), len(b.findall("mig_devices/mig_device"))),
           _field(gpu, "ECC mode", ours("ecc-mode", "current"), _float(words("ecc_mode/current_ecc", Enabled="1", Disabled="0"))),
           _field(gpu, "remapped rows", ours("repairs", "remapped"), _sum(
               number("remapped_rows/remapped_row_corr"), number("remapped_rows/remapped_row_unc")))
           if b.find("remapped_rows/remapped_row_corr") is not None and number("remapped_rows/remapped_row_corr") is not None
           else _field(gpu, "retired pages", ours("repairs", "retired"), _sum(
               number("retired_pages/multiple_single_bit_retirement/retired_count"),
               number("retired_pages/double_bit_retirement/retired_count")))]
    for counter in ("volatile", "aggregate"):
        block = b.find(f"ecc_errors/{counter}")
        for kind, pattern in (("corrected", r"(dram|sram)_correctable|single_bit/total"),
                              ("uncorrected", r"(dram|sram)_uncorrectable(_parity|_secded)?|double_bit/total")):
            out.append(_field(gpu, f"ECC {kind}, {counter}", ours("ecc", f"{kind}-{counter}"), _errors(block, pattern)))
    out.append(_reasons(gpu, a, b))
    theirs = {int(p.findtext("pid", "0")): number_of(p.findtext("used_memory", "")) for p in b.findall("processes/process_info")}
    out.append(_field(gpu, "processes", sorted(a["process"]), sorted(theirs)))
    for pid in sorted(set(theirs) & set(a["process"])):
        out.append(_field(gpu, f"memory of process {pid}", _float(a["process"][pid]), theirs[pid], 128 * _MIB))
    return out


def number_of(text: str) -> float | None:
    match = re.match(r"(\d+) MiB", text.strip())
    return float(match[1]) * _MIB if match else None


def _errors(block: tree.Element | None, pattern: str) -> float | None:
    if block is None:
        return None
    flat = {(f"{parent.tag}/{child.tag}" if parent is not block else child.tag): child.text or ""
            for parent in block.iter() for child in parent}
    known = [float(text) for name, text in flat.items() if re.fullmatch(pattern, name) and text.strip().isdigit()]
    return sum(known) if known else None


def _reasons(gpu: int, a: dict, b: tree.Element) -> Field:
    """Idle and power cap come and go between two looks; the others must agree."""
    line = a.get("throttling")
    mask = int(line["reasons"]) if isinstance(line, dict) else None
    block = b.find("clocks_event_reasons")
    block = b.find("clocks_throttle_reasons") if block is None else block
    if block is None or mask is None:
        return _field(gpu, "reasons of throttling", mask, None if block is None else "told")
    theirs = {child.tag.split("_reason_")[-1] for child in block if (child.text or "").strip() == "Active"}
    ours = {name for bit, name in enumerate(_REASONS) if mask >> bit & 1}
    fleeting = {"gpu_idle", "sw_power_cap", "applications_clocks_setting"}
    return _field(gpu, "reasons of throttling", sorted(ours - fleeting), sorted(theirs & set(_REASONS) - fleeting))


def _float(text: object) -> float | None:
    return float(text) if isinstance(text, str) and re.fullmatch(r"-?[\d.]+", text) else None


def _sum(*numbers: float | None) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def _field(gpu: int, name: str, ours: object, theirs: object, near: float = 0) -> Field:
    ours, theirs = (None if value == "" else value for value in (ours, theirs))
    if ours is None and theirs is None:
        verdict = SILENT
    elif theirs is None:
        verdict = ONLY_US
    elif ours is None:
        verdict = MISSED
    elif ours == theirs:
        verdict = SAME
    elif near and isinstance(ours, (int, float)) and isinstance(theirs, (int, float)) and abs(ours - theirs) <= near:
        verdict = NEAR
    else:
        verdict = DIFFERS
    return Field(gpu, name, _shown(ours), _shown(theirs), verdict)


def _shown(value: object) -> str:
    return "-" if value is None else f"{value:.0f}" if isinstance(value, float) else str(value)
