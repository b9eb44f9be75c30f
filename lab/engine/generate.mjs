// SPDX-License-Identifier: Apache-2.0
// The real engine: llama.cpp, through node-llama-cpp, loads a model and generates tokens for ever.
// Usage: node generate.mjs --model FILE.gguf; the settings ULLAGE_LAB_ROLE holds are those of loadModel.
import {getLlama, LlamaLogLevel} from "node-llama-cpp";

const modelPath = process.argv[process.argv.indexOf("--model") + 1];
const settings = JSON.parse(process.env.ULLAGE_LAB_ROLE ?? "{}");
const llama = await getLlama({gpu: false, build: "never", logLevel: LlamaLogLevel.info, maxThreads: 2});
console.log("loading");
const model = await llama.loadModel({modelPath, ...settings});
console.log("ready");
const context = await model.createContext({contextSize: 512});
const sequence = context.getSequence();
const prompt = model.tokenize("ba be bi bo bu");
for (let round = 1; ; round++) {
    let tokens = 0;
    const began = performance.now();
    await sequence.clearHistory();
    for await (const token of sequence.evaluate(prompt, {temperature: 1, seed: round})) {
        if (++tokens >= 20) {
            break;
        }
    }
    console.log(`round ${round}: ${tokens} tokens in ${Math.round(performance.now() - began)} ms`);
}
