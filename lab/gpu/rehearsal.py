# SPDX-License-Identifier: Apache-2.0
"""A card on paper, for a rehearsal where there is none: the fake library of the tests, and an nvidia-smi that prints the
same card."""
import json
import subprocess
from pathlib import Path

from worker import holders, write_script

ROOT = Path(__file__).resolve().parent.parent.parent
MIB = 1 << 20
TOTAL, RESERVED = 23034 * MIB, 461 * MIB
FREE = TOTAL - RESERVED

_LINES = ["driver 570.86.15", "cuda 12080", "gpu NVIDIA L4", "uuid GPU-0b1e2c3d-1111-4222-8333-444455556666",
          "pci 0 59 0", f"bar1 {32768 * MIB} {32762 * MIB} {6 * MIB}", "load 61 30", "pcie 4 16 4 16 2048 1024",
          "throttling 4", "clock 1 2040 2040", "clock 2 6251 6251", "celsius 61", "power 71250 72000", "ecc 1 1 0 0 3 0",
          "rows 0 1 0 0", "persistence 1", "compute-mode 0", "addressing 1"]


def prepare(folder: Path) -> Path:
    library = folder / "libnvidia-ml.so.1"
    subprocess.run([ROOT / "host/src/test/c/fake-nvml", library], check=True)
    (folder / "holders").mkdir()
    (folder / "card.json").write_text(json.dumps({"lines": _LINES, "total": TOTAL, "reserved": RESERVED}))
    write_script(folder)
    return library


def smi(folder: Path) -> str:
    held = holders(folder)
    used = sum(held.values())
    processes = "".join(
        f"<process_info><pid>{pid}</pid><type>C</type><process_name>python3</process_name>"
        f"<used_memory>{size // MIB} MiB</used_memory></process_info>" for pid, size in held.items())
    return f"""<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log><driver_version>570.86.15</driver_version><cuda_version>12.8</cuda_version>
<gpu id="00000000:3B:00.0"><product_name>NVIDIA L4</product_name><persistence_mode>Enabled</persistence_mode>
<addressing_mode>HMM</addressing_mode><mig_mode><current_mig>N/A</current_mig></mig_mode><mig_devices>None</mig_devices>
<pci><pci_gpu_link_info><pcie_gen><max_link_gen>4</max_link_gen><current_link_gen>4</current_link_gen></pcie_gen>
<link_widths><max_link_width>16x</max_link_width><current_link_width>16x</current_link_width></link_widths></pci_gpu_link_info></pci>
<clocks_event_reasons><clocks_event_reason_sw_power_cap>Active</clocks_event_reason_sw_power_cap>
<clocks_event_reason_hw_slowdown>Not Active</clocks_event_reason_hw_slowdown></clocks_event_reasons>
<fb_memory_usage><total>{TOTAL // MIB} MiB</total><reserved>{RESERVED // MIB} MiB</reserved><used>{used // MIB} MiB</used>
<free>{(FREE - used) // MIB} MiB</free></fb_memory_usage>
<bar1_memory_usage><total>32768 MiB</total><used>6 MiB</used><free>32762 MiB</free></bar1_memory_usage>
<compute_mode>Default</compute_mode><ecc_mode><current_ecc>Enabled</current_ecc></ecc_mode>
<ecc_errors><volatile><sram_correctable>0</sram_correctable><sram_uncorrectable_parity>0</sram_uncorrectable_parity>
<sram_uncorrectable_secded>0</sram_uncorrectable_secded><dram_correctable>0</dram_correctable>
<dram_uncorrectable>0</dram_uncorrectable></volatile><aggregate><sram_correctable>1</sram_correctable>
<sram_uncorrectable_parity>0</sram_uncorrectable_parity><sram_uncorrectable_secded>0</sram_uncorrectable_secded>
<dram_correctable>2</dram_correctable><dram_uncorrectable>0</dram_uncorrectable></aggregate></ecc_errors>
<remapped_rows><remapped_row_corr>0</remapped_row_corr><remapped_row_unc>1</remapped_row_unc></remapped_rows>
<temperature><gpu_temp>60 C</gpu_temp></temperature><gpu_power_readings><instant_power_draw>70.90 W</instant_power_draw>
<current_power_limit>72.00 W</current_power_limit></gpu_power_readings><max_clocks><sm_clock>2040 MHz</sm_clock>
<mem_clock>6251 MHz</mem_clock></max_clocks><processes>{processes}</processes></gpu></nvidia_smi_log>"""
