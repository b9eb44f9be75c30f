# SPDX-License-Identifier: Apache-2.0
"""Numbers of memory that look alarming: used, cached, virtual, swapped."""
import signal

from lookalikes.calm import calm_server, waiting_server
from scenario import lookalike
from stage import GiB, MiB, Stage, kernel, page_cache
from stage.outcome import Skipped


@lookalike()
def page_cache_takes_all_that_is_free(stage: Stage) -> None:
    """A data set that somebody read has left hardly any memory free, all of it cache that can be given back."""
    calm_server(stage)
    data = stage.sparse(int(kernel.meminfo()["MemFree"] / MiB) + 1024)
    stage.undo.later(f"cache of {data}", lambda: page_cache.evict(data))
    for _ in range(3):            # what the kernel of a machine that was idle gives back meanwhile is read again
        stage.cached(data)
        if kernel.meminfo()["MemFree"] < 2000 * MiB:
            break
    stage.until("MiB free", lambda: kernel.meminfo()["MemFree"] / MiB, at_most=2000)
    stage.until("MiB available", kernel.available_mib, at_least=8000)


@lookalike(smoke=True)
def address_space_of_a_terabyte(stage: Stage) -> None:
    """A server has reserved a terabyte of addresses, as CUDA does, and has touched a third of a gigabyte."""
    server = calm_server(stage, reserve=1 << 40)
    stage.until("GiB of addresses", lambda: server.counters().virtual_bytes / GiB, at_least=1000)
    stage.until("MiB resident", lambda: server.counters().resident_bytes / MiB, at_most=600)


@lookalike()
def swapped_out_long_ago(stage: Stage) -> None:
    """A third of an idle server lies in the swap file since its box was once too small; nothing moves any more."""
    model = stage.safetensors(600)
    stage.swap_file(1024)
    box = stage.group("swapped").limit_memory(350 * MiB)
    stage.installed("weights_in_memory", "vllm", ["serve", model.parent, "--port", "8000"], box, paths=[str(model)],
                    uncached=True).await_line("ready")
    box.unlimit_memory()
    stage.until("MiB swapped out", kernel.swap_used_mib, at_least=150)
    stage.until_rate("pages swapped in", lambda: kernel.vmstat("pswpin"), at_most=1)


@lookalike()
def large_tmpfs_with_room(stage: Stage) -> None:
    """Six gigabytes of scratch files lie in a tmpfs, and two thirds of the host are still available."""
    folder = stage.tmpfs("scratch", 8192)
    with open(folder / "shards.bin", "wb", buffering=0) as file:
        for _ in range(6 * 1024):
            file.write(bytes(MiB))
    calm_server(stage)
    stage.until("GiB in tmpfs", lambda: kernel.meminfo()["Shmem"] / GiB, at_least=5.5)
    stage.until("MiB available", kernel.available_mib, at_least=8000)


@lookalike()
def huge_pages_in_use(stage: Stage) -> None:
    """An eighth of the host is set aside for huge pages, and a database works in them."""
    size = stage.huge_pages(share=0.125)
    stage.script("huge_pages", ["--shared-buffers"], size=size).await_line("took them")
    waiting_server(stage)
    stage.until("GiB of idle huge pages", lambda: kernel.huge_pages("Free") / GiB, at_most=0.1)


@lookalike()
def huge_pages_idle_with_room(stage: Stage) -> None:
    """An eighth of the host is set aside for huge pages that nobody uses, and memory is not short."""
    stage.huge_pages(share=0.125)
    waiting_server(stage)
    stage.until("GiB of idle huge pages", lambda: kernel.huge_pages("Free") / GiB, at_least=0.5)
    stage.until("share of memory available", kernel.available_share, at_least=0.4)


@lookalike()
def no_swap_and_much_room(stage: Stage) -> None:
    """There is no swap at all, which checklists call a fault; most of the host is available."""
    if kernel.meminfo()["SwapTotal"]:
        raise Skipped("this host has swap, and the story is about one without")
    waiting_server(stage)
    stage.until("share of memory available", kernel.available_share, at_least=0.4)


@lookalike()
def swap_on_the_disk_of_the_model(stage: Stage) -> None:
    """The swap file lies on the disk of the model, some old pages are in it, and nothing moves."""
    data = stage.safetensors(400)
    stage.swap_file(1024)
    box = stage.group("once-too-small").limit_memory(200 * MiB)
    stage.script("weights_in_memory", ["--input", data.parent], box, paths=[str(data)], uncached=True).await_line("ready")
    box.unlimit_memory()
    waiting_server(stage)
    stage.until("MiB swapped out", kernel.swap_used_mib, at_least=100)
    stage.until_rate("pages swapped in", lambda: kernel.vmstat("pswpin"), at_most=1)


@lookalike()
def pool_shares_one_copy(stage: Stage) -> None:
    """Four workers were forked after the weights were read: the sum of their RSS is four times what they really take."""
    model = stage.safetensors(500)
    box = stage.group("forked").limit_memory(1024 * MiB)
    server = stage.installed("weights_in_memory", "transformers-serve", ["--model", model.parent, "--workers", "4"], box,
                             paths=[str(model)], workers=4, shared=True, uncached=True)
    stage.until("workers that are ready", lambda: server.log.read_text().count("ready"), at_least=4)
    stage.until("MiB of the box that are used", lambda: box.memory_used() / MiB, at_most=800)


@lookalike()
def box_full_of_cache_that_can_go(stage: Stage) -> None:
    """A box is at its limit with the cache of a file that was read once; the server in it needs a third of the limit."""
    data = stage.safetensors(1500)
    box = stage.group("at-its-limit").limit_memory(900 * MiB)
    copied = stage.start(["dd", f"if={data}", "of=/dev/null", "bs=1M"], box)
    copied.popen.wait(timeout=60)
    stage.proof.note(f"dd ended with {copied.popen.returncode}")
    calm_server(stage, box)
    stage.until("share of the limit that is used", lambda: box.memory_used() / box.memory_limit(), at_least=0.97)
    stage.until_rate("times the limit was hit", box.limit_hits, at_most=1)


@lookalike(smoke=True)
def cache_of_a_starting_server(stage: Stage) -> None:
    """A server allocates its KV cache of 1.2 GiB in one second while we look, and then no more."""
    model = stage.safetensors(300)
    box = stage.group("starting").limit_memory(2500 * MiB)
    server = stage.installed("weights_in_memory", "vllm", ["serve", model.parent, "--kv-cache-memory-bytes", "1288490188"],
                             box, paths=[str(model)], cache=1200 * MiB, uncached=True)
    server.await_line("ready")
    stage.proof.level("MiB of the box that are anonymous", lambda: box.anonymous() / MiB)
    stage.while_diagnosing(1.5, lambda: server.tell(signal.SIGUSR1))


@lookalike()
def half_of_the_weights_copied(stage: Stage) -> None:
    """Two workers with a copy of the weights each: wasteful, and the host has twenty gigabytes left."""
    model = stage.safetensors(600)
    server = stage.installed("weights_in_memory", "transformers-serve", ["--model", model.parent, "--workers", "2"], None,
                             paths=[str(model)], workers=2, uncached=True)
    stage.until("workers that are ready", lambda: server.log.read_text().count("ready"), at_least=2)
    stage.until("MiB available", kernel.available_mib, at_least=8000)
