// Curves over time, drawn as SVG, with a mark for each decision.

import { clock, count, el, svg } from "./make.js";

const WIDTH = 1160;
const HEIGHT = 118;
const LEFT = 52;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 22;

/** @param curves [{name, kind, points: [[seconds, value]], steps, area}] */
export function chart(title, range, curves, decisions) {
  const values = curves.flatMap((curve) => curve.points.map((point) => point[1]));
  const top = ceiling(Math.max(0, ...values));
  const x = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * (at - range.from)) / (range.to - range.from);
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / top;
  const drawn = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
  for (const part of [0, 0.5, 1]) {
    drawn.append(
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(top * part), y2: y(top * part) }),
      svg("text", { x: LEFT - 8, y: y(top * part) + 4, "text-anchor": "end" }, label(top * part)));
  }
  for (const at of ticks(range)) {
    drawn.append(svg("text", { x: x(at), y: HEIGHT - 6, "text-anchor": "middle" }, clock(at)));
  }
  for (const curve of curves) drawn.append(...lines(curve, x, y));
  for (const one of decisions) {
    if (one.at >= range.from && one.at <= range.to) drawn.append(mark(one, x(one.at)));
  }
  const keys = curves.filter((curve) => curve.name).map((curve) =>
    el("span", {}, el("b", { class: "key" + curve.kind }, "\u2014 "), curve.name));
  return el("div", { class: "chart" }, el("h3", {}, title, keys), drawn);
}

function lines({ points, kind, steps, area }, x, y) {
  if (!points.length) return [];
  const path = points.map(([at, value], place) => {
    if (!place) return `M${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    return steps ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}` : `L${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  }).join("");
  const ground = `V${y(0)}H${x(points[0][0]).toFixed(1)}Z`;
  const made = [svg("path", { class: `curve c${kind}`, d: path })];
  if (area) made.unshift(svg("path", { class: `area c${kind}`, d: path + ground }));
  return made;
}

function mark(one, x) {
  const up = one.chosen > one.previous;
  const kind = one.chosen === one.previous ? "stay" : up ? "up" : "down";
  const base = HEIGHT - BOTTOM;
  const shape = kind === "stay" ? `M${x - 3} ${base - 3}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`
    : up ? `M${x - 4.5} ${base}h9l-4.5 -8z` : `M${x - 4.5} ${base - 8}h9l-4.5 8z`;
  return svg("g", { class: "mark " + kind },
    svg("title", {}, `${clock(one.at)}, partition ${one.partition}: ${one.text || one.reason}`),
    svg("line", { x1: x, x2: x, y1: TOP, y2: base }),
    svg("path", { d: shape }));
}

/** Channels over time by region: the sum over all tasks, each from its start to its end. */
export function channelCurves(partitions, decisions, until) {
  const regions = new Map();
  for (const pe of partitions) {
    for (const [region, last] of Object.entries(pe.channels)) {
      if (!regions.has(region)) regions.set(region, []);
      const own = decisions.filter((one) => isOf(one, pe, region)).sort((a, b) => a.at - b.at);
      const changes = regions.get(region);
      changes.push([pe.started, own.length ? own[0].previous : last]);
      for (const one of own) changes.push([one.at, one.chosen - one.previous]);
      if (pe.state !== "running") changes.push([pe.started + pe.seconds, -last]);
    }
  }
  return [...regions].slice(0, 4).map(([name, changes], place) => {
    let level = 0;
    const points = changes.sort((a, b) => a[0] - b[0]).map(([at, change]) => [at, (level += change)]);
    if (level > 0 && until < Infinity) points.push([Math.max(until, points.at(-1)[0]), level]);
    return { name, kind: 2 + place, points, steps: true };
  });
}

function isOf(one, pe, region) {
  // Either controller of channels begins with the name.
  return one.stage === pe.stage && one.partition === pe.partition && one.attempt === pe.attempt &&
    ["region", "operator"].some((word) => one.text.startsWith(`${word} '${region}': `));
}

function ceiling(value) {
  if (value <= 4) return value <= 2 ? 2 : 4;
  const step = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((times) => times * step).find((one) => one >= value);
}

function label(value) {
  return Number.isInteger(value) || value >= 10 ? count(value) : value.toFixed(1);
}

function ticks({ from, to }) {
  const length = to - from;
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].find((one) => length / one <= 10) ?? length / 8;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at);
  return found;
}
