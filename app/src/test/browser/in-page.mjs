// SPDX-License-Identifier: Apache-2.0
// Questions that are asked inside of the page; each returns a list of what is wrong. They stand alone: the browser gets
// their text only.

/** WCAG 2.2 AA: 4.5 for text, 3 for large text and for what a picture consists of. */
export function contrasts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => [r, g, b]
    .map(c => c / 255)
    .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [light, dark] = [luminance(rgb(a)), luminance(rgb(b))].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (rgb(colour)[3] === 255) return colour;
    }
    return "#ffffff";
  };
  const wrong = new Set();
  const say = (what, value) => wrong.add(`${what}: ${value.toFixed(2)}`);
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility() || element.closest("script, .unseen")) continue;
    const style = getComputedStyle(element);
    const page = getComputedStyle(document.body).backgroundColor;
    if (element.matches("svg rect[class^=k-]:not(.k-free, .k-huge-pages-unused)")) {
      const value = contrast(style.fill, page);
      if (value < 3) say(element.getAttribute("class"), value);
    } else if (element.matches("svg line")) {
      const value = contrast(style.stroke, page);
      if (value < 3) say(element.getAttribute("class"), value);
    } else if ([...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) {
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const value = contrast(element.matches("svg text") ? style.fill : style.color, behind(element));
      if (value < (large ? 3 : 4.5)) say(`${element.tagName} ${element.className} "${element.textContent.slice(0, 20)}"`, value);
    }
  }
  return [...wrong];
}

/** Each canvas holds at least one line of its legend's colour. */
export function drawnPixels() {
  const wrong = [];
  const plots = [...document.querySelectorAll(".plot")];
  for (const plot of plots) {
    const canvas = plot.querySelector("canvas");
    if (!canvas) {
      wrong.push(plot.id + " has no canvas");
      continue;
    }
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let coloured = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if (pixels[i + 3] > 200 && Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) - Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) > 60)
        coloured++;
    // A line from end to end has at least a pixel in most columns.
    if (coloured < canvas.width / 2) wrong.push(`${plot.id} has ${coloured} coloured pixels`);
  }
  return wrong;
}

export function headings() {
  const all = [...document.querySelectorAll("h1, h2, h3, h4")].map(heading => Number(heading.tagName[1]));
  const wrong = [];
  if (all[0] !== 1 || all.filter(level => level === 1).length !== 1) wrong.push("not one h1 first");
  all.forEach((level, i) => { if (i > 0 && level > all[i - 1] + 1) wrong.push(`h${level} after h${all[i - 1]}`); });
  return wrong;
}
