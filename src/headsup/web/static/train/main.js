// The training page: log-in, choice of rules, and its four parts.

/** @import { Context } from "../lib/training.js" */
/** @import { GamesResponse, GameView } from "../lib/wire.d.ts" */

import { el, fill, find, setShown } from "../lib/dom.js";
import { attempt, logInForm, readAddress, startPage, whoAmIOrGuest } from "../lib/session.js";
import { remember, setting } from "../lib/settings.js";
import * as training from "../lib/training.js";
import { drawChart } from "./chart.js";
import { drillKey, startDrill } from "./drill.js";
import { drawExplorer } from "./explorer.js";
import { drawProgress } from "./progress.js";

const PARTS = { drill: "Drill", chart: "Chart", explore: "Explorer", progress: "Progress" };
/** @type {Record<string, (context: Context) => unknown>} */
const DRAW = { drill: startDrill, chart: drawChart, explore: drawExplorer, progress: drawProgress };

/** @type {{known: Pick<GamesResponse, "games" | "kinds">}} */
const state = { known: { games: [], kinds: [] } };

/** @returns {Context} */
function context() {
  return { game: find("game", HTMLSelectElement).value, kinds: state.known.kinds, attempt: tryHere };
}

/** @template T @param {() => Promise<T>} act */
function tryHere(act) {
  return attempt(act, showRefusal);
}

/** @param {string} sentence */
function showRefusal(sentence) {
  find("refused").replaceChildren(...(sentence ? [el("p", { class: "alarm" }, sentence)] : []));
}

function part() {
  const named = readAddress().parts[0];
  return named in PARTS ? named : "drill";
}

/** Show the part that the address names. */
function followAddress({ focus = true } = {}) {
  const shown = part();
  for (const name of Object.keys(PARTS)) setShown(name, name === shown);
  fill(
    "tabs",
    shown,
    () =>
      Object.entries(PARTS).map(([name, text]) =>
        el(
          "a",
          { class: "button quiet", href: `#${name}`, name, "aria-current": name === shown ? "page" : undefined },
          text,
        )
      ),
  );
  if (focus) find(`${shown}-title`).focus();
  DRAW[shown](context());
}

async function enter() {
  const person = await whoAmIOrGuest();
  setShown("entry", person === null);
  setShown("training", person !== null);
  if (person === null) {
    fill("entry", "form", () => logInForm("Log in to train", enter));
    return;
  }
  showRefusal("");
  find("who").textContent = person.name;
  state.known = await training.games();
  fillGames();
  followAddress({ focus: false });
}

/** Fill the choice of rules: rule books and tables. Selects the one in the address, else the last one used. */
function fillGames() {
  const wanted = new URLSearchParams(location.search).get("game") ?? setting("train-game");
  const { games } = state.known;
  /** @param {string} label @param {GameView[]} games */
  const group = (label, games) =>
    games.length === 0 ? "" : el(
      "optgroup",
      { label },
      games.map((one) => el("option", { value: one.id, selected: one.id === wanted }, one.table ? one.id : one.title)),
    );
  find("game").replaceChildren(
    group("Rule books", games.filter((one) => !one.table)),
    group("Tables here", games.filter((one) => one.table)),
  );
}

find("game").addEventListener("change", () => {
  remember("train-game", find("game", HTMLSelectElement).value);
  followAddress({ focus: false });
});
window.addEventListener("hashchange", () => followAddress());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || part() !== "drill") return;
  if (/** @type {HTMLElement} */ (event.target).matches("input, select, textarea")) return;
  if (drillKey(event.key)) event.preventDefault();
});

await startPage(enter, showRefusal);
