// The training page: log-in, choice of rules, and its four parts.

import { el, fill, find, setShown } from "../lib/dom.js";
import { Declined, get, post, retryUntilReached } from "../lib/http.js";
import { remember, setting } from "../lib/settings.js";
import * as training from "../lib/training.js";
import { drawChart } from "./chart.js";
import { drillKey, startDrill } from "./drill.js";
import { drawExplorer } from "./explorer.js";
import { drawProgress } from "./progress.js";

const PARTS = { drill: "Drill", chart: "Chart", explore: "Explorer", progress: "Progress" };
const DRAW = { drill: startDrill, chart: drawChart, explore: drawExplorer, progress: drawProgress };

/** @type {{games: any[], kinds: any[]}} */
let known = { games: [], kinds: [] };

/** What a part gets: the rules, the kinds of hand, and a function that shows refusals. */
function context() {
  return { game: find("game", HTMLSelectElement).value, kinds: known.kinds, attempt };
}

async function attempt(act) {
  find("refused").replaceChildren();
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    showRefusal(error.message);
    return null;
  }
}

function showRefusal(sentence) {
  find("refused").replaceChildren(...(sentence ? [el("p", { class: "alarm" }, sentence)] : []));
}

function part() {
  const named = location.hash.slice(1).split("/")[0];
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
  let here = await get("/api/here");
  if (here.person === null && here.demo) {
    await post("/api/demo");
    here = await get("/api/here");
  }
  setShown("entry", here.person === null);
  setShown("training", here.person !== null);
  if (here.person === null) {
    fill("entry", "form", logInForm);
    return;
  }
  showRefusal("");
  find("who").textContent = here.person.name;
  known = await training.games();
  fillGames();
  followAddress({ focus: false });
}

/** Fill the choice of rules: rule books and tables. Selects the one in the address, else the last one used. */
function fillGames() {
  const wanted = new URLSearchParams(location.search).get("game") ?? setting("train-game");
  const group = (label, games) =>
    games.length === 0 ? "" : el(
      "optgroup",
      { label },
      games.map((one) => el("option", { value: one.id, selected: one.id === wanted }, one.table ? one.id : one.title)),
    );
  find("game").replaceChildren(
    group("Rule books", known.games.filter((one) => !one.table)),
    group("Tables here", known.games.filter((one) => one.table)),
  );
}

function logInForm() {
  const submit = (event) => {
    event.preventDefault();
    const typed = new FormData(event.target);
    attempt(async () => {
      await post("/api/login", { name: typed.get("name"), password: typed.get("password") });
      await enter();
    });
  };
  return el(
    "form",
    { onsubmit: submit },
    el("h1", {}, "Log in to train"),
    el("label", {}, "Name ", el("input", { name: "name", autocomplete: "username", required: true, maxlength: 40 })),
    el(
      "label",
      {},
      "Password ",
      el("input", {
        name: "password",
        type: "password",
        autocomplete: "current-password",
        required: true,
        maxlength: 256,
      }),
    ),
    el("button", { class: "main" }, "Log in"),
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

await attempt(() => retryUntilReached(enter, showRefusal));
