// How fast operators are now: what came to them since an earlier look, of which a few are remembered.

const WINDOW_SECONDS = 6;

export class Rates {
  #flow;
  #looks = [];

  /**
   * Rows a second of each operator by name; empty while no task runs, and until there were two looks.
   *
   * Times are the driver's, of when it heard of the rows: the page asks twice for the same numbers at
   * one time, and misses some at another.
   */
  of({ flow, operators, moments }) {
    if (flow.id !== this.#flow || !flow.running || !moments.length) this.#looks = [];
    this.#flow = flow.id;
    if (!flow.running || !moments.length) return new Map();
    const at = moments.at(-1)[0];
    if (!this.#looks.length || at > this.#looks.at(-1).at) {
      this.#looks.push({ at, rows: new Map(operators.map((one) => [one.name, one.rows_in])) });
    }
    while (this.#looks.length > 2 && this.#looks[1].at <= at - WINDOW_SECONDS) this.#looks.shift();
    const [first] = this.#looks;
    const last = this.#looks.at(-1);
    if (first === last) return new Map();
    return new Map([...last.rows].map(([name, rows]) =>
      [name, Math.max(0, rows - (first.rows.get(name) ?? 0)) / (last.at - first.at)]));
  }
}
