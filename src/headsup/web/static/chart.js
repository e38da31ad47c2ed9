// The 169 pocket hands: a filled cell is raised, an empty one is checked; the cell that is pointed
// at, focused or tapped shows its exact values.

import { el, fill, find } from "./dom.js";
import * as training from "./training.js";
import { bars, exactTable, percent, signedValue } from "./values.js";

const CLOSE = 0.15; // of an Ante: the cell is pale

let asking = new AbortController();
let shown = null;

export async function drawChart({ game, trying }) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  if (shown?.game !== game) waiting("");
  const chart = await trying(() =>
    training.untilReady(
      () => training.chart(game),
      () => waiting("Solving the game for these rules: a moment, the first time up to a minute …"),
      signal,
    ),
  );
  if (signal.aborted || chart === null) return;
  shown = { ...chart, game };
  fill("chart-grid", [game, chart.rules], grid);
  fill("chart-legend", "legend", legend);
  detail(0, 0);
}

function waiting(words) {
  shown = null;
  fill("chart-grid", ["waiting", words], () => el("p", { role: "status" }, words));
  fill("chart-cell", "", () => "");
}

function legend() {
  const one = (kind, words) => [el("span", { class: `key ${kind}`, "aria-hidden": "true" }), el("span", {}, words)];
  return [
    one("raise clear", "raise"),
    one("raise close", "raise, close"),
    one("check close", "check, close"),
    one("check clear", "check"),
    el("span", { class: "soft" }, "Suited above the diagonal, unsuited below; arrow keys move."),
  ];
}

/** One stop for the tab key; arrows move from cell to cell. */
function grid() {
  return el(
    "div",
    { role: "grid", "aria-labelledby": "chart-title", class: "grid", onkeydown: move },
    shown.rows.map((cells, y) => el("div", { role: "row", class: "grid-row" }, cells.map((cell, x) => gridCell(cell, x, y)))),
  );
}

function gridCell(cell, x, y) {
  const best = cell.options[cell.best];
  const close = Number(cell.margin.decimal) < CLOSE ? "close" : "clear";
  const look = () => detail(x, y);
  return el(
    "div",
    {
      role: "gridcell",
      tabindex: x === 0 && y === 0 ? 0 : -1,
      class: `cell ${best.action} ${close}`,
      "data-place": `${x} ${y}`,
      "aria-label": `${cell.name}: ${best.name}, ${signedValue(best.ev.decimal)} Antes`,
      onfocus: look,
      onclick: (event) => event.currentTarget.focus(),
      onmouseenter: look,
    },
    el("span", { class: "hand" }, cell.name),
    el("span", { class: "worth" }, signedValue(best.ev.decimal, 2)),
  );
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function move(event) {
  const [x, y] = event.target.dataset.place.split(" ").map(Number);
  const to = event.key === "Home" ? [-x, 0] : event.key === "End" ? [12 - x, 0] : STEPS[event.key];
  if (!to) return;
  event.preventDefault();
  const next = /** @type {HTMLElement | null} */ (find("chart-grid").querySelector(`[data-place="${x + to[0]} ${y + to[1]}"]`));
  if (next === null) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function detail(x, y) {
  const cell = shown.rows[y][x];
  fill("chart-cell", [shown.game, cell.name], () => [
    el("h2", {}, cell.name, el("small", {}, ` ${cell.hands} of 1,326 hands`)),
    bars({ ...cell, chosen: null }),
    el("p", { class: "soft" }, `${cell.options[cell.best].name} is better by ${Number(cell.margin.decimal).toFixed(4)} Antes.`),
    cell.win === null ? "" : el("p", { class: "soft" }, `It wins ${percent(cell.win.decimal)} of showdowns.`),
    exactTable(cell),
  ]);
}
