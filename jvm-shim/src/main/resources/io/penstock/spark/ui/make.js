// Makes elements. Every text of the application comes in as a text node: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, given = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...inside.flat().filter((one) => one !== "" && one != null));
  return made;
}

export function svg(tag, given = {}, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

export function section(title, note, ...inside) {
  return el("section", {}, el("h2", {}, title, note ? el("small", {}, "  " + note) : ""), ...inside);
}

/** @param columns [[title, cell, isNumber]], where a cell gives what to show of one item */
export function table(columns, items, rowClass = () => undefined) {
  const kind = (isNumber) => ({ class: isNumber ? "n" : undefined });
  const head = columns.map(([title, , isNumber]) => el("th", kind(isNumber), title));
  const rows = items.map((item) =>
    el("tr", { class: rowClass(item) }, columns.map(([, cell, isNumber]) => {
      const shown = cell(item);
      return shown instanceof HTMLTableCellElement ? shown : el("td", kind(isNumber), shown);
    })));
  return el("div", { class: "scroll" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
}

export function bar(share, kind = "") {
  const filled = el("i");
  filled.style.width = Math.min(100, Math.max(0, 100 * share)) + "%";
  return el("span", { class: "bar " + kind }, filled);
}

export function badge(text, kind = "") {
  return el("span", { class: "badge " + kind }, text);
}

export function tile(value, words, bad = false) {
  return el("div", { class: bad ? "tile bad" : "tile" }, el("b", {}, value), el("span", {}, words));
}

const STEPS = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

export function count(value) {
  for (const [step, letter] of STEPS) {
    if (Math.abs(value) >= step * 10 || (step > 1e3 && Math.abs(value) >= step)) {
      return (value / step).toFixed(Math.abs(value) >= 100 * step ? 0 : 1) + " " + letter;
    }
  }
  return Math.round(value).toLocaleString("en");
}

export function percent(share) {
  return share > 0 && share < 0.005 ? "< 1 %" : Math.round(100 * share) + " %";
}

export function time(seconds) {
  if (seconds >= 3600) return (seconds / 3600).toFixed(1) + " h";
  if (seconds >= 120) return (seconds / 60).toFixed(1) + " min";
  if (seconds >= 1) return seconds.toFixed(1) + " s";
  return seconds >= 1e-3 ? Math.round(1e3 * seconds) + " ms" : seconds > 0 ? "< 1 ms" : "0";
}

export function clock(seconds) {
  return new Date(1e3 * seconds).toTimeString().slice(0, 8);
}
