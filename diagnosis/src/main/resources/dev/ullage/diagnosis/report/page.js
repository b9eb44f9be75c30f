// SPDX-License-Identifier: Apache-2.0
// The copy buttons, and the lines: uPlot draws what stands in #courses. Everything else on the page works without this.
(() => {
  "use strict";

  // --- copy -----------------------------------------------------------------------------------------------------
  for (const button of document.querySelectorAll("button.copy")) {
    const command = button.parentNode.querySelector("code");
    button.hidden = false;
    button.setAttribute("aria-label", "copy the command");
    button.addEventListener("click", async () => {
      const copied = await copy(command.textContent);
      button.textContent = copied ? "copied" : "select it";
      if (!copied) getSelection().selectAllChildren(command);
      setTimeout(() => { button.textContent = "copy"; }, 1600);
    });
  }

  // Some browsers give a page that was opened from a file no clipboard; the old way works there.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "unseen";
      document.body.append(area);
      area.select();
      let copied = false;
      try { copied = document.execCommand("copy"); } catch { copied = false; }
      area.remove();
      return copied;
    }
  }

  // --- numbers as the report writes them ------------------------------------------------------------------------
  const KIB = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  function bytes(value, decimals) {
    let unit = -1, scaled = Math.abs(value);
    if (scaled < 1024) return Math.round(value) + " B";
    while (scaled >= 1023.95 && unit < KIB.length - 1) { scaled /= 1024; unit++; }
    return (value < 0 ? "-" : "") + scaled.toFixed(decimals) + " " + KIB[Math.max(unit, 0)];
  }
  function shown(value, unit, axis) {
    if (value == null) return "–";
    switch (unit) {
      case "bytes": return bytes(value, axis ? 0 : 1);
      case "bytes/s": return bytes(value, axis ? 0 : 1) + "/s";
      case "ratio": {
        const percent = value * 100;
        return percent.toFixed(percent !== 0 && Math.abs(percent) < 1 ? 1 : 0) + " %";
      }
      case "s": {
        if (axis) return value >= 1 || value === 0 ? +value.toFixed(1) + " s" : +(value * 1e3).toFixed(2) + " ms";
        return value >= 1 ? value.toFixed(1) + " s" : value >= 0.01 ? (value * 1e3).toFixed(0) + " ms" : (value * 1e3).toFixed(1) + " ms";
      }
    }
    return String(value);
  }
  function since(seconds, longest) {
    if (longest < 180) return +seconds.toFixed(1) + " s";
    const s = Math.round(seconds), minutes = Math.floor(s / 60);
    return s % 60 === 0 ? minutes + " min" : minutes + ":" + String(s % 60).padStart(2, "0");
  }

  // --- lines ----------------------------------------------------------------------------------------------------
  const courses = JSON.parse(document.getElementById("courses").textContent);
  const plots = [];
  const HEIGHT = 190;

  // Powers of two between the lines of a grid of bytes, round numbers otherwise.
  const BINARY = Array.from({ length: 60 }, (_, i) => 2 ** i);
  const ROUND = [];
  for (let e = -6; e < 7; e++) for (const m of [1, 2, 5]) ROUND.push(+(m + "e" + e));
  const TIMES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function top(course, most) {
    // A share has two scales, so that diagrams can be compared and 2 % can still be seen.
    if (course.unit === "ratio") return most <= 0.1 ? 0.1 : 1;
    return most > 0 ? most * 1.08 : 1;
  }

  // More steps than these are a thicket: neighbours are drawn as one, at their mean. The table's extremes are exact.
  const MOST_STEPS = 120;

  function merged(course) {
    const intervals = course.x.length - 1;
    const n = Math.ceil(intervals / MOST_STEPS);
    if (!course.steps || n < 2) return course;
    const ends = [];
    for (let end = n; end < intervals + n; end += n) ends.push(Math.min(end, intervals));
    const mean = (y, end, i) => {
      let sum = 0, time = 0;
      for (let k = (ends[i - 1] ?? 0) + 1; k <= end; k++) {
        const length = course.x[k] - course.x[k - 1];
        if (y[k] != null) { sum += y[k] * length; time += length; }
      }
      return time > 0 ? sum / time : null;
    };
    const lines = course.lines.map(line => {
      const y = ends.map((end, i) => mean(line.y, end, i));
      return { ...line, y: [y[0], ...y] };
    });
    return { ...course, lines, x: [course.x[0], ...ends.map(end => course.x[end])], note: course.x[n] - course.x[0] };
  }

  function draw(whole, index) {
    const course = merged(whole);
    const place = document.getElementById("plot" + index);
    const figure = place.closest("figure");
    const note = figure.querySelector(".mean");
    if (course.note) note.textContent = "; each step is the mean of " + since(course.note, course.note);
    const cells = [...figure.querySelectorAll("td.value")];
    const moment = figure.querySelector("th.moment");
    const rest = cells.map(cell => cell.textContent);
    const longest = course.x[course.x.length - 1] - course.x[0];
    const axis = {
      stroke: colour("--soft"), font: "12px system-ui, sans-serif",
      grid: { stroke: colour("--rule"), width: 1 }, ticks: { show: false },
    };
    const few = course.x.length <= 40;
    const plot = new uPlot({
      width: place.clientWidth, height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: course.steps ? { show: false } : {} },
      padding: [8, 22, 0, 0],
      scales: { x: { time: false }, y: { range: (_, least, most) => [0, top(course, most ?? 0)] } },
      axes: [
        { ...axis, incrs: TIMES.filter(t => longest < 2 || t >= 1), size: 30, gap: 8, space: 56, grid: { show: false }, values: (_, at) => at.map(s => since(s, longest)) },
        { ...axis, incrs: course.unit.startsWith("bytes") ? BINARY : ROUND, space: 34,
          size: (u, values) => 14 + Math.max(24, ...(values ?? []).map(v => (v ?? "").length * 6.6)),
          values: (_, at) => at.map(v => shown(v, course.unit, true)) },
      ],
      series: [{}, ...course.lines.map(line => ({
        label: line.name, stroke: colour("--s" + line.colour % 6), width: 1.75, dash: line.dashed ? [5, 4] : undefined,
        // A rate holds for the whole interval that ends at its instant.
        paths: course.steps ? uPlot.paths.stepped({ align: -1 }) : undefined,
        points: { show: few && !course.steps, size: 5, fill: colour("--page") },
        spanGaps: false,
      }))],
      hooks: {
        setCursor: [u => {
          const at = u.cursor.idx;
          moment.textContent = at == null ? "at the end" : "at " + since(course.x[at], longest);
          cells.forEach((cell, i) => {
            cell.textContent = at == null ? rest[i] : shown(course.lines[i].y[at], course.unit, false);
          });
        }],
      },
    }, [course.x, ...course.lines.map(line => line.y)], place);
    plots.push({ plot, place });
  }

  function drawAll() {
    for (const { plot } of plots.splice(0)) plot.destroy();
    courses.forEach(draw);
  }

  drawAll();
  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      for (const { plot, place } of plots) plot.setSize({ width: place.clientWidth, height: HEIGHT });
    });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  // Paper is white: the lines are drawn again in the colours of the light page.
  addEventListener("beforeprint", () => { document.documentElement.dataset.print = ""; drawAll(); });
  addEventListener("afterprint", () => { delete document.documentElement.dataset.print; drawAll(); });
})();
