# SPDX-License-Identifier: Apache-2.0
"""Files in a tmpfs are memory: the host's, and that of the box that wrote them."""
from lookalikes.calm import waiting_server
from scenario import fault
from stage import GiB, MiB, Stage, kernel, neighbours


@fault("tmpfs-in-ram", status="warning")
def scratch_files_fill_the_host(stage: Stage) -> None:
    """Six gigabytes of scratch files were left in a tmpfs; with what else runs, less than a tenth of the host is left."""
    neighbours.await_quiet()
    folder = stage.tmpfs("scratch", 8192)
    with open(folder / "shards.bin", "wb", buffering=0) as file:
        for _ in range(6 * 1024):
            file.write(bytes(MiB))
    waiting_server(stage)
    stage.short_of_memory()
    stage.until("GiB in tmpfs", lambda: kernel.meminfo()["Shmem"] / GiB, at_least=5.9)


@fault("tmpfs-in-ram", status="warning")
def scratch_files_fill_the_box(stage: Stage) -> None:
    """A job in the server's box left 500 MiB in a tmpfs; with the server's 300 MiB they are 97 % of the limit."""
    model = stage.safetensors(300)
    box = stage.group("sglang")
    folder = stage.tmpfs("scratch", 600)
    job = stage.start(["dd", "if=/dev/zero", f"of={folder / 'tokenized.arrow'}", "bs=1M", "count=500"], box)
    job.popen.wait(timeout=60)
    stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", model.parent], box, paths=[str(model)],
                    uncached=True).await_line("ready")
    files = lambda: box.memory_counter("shmem")
    box.limit_memory(int((box.anonymous() + files()) / 0.97))
    stage.until("MiB of files in the box", lambda: files() / MiB, at_least=490)
    stage.until("share of the limit that cannot be reclaimed",
                lambda: (box.anonymous() + files()) / box.memory_limit(), at_least=0.95)


@fault("tmpfs-in-ram", status="warning", servers=("llama.cpp … serves random-llama-300m.Q8_0.gguf",))
def real_engine_with_its_cache_on_tmpfs(stage: Stage) -> None:
    """llama.cpp without mmap reads its model from a cache of models on a tmpfs: in its box the model is there twice."""
    model = stage.gguf(300)
    box = stage.group("llama-cpp")
    folder = stage.tmpfs("model-cache", 400)
    download = stage.start(["cp", model, folder], box)
    download.popen.wait(timeout=60)
    stage.real_engine(folder / model.name, box, rounds=1, load={"useMmap": False}).await_line("round 1:", within=180)
    files = lambda: box.memory_counter("shmem")
    box.limit_memory(int((box.anonymous() + files()) / 0.97))
    stage.until("MiB of files in the box", lambda: files() / MiB, at_least=290)
