# SPDX-License-Identifier: Apache-2.0
"""One copy of the model would fit; every worker has its own."""
from scenario import fault
from stage import MiB, Stage


@fault("duplicate-copies", status=("critical", "warning"), smoke=True)
def every_worker_copies_the_weights(stage: Stage) -> None:
    """A pool of four workers reads 300 MiB of weights four times into memory of its own and fills its box to 97 %."""
    model = stage.safetensors(300)
    box = stage.group("gunicorn")
    server = stage.installed("weights_in_memory", "transformers-serve", ["--model", model.parent, "--workers", "4"], box,
                             paths=[str(model)], workers=4, uncached=True)
    stage.until("workers that are ready", lambda: server.log.read_text().count("ready"), at_least=4)
    box.limit_memory(int(box.anonymous() / 0.97))
    stage.until("share of the limit that is anonymous", lambda: box.anonymous() / box.memory_limit(), at_least=0.95)


@fault("duplicate-copies", status=("critical", "warning"))
def every_worker_maps_a_file_of_its_own(stage: Stage) -> None:
    """Four servers in one box map four copies of one model, 300 MiB each, under a limit of 600 MiB, which one would fit."""
    box = stage.group("llama-pool").limit_memory(600 * MiB)
    models, servers = [stage.gguf(300, copy=index) for index in range(4)], []
    for index, model in enumerate(models):
        shown = ["llama-server", "-m", model, "--port", 8080 + index, "--ctx-size", "4096"]
        servers.append(stage.program("mapped_model", shown, box, path=str(model)))
    stage.until_rate("pages read again", box.refaults, at_least=5_000)
    stage.show_wait(servers[0], box)
