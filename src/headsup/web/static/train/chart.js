// The chart of the 169 pocket hands: raised hands are filled, checked ones are empty. Pointing at, focusing
// or tapping a cell shows its exact values.

/** @import { Context } from "../lib/training.js" */
/** @import { ChartCellView } from "../lib/wire.d.ts" */

import { el, fill, find } from "../lib/dom.js";
import * as training from "../lib/training.js";
import { bars, exactTable, formatPercent, formatValue } from "../lib/values.js";

const CLOSE_MARGIN = 0.15; // Antes, below which a cell is pale

const state = {
  pending: new AbortController(),
  game: "",
  /** @type {ChartCellView[][]} */
  rows: [],
};

/** @param {Context} context */
export async function drawChart({ game, attempt }) {
  state.pending.abort();
  state.pending = new AbortController();
  const { signal } = state.pending;
  if (state.game !== game) showWaiting("");
  const chart = await attempt(() =>
    training.pollUntilReady(
      () => training.chart(game),
      () => showWaiting("Solving the game for these rules. The first time, this can take up to a minute…"),
      signal,
    )
  );
  if (signal.aborted || chart === null) return;
  Object.assign(state, { game, rows: chart.rows });
  fill("chart-grid", [game, chart.rules], grid);
  fill("chart-legend", "legend", legend);
  drawDetail(0, 0);
}

/** @param {string} message */
function showWaiting(message) {
  Object.assign(state, { game: "", rows: [] });
  fill("chart-grid", ["waiting", message], () => el("p", { role: "status" }, message));
  fill("chart-cell", "", () => "");
}

function legend() {
  /** @param {string} kind @param {string} text */
  const entry = (kind, text) => [el("span", { class: `key ${kind}`, "aria-hidden": "true" }), el("span", {}, text)];
  return [
    entry("raise clear", "raise"),
    entry("raise close", "raise, close"),
    entry("check close", "check, close"),
    entry("check clear", "check"),
    el("span", { class: "soft" }, "Suited above the diagonal, offsuit below. Move with the arrow keys."),
  ];
}

/** The grid is one tab stop; arrow keys move between cells. */
function grid() {
  return el(
    "div",
    { role: "grid", "aria-labelledby": "chart-title", class: "grid", onkeydown: move },
    state.rows.map((cells, y) =>
      el("div", { role: "row", class: "grid-row" }, cells.map((cell, x) => gridCell(cell, x, y)))
    ),
  );
}

/** @param {ChartCellView} cell @param {number} x @param {number} y */
function gridCell(cell, x, y) {
  const best = cell.options[cell.best];
  const close = Number(cell.margin.decimal) < CLOSE_MARGIN ? "close" : "clear";
  const showDetail = () => drawDetail(x, y);
  return el(
    "div",
    {
      role: "gridcell",
      tabindex: x === 0 && y === 0 ? 0 : -1,
      class: `cell ${best.action} ${close}`,
      "data-place": `${x} ${y}`,
      "aria-label": `${cell.name}: ${best.name}, ${formatValue(best.ev.decimal)} Antes`,
      onfocus: showDetail,
      onclick: (event) => event.currentTarget.focus(),
      onmouseenter: showDetail,
    },
    el("span", { class: "hand" }, cell.name),
    el("span", { class: "worth" }, formatValue(best.ev.decimal, 2)),
  );
}

/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {KeyboardEvent & {target: HTMLElement}} event */
function move(event) {
  const [x, y] = (event.target.dataset.place ?? "0 0").split(" ").map(Number);
  const to = event.key === "Home" ? [-x, 0] : event.key === "End" ? [12 - x, 0] : STEPS[event.key];
  if (!to) return;
  event.preventDefault();
  const next =
    /** @type {HTMLElement | null} */ (find("chart-grid").querySelector(`[data-place="${x + to[0]} ${y + to[1]}"]`));
  if (next === null) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** @param {number} x @param {number} y */
function drawDetail(x, y) {
  const cell = state.rows[y][x];
  fill("chart-cell", [state.game, cell.name], () => [
    el("h2", {}, cell.name, el("small", {}, ` ${cell.hands} of 1,326 hands`)),
    bars({ ...cell, chosen: null }),
    el(
      "p",
      { class: "soft" },
      `${cell.options[cell.best].name} is better by ${Number(cell.margin.decimal).toFixed(4)} Antes.`,
    ),
    cell.win === null ? "" : el("p", { class: "soft" }, `It wins ${formatPercent(cell.win.decimal)} of showdowns.`),
    exactTable(cell),
  ]);
}
