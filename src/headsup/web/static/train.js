// The training page: who is here, whose rules, and which of the four parts is shown.

import { drawChart } from "./chart.js";
import { Declined, get, post, untilReached } from "./connection.js";
import { el, fill, find, show } from "./dom.js";
import { beginDrill, drillKey } from "./drill.js";
import { drawExplorer } from "./explorer.js";
import { drawProgress } from "./progress.js";
import { remember, setting } from "./settings.js";
import * as training from "./training.js";

const PARTS = { drill: "Drill", chart: "Chart", explore: "Explorer", progress: "Progress" };
const DRAWN = { drill: beginDrill, chart: drawChart, explore: drawExplorer, progress: drawProgress };

/** @type {{games: any[], kinds: any[]}} */
let known = { games: [], kinds: [] };

/** What a part is told: whose rules, the kinds of hand, and where to say what went wrong. */
function context() {
  return { game: find("game", HTMLSelectElement).value, kinds: known.kinds, trying };
}

async function trying(act) {
  find("refused").replaceChildren();
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    refuse(error.message);
    return null;
  }
}

function refuse(sentence) {
  find("refused").replaceChildren(...(sentence ? [el("p", { class: "alarm" }, sentence)] : []));
}

function part() {
  const named = location.hash.slice(1).split("/")[0];
  return named in PARTS ? named : "drill";
}

/** Show the part that the address names. */
function arrive({ focus = true } = {}) {
  const shown = part();
  for (const name of Object.keys(PARTS)) show(name, name === shown);
  fill("tabs", shown, () =>
    Object.entries(PARTS).map(([name, words]) =>
      el("a", { class: "button quiet", href: `#${name}`, name, "aria-current": name === shown ? "page" : undefined }, words),
    ),
  );
  if (focus) find(`${shown}-title`).focus();
  DRAWN[shown](context());
}

async function enter() {
  let here = await get("/api/here");
  if (here.person === null && here.demo) {
    await post("/api/demo");
    here = await get("/api/here");
  }
  show("entry", here.person === null);
  show("training", here.person !== null);
  if (here.person === null) {
    fill("entry", "form", logInForm);
    return;
  }
  refuse("");
  find("who").textContent = here.person.name;
  known = await training.games();
  chooseGame();
  arrive({ focus: false });
}

/** Rule books as they are printed, and tables; the one that the address names, or that of last
 * time, is chosen. */
function chooseGame() {
  const wanted = new URLSearchParams(location.search).get("game") ?? setting("train-game");
  const group = (label, games) =>
    games.length === 0
      ? ""
      : el("optgroup", { label }, games.map((one) => el("option", { value: one.id, selected: one.id === wanted }, one.table ? one.id : one.title)));
  find("game").replaceChildren(
    group("Rule books", known.games.filter((one) => !one.table)),
    group("Tables here", known.games.filter((one) => one.table)),
  );
}

function logInForm() {
  const submit = (event) => {
    event.preventDefault();
    const typed = new FormData(event.target);
    trying(async () => {
      await post("/api/login", { name: typed.get("name"), password: typed.get("password") });
      await enter();
    });
  };
  return el(
    "form",
    { onsubmit: submit },
    el("h1", {}, "Log in to train"),
    el("label", {}, "Name ", el("input", { name: "name", autocomplete: "username", required: true, maxlength: 40 })),
    el("label", {}, "Password ", el("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 256 })),
    el("button", { class: "main" }, "Log in"),
  );
}

find("game").addEventListener("change", () => {
  remember("train-game", find("game", HTMLSelectElement).value);
  arrive({ focus: false });
});
window.addEventListener("hashchange", () => arrive());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || part() !== "drill") return;
  if (/** @type {HTMLElement} */ (event.target).matches("input, select, textarea")) return;
  if (drillKey(event.key)) event.preventDefault();
});

await trying(() => untilReached(enter, refuse));
