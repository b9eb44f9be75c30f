// SPDX-License-Identifier: Apache-2.0
// What a reader of the page relies on, looked at in a real Chromium: node checks.mjs FOLDER, the folder with the pages.
// One line a check; screenshots beside the pages.
import { existsSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { contrasts, drawnPixels, headings } from "./in-page.mjs";

const folder = resolve(process.argv[2]);
const MODES = [
  ["desktop, light", { width: 1280, height: 800 }, "light"],
  ["desktop, dark", { width: 1280, height: 800 }, "dark"],
  ["phone, light", { width: 390, height: 844 }, "light"],
  ["phone, dark", { width: 390, height: 844 }, "dark"],
];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

let failed = 0;
function check(name, problem) {
  const bad = Array.isArray(problem) ? problem.length > 0 : Boolean(problem);
  if (bad) failed++;
  console.log((bad ? "not ok  " : "ok  ") + name + (bad ? ": " + JSON.stringify(problem).slice(0, 500) : ""));
}

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: FLAGS });

/** A page with everything it says and asks for written down. */
async function open(name, options, before) {
  const context = await browser.newContext(options);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const said = [], asked = [];
  page.on("console", message => said.push(message.type() + ": " + message.text()));
  page.on("pageerror", error => said.push("error: " + error.message));
  page.on("request", request => asked.push(request.url()));
  if (before) await page.addInitScript(before);
  await page.goto("file://" + folder + "/" + name + ".html");
  return { page, said, asked, close: () => context.close() };
}

async function inModes(name, modes) {
  for (const [mode, viewport, colorScheme] of modes) {
    const { page, said, asked, close } = await open(name, { viewport, colorScheme });
    const at = `${name}, ${mode}: `;
    await page.screenshot({ path: `${folder}/${name}, ${mode}.png`, fullPage: true });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    check(at + "nothing sticks out sideways", width > viewport.width && `${width} px`);
    check(at + "text and pictures have contrast", await page.evaluate(contrasts));
    check(at + "every diagram is drawn", await page.evaluate(drawnPixels));
    check(at + "the console is silent", said);
    check(at + "nothing is asked of the network", asked.slice(1));
    await close();
  }
}

async function once(name, verdict) {
  const at = name + ": ";
  const { page, close } = await open(name, { viewport: MODES[0][1] });
  check(at + "is at most 250 KB", statSync(`${folder}/${name}.html`).size > 250_000);
  const title = await page.title();
  check(at + "its title says the verdict", !verdict.test(title) && title);
  check(at + "headings nest, under one h1", await page.evaluate(headings));
  check(at + "every diagram has words and a table", await page.evaluate(() =>
    [...document.querySelectorAll(".plot")].filter(plot => !plot.getAttribute("aria-label") ||
      plot.closest("figure").querySelectorAll("details tbody tr").length < 1).map(plot => plot.id)));
  check(at + "the pictures of the memory add up", await page.evaluate(() =>
    [...document.querySelectorAll("svg.bar")].map(bar =>
      [...bar.querySelectorAll("rect[class^=k-]")].reduce((sum, part) => sum + parseFloat(part.getAttribute("width")), 0))
      .filter(sum => Math.abs(sum - 100) > 0.1)));
  await close();
}

async function ofGpus() {
  for (const [name, bars, rows] of [["two GPUs", 2, 5], ["eight GPUs", 7, 35]]) {
    const { page, close } = await open(name, { viewport: MODES[0][1] });
    const section = page.locator("section", { has: page.getByRole("heading", { name: "Where VRAM went" }) });
    check(`${name}: a bar for each that told`, await section.locator("svg.bar").count() !== bars);
    const text = (await section.innerText()).replaceAll("\u00a0", " ");
    check(`${name}: who holds how much, dead ones too`,
      !/llama-server \(pid 812\).*\s*55\.9 GiB/.test(text) && text || !text.includes("pid 7777, which has ended") && text);
    check(`${name}: one row a part, coloured as its place in the bar`, await section.locator("table.legend tbody tr").count() < rows);
    check(`${name}: one that is silent is said`, bars === 7 && !text.includes("not seen: "));
    await close();
  }
}

async function ofServers() {
  const { page, close } = await open("two GPUs", { viewport: MODES[0][1] });
  const text = async () => (await page.locator("section", { has: page.getByRole("heading", { name: "Servers" }) }).innerText())
    .replaceAll("\u00a0", " ");
  const servers = await text();
  check("a server is named with its engine, its model and what it holds where",
    ![/llama\.cpp/, /qwen3-8b-q4_k_m\.gguf/, /host\s+4\.6 GiB of the model cached/, /GPU 0\s[^]*55\.9 GiB/, /GPU 1\s[^]*56\.8 GiB/]
      .every(part => part.test(servers)) && servers);
  await close();
  const sick = await open("sick", { viewport: MODES[0][1] });
  const explained = await sick.page.locator(".symptoms .explained").allInnerTexts();
  check("a verdict says which symptom of which server it explains",
    !explained.some(line => /\(pid \d+.*\) (waits|works in the kernel|answers)/.test(line.replaceAll("\u00a0", " "))) && explained);
  await sick.close();
}

async function copying() {
  for (const [how, before] of [["the clipboard", null],
    ["the old way", () => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })]]) {
    const { page, close } = await open("sick", { viewport: MODES[0][1] }, before);
    await page.evaluate(() => addEventListener("copy", () => { globalThis.selected = document.activeElement.value; }));
    const command = await page.locator(".command code").first().textContent();
    await page.locator("button.copy").first().click();
    await page.waitForFunction(() => document.querySelector("button.copy").textContent !== "copy");
    const copied = before ? await page.evaluate(() => globalThis.selected) : await page.evaluate(() => navigator.clipboard.readText());
    check(`the copy button copies by ${how}`, copied !== command && [copied, command]);
    check(`the copy button says so (${how})`, await page.locator("button.copy").first().textContent() !== "copied");
    await close();
  }
}

async function byKeyboard() {
  const { page, close } = await open("sick", { viewport: MODES[0][1] });
  const wanted = await page.locator("button.copy, summary, [tabindex='0']").filter({ visible: true }).count();
  const reached = new Set();
  for (let i = 0; i < wanted + 5; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => {
      const all = [...document.querySelectorAll("button.copy, summary, [tabindex='0']")];
      return all.indexOf(document.activeElement);
    }));
  }
  reached.delete(-1);
  check("the keyboard reaches everything", reached.size < wanted && `${reached.size} of ${wanted}`);
  await page.locator("details.numbers > summary").first().focus();
  await page.keyboard.press("Enter");
  check("the keyboard opens the table of a diagram",
    !(await page.locator("details.numbers tbody tr").first().isVisible()));
  await close();
}

async function pointing() {
  const { page, close } = await open("sick", { viewport: MODES[0][1] });
  const plot = page.locator(".plot .u-over").first();
  await plot.hover({ position: { x: 100, y: 60 } });
  await page.waitForFunction(() => /^at \d/.test(document.querySelector("th.moment").textContent), null, { timeout: 3000 })
    .catch(() => {});
  const moment = await page.locator("th.moment").first().textContent();
  check("pointing at a diagram shows the numbers of that moment", !/^at \d+ s$/.test(moment) && moment);
  await close();
}

async function hostileNames() {
  const { page, close } = await open("hostile", { viewport: MODES[0][1] });
  const state = await page.evaluate(() => ({
    stolen: globalThis.stolen, images: document.images.length, scripts: document.scripts.length,
    text: document.body.innerText, handlers: document.querySelectorAll("[onmouseover], [onerror]").length,
  }));
  check("names of a host run no script", state.stolen !== undefined);
  check("names of a host make no elements", (state.images || state.handlers || state.scripts !== 2) && state);
  check("names of a host are shown as they are", !state.text.includes("onerror=globalThis.stolen=1>"));
  check("what turns text around is shown by its number",
    (state.text.includes("\u202e") || !state.text.includes("\\u202e")) && state.text.slice(0, 200));
  const ran = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.stolen = 1";
    document.body.append(script);
    const image = document.createElement("img");
    image.setAttribute("onerror", "globalThis.stolen = 2");
    image.src = "data:nothing";
    document.body.append(image);
    await new Promise(done => setTimeout(done, 100));
    const fetched = await fetch("https://example.org/").then(() => "fetched", () => undefined);
    return globalThis.stolen ?? fetched;
  });
  check("the policy would stop a script, a handler and a request", ran !== undefined && ran);
  await close();
}

async function withoutScript() {
  const { page, close } = await open("sick", { viewport: MODES[2][1], javaScriptEnabled: false });
  check("without JavaScript the picture of the RAM is there", !(await page.locator("svg.bar").first().isVisible()));
  check("without JavaScript the numbers of the lines are there", !(await page.locator("table.lines").first().isVisible()));
  check("without JavaScript there is no dead button", await page.locator("button.copy").first().isVisible());
  check("without JavaScript the command can be selected", !(await page.locator(".command code").first().isVisible()));
  await page.screenshot({ path: `${folder}/sick, without JavaScript.png`, fullPage: true });
  await close();
}

async function onPaper() {
  const { page, said, close } = await open("sick", { viewport: MODES[0][1], colorScheme: "dark" });
  const pdf = await page.pdf({ path: `${folder}/sick.pdf`, format: "A4", printBackground: true });
  check("it prints, from a dark screen too", (pdf.length < 20_000 || said.length) && [pdf.length, said]);
  await page.emulateMedia({ media: "print" });
  check("paper is white", await page.evaluate(() => getComputedStyle(document.body).backgroundColor) !== "rgb(255, 255, 255)");
  await close();
}

const VERDICTS = { sick: /^critical: .*4\.6 GiB/, hostile: /^critical: /, calm: /^healthy: / };
for (const file of readdirSync(folder).filter(f => f.endsWith(".html")).sort()) {
  const name = file.slice(0, -5);
  await once(name, VERDICTS[name] ?? /^(critical|warning|healthy|unknown): /);
  await inModes(name, ["calm", "sick", "live"].includes(name) ? MODES : [MODES[0], MODES[3]]);
}
await ofGpus();
await ofServers();
await copying();
await byKeyboard();
await pointing();
await hostileNames();
await withoutScript();
await onPaper();
await browser.close();
process.exit(failed ? 1 : 0);
