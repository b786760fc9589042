// The graph: operators in the order of the flow, with what passes between them.

import { badge, bar, count, el, percent, svg } from "./make.js";

const MOST_NODES = 120;
const MOST_DEPTH = 8;
const SLOTS = 6;

export function graph({ flow, operators, partitions, inside }) {
  const shown = operators.slice(0, MOST_NODES);
  const whole = Math.max(1e-9, operators.reduce((sum, one) => sum + one.busy, 0));
  const channels = channelsOf(partitions);
  const parts = [end("input", flow.rows_in)];
  for (const one of shown) parts.push(edge(one), node(one, one.busy / whole, channels.get(one.name), within(one.name, inside)));
  if (shown.length < operators.length) {
    parts.push(edge(), end(`${operators.length - shown.length} more, listed below`));
  } else {
    parts.push(edge(), end("output", flow.rows_out));
  }
  return el("div", { class: "graph" }, parts);
}

/** The most channels that a task uses now, or used last, by region. */
function channelsOf(partitions) {
  const running = partitions.filter((pe) => pe.state === "running");
  const found = new Map();
  for (const pe of running.length ? running : partitions) {
    for (const [region, channels] of Object.entries(pe.channels)) {
      found.set(region, Math.max(channels, found.get(region) ?? 0));
    }
  }
  return found;
}

function node(one, share, channels, inner) {
  const kinds = ["node", one.kind, one.gil ? "gil" : ""].join(" ");
  return el("div", { class: kinds },
    el("b", {}, one.name),
    el("small", {}, badge(one.kind || "?", one.kind), one.gil ? " " : "", one.gil ? badge("GIL", "gil") : "",
      channels > 1 ? " " : "", channels > 1 ? badge(`\u00d7 ${channels} channels`, "channels") : ""),
    bar(share, one.gil ? "gil" : ""),
    inner,
    el("small", {}, `${percent(share)} of the work`),
    el("small", {}, `${count(one.rows_in)} \u2192 ${count(one.rows_out)}`));
}

/** The operators within one, such as a region, and those within them. */
function within(name, inside, depth = 0) {
  const inner = Object.hasOwn(inside, name) && depth < MOST_DEPTH ? inside[name] : [];
  if (!inner.length) return "";
  return el("div", { class: "inner" }, inner.slice(0, MOST_NODES).map((one) =>
    el("div", {}, one, within(one, inside, depth + 1))));
}

function end(name, rows) {
  return el("div", { class: "node end" }, el("b", {}, name), rows === undefined ? "" : el("small", {}, `${count(rows)} rows`));
}

/** An arrow; before it, how full the queue of the operator behind it is: most of its slots amber is pressure. */
function edge(to) {
  const arrow = svg("svg", { width: 28, height: 12, viewBox: "0 0 28 12", "aria-hidden": "true" },
    svg("path", { d: "M1 6h24M20 2l5 4-5 4", fill: "none", stroke: "currentColor", "stroke-width": 1.5 }));
  if (!to?.waiting_most) return el("div", { class: "edge" }, arrow);
  const full = Math.round(SLOTS * Math.min(1, Math.log2(1 + to.waiting_mean) / 6));
  const slots = Array.from({ length: SLOTS }, (_, slot) =>
    el("i", { class: SLOTS - slot <= full ? "full" : undefined }));
  return el("div", { class: "edge", title: `${to.waiting_mean.toFixed(1)} tuples wait on average, ${to.waiting_most} at most` },
    el("div", { class: "queue" }, slots), arrow, to.waiting_mean.toFixed(1));
}
