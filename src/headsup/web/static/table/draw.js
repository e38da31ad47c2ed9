// Draws the whole page from the state.

/** @import { AtTable } from "../lib/state.js" */

import { el, fill, find, setShown } from "../lib/dom.js";
import { formatSigned, netTone } from "../lib/money.js";
import { drawBar, drawEntry, drawNotices } from "./bar.js";
import { drawDock } from "./dock.js";
import { drawFelt } from "./felt.js";
import { drawLobby } from "./lobby.js";
import { currentMoment } from "./moments.js";
import { drawResults } from "./results.js";
import { drawSeats } from "./seats.js";

/** @param {import("../lib/state.js").State} now @param {any} actions @param {number} chosen  the selected chip */
export function draw(now, actions, chosen) {
  drawBar(now, actions);
  drawNotices(now, actions);
  const atTable = now.person !== null && now.table !== null;
  setShown("loading", now.house === null || (atTable && now.view === null && !now.refusal));
  drawEntry(now);
  setShown("lobby", now.person !== null && now.table === null);
  setShown("table", atTable && now.view !== null);
  document.body.classList.toggle("at-table", atTable);
  document.title = now.table === null ? "headsup" : `${now.table} · headsup`;
  if (now.person === null) return;
  if (now.table === null) drawLobby(now, actions);
  else if (now.view !== null) drawTable(/** @type {AtTable} */ (now), actions, chosen);
}

/** @param {AtTable} now @param {any} actions @param {number} chosen */
function drawTable(now, actions, chosen) {
  const { view, posted } = now;
  const number = view.round ? `, round ${view.round.number}` : "";
  fill("table-title", [now.table, number], () => `${now.table}${number}`);
  const moment = currentMoment(now);
  find("table").dataset.moment = moment.kind;
  fill("phase", [moment.text, moment.net], () => [moment.text, moment.net === undefined ? "" : roundNet(moment.net)]);
  fill("banner", [moment.more], () => (moment.more ? el("p", {}, moment.more) : ""));
  drawFelt(now, actions);
  drawSeats(now, actions);
  drawDock(now, actions, chosen);
  drawResults(now);
  // Notices must be on the screen as long as the figures they belong to (R83).
  const printed = new Set(posted?.inscriptions); // on the felt itself
  const notices = new Set([
    ...(posted?.notices ?? []).map((/** @type {any} */ notice) => notice.text),
    ...(view.meter?.notices ?? []),
  ]);
  const below = [...notices].filter((text) => !printed.has(text));
  fill("notices", below, () => below.map((text) => el("p", {}, text)));
}

/** The money of the whole round: side wagers may win where the hand loses. @param {string} net */
function roundNet(net) {
  return el(
    "span",
    { class: `round-net ${netTone(net)}` },
    el("span", { class: "unseen" }, ". "),
    `Net ${formatSigned(net).replace(/\.00$/, "")}`,
  );
}
