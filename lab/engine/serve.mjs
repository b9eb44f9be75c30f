// SPDX-License-Identifier: Apache-2.0
// The real engine: llama.cpp, through node-llama-cpp, serves a model and generates for ever.
// Usage: node serve.mjs --model FILE.gguf --port NUMBER. ULLAGE_LAB_ROLE holds the rest: `load` (settings of loadModel),
// `slots` (how many requests are computed at a time), `requests` (how many there are at a time), `context` (tokens a slot),
// `rounds` (how many each of them makes, 20 tokens a round; then it idles), `numa` (of getLlama).
//
// node-llama-cpp has no server. This one speaks llama-server's endpoints that only read (tools/server/README.md of
// llama.cpp): /health, /props, /slots, /metrics; what they tell is what the engine did.
import {createServer} from "node:http";
import {getLlama, LlamaLogLevel} from "node-llama-cpp";

const option = name => process.argv[process.argv.indexOf(name) + 1];
const modelPath = option("--model");
const {load = {}, slots = 1, requests = 1, context: perSlot = 512, numa = false, rounds = Infinity} = JSON.parse(process.env.ULLAGE_LAB_ROLE ?? "{}");
const told = {prompt: 0, generated: 0, seconds: 0, waiting: 0};
const busy = Array(slots).fill(false);
let release = "";
let ready = false;

const endpoints = {
    "/health": () => ({status: "ok"}),
    "/props": () => ({
        default_generation_settings: {id: 0, n_ctx: perSlot},
        total_slots: slots,
        model_path: modelPath,
        build_info: release
    }),
    "/slots": () => busy.map((is, id) => ({id, n_ctx: perSlot, is_processing: is})),
    "/metrics": () => [
        ["prompt_tokens_total", "counter", told.prompt],
        ["tokens_predicted_total", "counter", told.generated],
        ["tokens_predicted_seconds_total", "counter", told.seconds.toFixed(3)],
        ["requests_processing", "gauge", busy.filter(is => is).length],
        ["requests_deferred", "gauge", told.waiting]
    ].map(([name, kind, value]) => `# TYPE llamacpp:${name} ${kind}\nllamacpp:${name} ${value}\n`).join("")
};

createServer((request, response) => {
    const endpoint = request.method === "GET" ? endpoints[new URL(request.url, "http://x").pathname] : undefined;
    const answer = !ready ? {error: {code: 503, message: "Loading model", type: "unavailable_error"}} : endpoint?.();
    const text = typeof answer === "string";
    response.writeHead(!ready ? 503 : endpoint ? 200 : 404, {"Content-Type": text ? "text/plain" : "application/json"});
    response.end(text ? answer : JSON.stringify(answer ?? {error: {code: 404, message: "File Not Found"}}));
}).listen(Number(option("--port")), "127.0.0.1");

const llama = await getLlama({gpu: false, build: "never", logLevel: LlamaLogLevel.info, maxThreads: 2, numa});
release = llama.llamaCppRelease.release;
console.log("loading");
const model = await llama.loadModel({modelPath, ...load});
const context = await model.createContext({contextSize: perSlot, sequences: slots});
const prompt = model.tokenize("ba be bi bo bu");
ready = true;
console.log("ready");

const free = Array.from({length: slots}, (_, id) => ({id, sequence: context.getSequence()}));
const queue = [];

async function slot() {
    if (free.length > 0) {
        return free.pop();
    }
    told.waiting++;
    const got = await new Promise(resolve => queue.push(resolve));
    told.waiting--;
    return got;
}

async function user(seed) {
    for (let round = 1; round <= rounds; round++) {
        const taken = await slot();
        busy[taken.id] = true;
        await taken.sequence.clearHistory();
        told.prompt += prompt.length;
        let began = performance.now();
        let tokens = 0;
        for await (const token of taken.sequence.evaluate(prompt, {temperature: 1, seed: seed + round})) {
            const now = performance.now();
            told.generated++;
            told.seconds += (now - began) / 1000;
            began = now;
            if (++tokens >= 20) {
                break;
            }
        }
        busy[taken.id] = false;
        console.log(`round ${round}: ${tokens} tokens`);
        const next = queue.shift();
        next ? next(taken) : free.push(taken);
    }
}

for (let id = 1; id <= requests; id++) {
    user(id * 1000);
}
