// One flow: its graph, what its operators did, its charts, its decisions and its partitions.

import { badge, bar, clock, count, el, percent, section, table, tile, time } from "./make.js";
import { channelCurves, chart } from "./charts.js";
import { graph } from "./graph.js";

const MOST_CHANGES = 40;
const MOST_STAYS = 6;
const MOST_PARTITIONS = 60;

/** @param rates rows a second of each operator now, by name */
export function showFlow(found, overview, rates) {
  const { flow } = found;
  return [
    el("h1", {}, el("a", { class: "crumb", href: "#" }, "Flows / "), flow.name),
    el("div", { class: "tiles" },
      overview.live ? tile(String(flow.running), "tasks now") : "",
      tile(count(flow.done), "tasks done"),
      tile(count(flow.failed), "tasks failed", flow.failed > 0),
      tile(count(flow.rows_in), "rows in"),
      tile(count(flow.rows_out), "rows out"),
      flow.running ? tile(count(flow.rows_per_second), "rows/s") : "",
      flow.running ? tile(String(flow.threads), "threads") : "",
      tile(percent(flow.busy_share), "threads busy"),
      tile(percent(flow.gil_share), "under GIL")),
    ...failures(found.partitions),
    section("Graph", "", graph(found)),
    section("Over time", "", charts(found, overview)),
    section("Decisions", decisionNote(found.decisions), decisions(found.decisions)),
    section("Operators", "over all tasks", operators(found, overview.live && flow.running > 0, rates)),
    ...skew(found),
    section("Tasks", partitionNote(found), partitions(found.partitions)),
  ];
}

function failures(partitions) {
  const last = partitions.find((pe) => pe.state === "failed" && pe.error);
  return last ? [el("p", { class: "warn" },
    `Partition ${last.partition} of stage ${last.stage} failed: ${last.error}`)] : [];
}

function operators({ operators: all }, isRunning, rates) {
  const most = Math.max(1e-9, ...all.map((one) => one.busy));
  const whole = Math.max(1e-9, all.reduce((sum, one) => sum + one.busy, 0));
  return table([
    ["Operator", (one) => el("td", { class: "name" }, el("b", {}, one.name))],
    ["Kind", (one) => [badge(one.kind || "?", one.kind), one.gil ? " " : "", one.gil ? badge("GIL", "gil") : ""]],
    ["Rows in", (one) => count(one.rows_in), true],
    ["Rows out", (one) => count(one.rows_out), true],
    ["Tuples", (one) => count(one.tuples), true],
    ...(isRunning ? [["Rows/s now", (one) => rates.has(one.name) ? count(rates.get(one.name)) : "\u2026", true]] : []),
    ["Rows/s of its time", (one) => one.busy >= 1e-3 ? count(one.rows_in / one.busy) : "", true],
    ["Time", (one) => [time(one.busy), bar(one.busy / most, one.gil ? "gil" : "")], true],
    ["Share", (one) => percent(one.busy / whole), true],
    ["Waiting before it", (one) => one.waiting_most
      ? `${one.waiting_mean.toFixed(1)} tuples, ${one.waiting_most} at most` : "", true],
  ], all);
}

function charts({ moments, decisions: all, partitions }, overview) {
  if (!moments.length) return el("p", { class: "empty" }, "Nothing was measured yet.");
  const range = rangeOf(moments, partitions);
  const threads = all.filter((one) => one.lever === "threads" || one.lever === "stops");
  const channels = all.filter((one) => one.lever === "channels");
  const curves = channelCurves(partitions, channels, overview.live ? range.to : Infinity);
  const rate = { kind: 0, points: moments.slice(1).map((moment) => [moment[0], moment[3]]), area: true };
  const level = { kind: 1, points: moments.map((moment) => [moment[0], moment[2]]), steps: true, area: true };
  return el("div", {},
    el("div", { class: "charts" },
      chart("Throughput, rows a second", range, [rate], all),
      chart("Threads that may be at work, over all tasks", range, [level], threads),
      curves.length ? chart("Channels by region, over all tasks", range, curves, channels) : ""),
    el("p", { class: "legend" }, "\u25b2 more  \u25bc fewer  \u25cf left as it was; point at one for its reason"));
}

function rangeOf(moments, partitions) {
  const from = moments[0][0];
  const begun = partitions.map((pe) => pe.started).filter((at) => at > from - 5 && at < from);
  return { from: Math.min(from, ...begun), to: Math.max(moments.at(-1)[0], from + 1) };
}

const stays = (one) => one.previous === one.chosen;

/** The newest: what changed something, and a few of those that changed nothing. */
function worthTelling(all) {
  const changes = all.filter((one) => !stays(one)).slice(0, MOST_CHANGES);
  return [...changes, ...all.filter(stays).slice(0, MOST_STAYS)].sort((one, other) => other.at - one.at);
}

function decisionNote(all) {
  const shown = worthTelling(all).length;
  if (!all.length) return "";
  const changes = all.filter((one) => !stays(one)).length;
  return `${changes} of ${all.length} changed something` + (shown < all.length ? `; the newest ${shown}` : "");
}

function decisions(all) {
  if (!all.length) return el("p", { class: "empty" }, "None: the flow is not elastic, or has only just begun.");
  const rate = (value) => value === null ? "?" : count(value);
  return table([
    ["When", (one) => clock(one.at)],
    ["Where", (one) => el("td", { class: "whole" }, `stage ${one.stage}, partition ${one.partition}`)],
    ["What", (one) => badge(one.lever, one.lever)],
    ["Change", (one) => stays(one) ? `stays ${one.chosen}` : `${one.previous} \u2192 ${one.chosen}`, true],
    ["Why", (one) => el("td", { class: "text" }, one.text || one.reason)],
    ["Rows/s before \u2192 after", (one) => `${rate(one.before)} \u2192 ${rate(one.after)}`, true],
  ], worthTelling(all), (one) => stays(one) ? "still" : undefined);
}

function skew({ stages, partitions: all }) {
  const stage = stages[0];
  if (!stage || stage.partitions < 2) return [];
  const newest = new Map();
  for (const pe of all.filter((one) => one.stage === stage.stage)) {
    const known = newest.get(pe.partition);
    if (!known || known.attempt < pe.attempt) newest.set(pe.partition, pe);
  }
  const shown = [...newest.values()].sort((one, other) => one.partition - other.partition);
  const hot = stage.hot?.partition;
  return [section("Skew", `stage ${stage.stage}, ${stage.partitions} partitions`,
    el("p", { class: stage.hot ? "warn" : "quiet" }, sentence(stage)),
    el("div", { class: "pair" },
      bars("Rows by partition", "", shown, (pe) => pe.rows_in, count, hot),
      bars("Time by partition", "time", shown, (pe) => pe.busy, time, hot)))];
}

function sentence({ hot, rows, busy }) {
  if (!hot) return "Even: no partition has twice as much to do as the one in the middle.";
  const middle = hot.of === "rows" ? `${count(rows)} rows` : time(busy);
  const times = hot.times ? `${hot.times.toFixed(1)} times the ${hot.of}` : `all the ${hot.of}`;
  return `Partition ${hot.partition} is hot: it has ${times} of the partition in the middle (${middle}).`;
}

function bars(title, kind, shown, of, words, hot) {
  const most = Math.max(1e-9, ...shown.map(of));
  return el("div", {}, el("h3", {}, title), el("div", { class: "skew " + kind }, shown.map((pe) => {
    const made = el("i", {
      class: pe.partition === hot ? "hot" : undefined,
      title: `partition ${pe.partition}: ${words(of(pe))}`,
    });
    made.style.height = (100 * of(pe)) / most + "%";
    return made;
  })), el("small", { class: "quiet" }, `most: ${words(most)}`));
}

function partitionNote({ partitions: all, partitions_left_out: left }) {
  const more = all.length + left - MOST_PARTITIONS;
  return more > 0 ? `the ${MOST_PARTITIONS} with the most to do, ${more} are not shown` : "most to do first";
}

function partitions(all) {
  const most = Math.max(1e-9, ...all.map((pe) => pe.busy));
  return table([
    ["Stage", (pe) => String(pe.stage), true],
    ["Partition", (pe) => String(pe.partition), true],
    ["Attempt", (pe) => String(pe.attempt), true],
    ["Executor", (pe) => el("td", { class: "name" }, pe.executor)],
    ["State", (pe) => badge(pe.state, pe.state)],
    ["Rows in", (pe) => count(pe.rows_in), true],
    ["Rows out", (pe) => count(pe.rows_out), true],
    ["Threads", (pe) => String(pe.threads), true],
    ["Took", (pe) => time(pe.seconds), true],
    ["Busy, over all threads", (pe) => [time(pe.busy), bar(pe.busy / most)], true],
    ["Error", (pe) => el("td", { class: "name" }, pe.error)],
  ], all.slice(0, MOST_PARTITIONS));
}
