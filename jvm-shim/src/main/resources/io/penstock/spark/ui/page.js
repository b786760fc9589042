// Asks for the numbers, again and again while the application runs, and shows them.

import { badge, bar, count, el, percent, section, table, tile, time } from "./make.js";
import { showFlow } from "./flow.js";
import { Rates } from "./rates.js";

const PERIOD_MS = 2000;
const content = document.getElementById("content");
const pulse = document.getElementById("pulse");
const rates = new Rates();
let timer;
let asked = 0;

async function ask(query = "") {
  const answer = await fetch("json" + query, { cache: "no-store" });
  if (answer.status === 404 && query) return null;
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.json();
}

async function refresh() {
  clearTimeout(timer);
  const turn = ++asked;
  const id = location.hash.slice(1);
  let live = true;
  try {
    const [overview, flow] = await Promise.all([
      ask(), id ? ask("?flow=" + encodeURIComponent(id)) : null]);
    if (turn !== asked) return; // another page was asked for meanwhile
    live = overview.live;
    showHead(overview);
    const parts = id ? (flow ? showFlow(flow, overview, rates.of(flow)) : [unknownFlow()]) : showOverview(overview);
    content.replaceChildren(...parts);
    pulse.textContent = live ? "live" : "from the event log";
    pulse.className = live ? "live" : "";
  } catch (problem) {
    pulse.textContent = `no answer from the driver (${problem.message}); the numbers are old`;
    pulse.className = "lost";
  }
  if (live && turn === asked) timer = setTimeout(refresh, PERIOD_MS);
}

function showHead(overview) {
  document.getElementById("application").textContent = overview.application;
  document.title = `Penstock \u2013 ${overview.application}`;
  document.getElementById("tabs").replaceChildren(...overview.tabs.map((tab) =>
    el("a", {
      href: tab.path === "penstock" ? "#" : "../" + encodeURIComponent(tab.path) + "/",
      class: tab.path === "penstock" ? "here" : undefined,
    }, tab.name)));
}

function unknownFlow() {
  return section("No such flow", "", el("p", {}, "It is not known here. ", el("a", { href: "#" }, "All flows")));
}

/** What threads of an executor are held against: what flows share, or Spark's cores where they share nothing. */
const most = (one) => one.budget || one.cores;

function showOverview({ flows, executors, live, more_flows: more }) {
  const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
  const failed = sum(flows, (flow) => flow.failed);
  const budget = sum(executors, most);
  const tiles = el("div", { class: "tiles" },
    tile(String(flows.length), flows.length === 1 ? "flow" : "flows"),
    live ? tile(String(sum(flows, (flow) => flow.running)), "tasks now") : "",
    tile(count(sum(flows, (flow) => flow.done)), "tasks done"),
    tile(count(failed), "tasks failed", failed > 0),
    tile(count(sum(flows, (flow) => flow.rows_in)), "rows in"),
    live ? tile(count(sum(flows, (flow) => flow.rows_per_second)), "rows/s") : "",
    live ? tile(`${sum(executors, (one) => one.threads)} / ${budget || "?"}`, "threads / budget") : "");
  const parts = [tiles, section("Flows", more ? `the first ${flows.length}; those that came later are not shown` : "", flows.length ? flowTable(flows) : el("p", { class: "empty" },
    "No flow has told anything yet. One appears here about a second after its first task begins."))];
  return live ? [...parts, section("Executors", "threads that may be at work, of those that flows share",
    executorTable(executors))] : parts;
}

function flowTable(flows) {
  return table([
    ["Flow", (flow) => el("td", { class: "name" }, el("a", { href: "#" + flow.id }, flow.name))],
    ["Operators", (flow) => String(flow.operators), true],
    ["Running", (flow) => flow.running ? badge(String(flow.running), "running") : "0", true],
    ["Done", (flow) => count(flow.done), true],
    ["Failed", (flow) => flow.failed ? badge(count(flow.failed), "failed") : "0", true],
    ["Rows in", (flow) => count(flow.rows_in), true],
    ["Rows out", (flow) => count(flow.rows_out), true],
    ["Rows/s", (flow) => flow.running ? count(flow.rows_per_second) : "", true],
    ["Threads", (flow) => flow.running ? String(flow.threads) : "", true],
    ["Busy", (flow) => [percent(flow.busy_share), bar(flow.busy_share)], true],
    ["Under the GIL", (flow) => [percent(flow.gil_share), bar(flow.gil_share, "gil")], true],
  ], flows);
}

function executorTable(executors) {
  if (!executors.length) return el("p", { class: "empty" }, "No executor is there.");
  return table([
    ["Executor", (one) => el("td", { class: "name" }, one.name)],
    ["Host", (one) => el("td", { class: "name" }, one.host)],
    ["Threads / budget", (one) => [`${one.threads} / ${one.budget || (one.cores ? `${one.cores} cores of Spark's` : "?")}`,
      bar(most(one) ? one.threads / most(one) : 0, most(one) && one.threads > most(one) ? "over" : "threads")], true],
    ["PEs", (one) => String(one.running), true],
    ["Running now", (one) => el("td", { class: "text" }, one.pes.map(peLine),
      one.running > one.pes.length ? `and ${one.running - one.pes.length} more` : "")],
  ], executors);
}

function peLine(pe) {
  const threads = pe.threads === 1 ? "1 thread" : `${pe.threads} threads`;
  return el("div", {}, `${pe.flow}, partition ${pe.partition} of stage ${pe.stage}: ${threads}, ` +
    `${count(pe.rows_in)} rows in ${time(pe.seconds)}, process ${pe.pid}`);
}

addEventListener("hashchange", refresh);
refresh();
