// Progress: accuracy by street and kind of hand, the costliest mistakes, the last ten rounds, a summary.

/** @import { Context } from "../lib/training.js" */
/** @import { ReviewedRoundView, ScoreResponse, ValuedHand } from "../lib/wire.d.ts" */

import { row } from "../lib/cards.js";
import { el, fill, find } from "../lib/dom.js";
import { Declined } from "../lib/http.js";
import { formatMoney, formatSigned } from "../lib/money.js";
import { pastResult } from "../lib/outcomes.js";
import * as training from "../lib/training.js";
import { bars, formatAntes, formatPercent } from "../lib/values.js";

const PICTURE_SCALE = 2; // pixels of the PNG per unit of the drawing

/** @typedef {Record<string, any>} Score  decisions, how many were best, and what the others cost */

const state = {
  /** @type {Context} */
  context: { game: "", kinds: [], attempt: (act) => act() },
  pending: new AbortController(),
};

/** @param {Context} context */
export async function drawProgress(context) {
  state.context = context;
  state.pending.abort();
  state.pending = new AbortController();
  const { signal } = state.pending;
  const score = await context.attempt(training.score);
  if (score === null || signal.aborted) return;
  fill("progress-score", score, () => scores(score));
  fill("progress-mistakes", score, () => mistakes(score));
  fill("progress-keep", score, saveButtons);
  const recent = await context.attempt(() =>
    training.pollUntilReady(
      training.rounds,
      () => fill("progress-rounds", "wait", () => el("p", { role: "status" }, "Reviewing your last rounds…")),
      signal,
    )
  );
  if (recent === null || signal.aborted) return;
  fill("progress-rounds", recent, () => lastRounds(recent.rounds));
}

// The score.

/** @param {ScoreResponse} score */
function scores({ score, evening }) {
  if (score.decisions === 0 && score.drill.decisions === 0) {
    return el(
      "p",
      { class: "panel" },
      "No decisions are recorded yet. Turn on the coach at a table, or start with the ",
      el("a", { href: "#drill" }, "drill"),
      ".",
    );
  }
  return [
    el(
      "div",
      { class: "figures" },
      figure("Last evening", evening),
      figure("Overall", score),
      figure("Drill", score.drill),
    ),
    el(
      "div",
      { class: "by" },
      table("By street", "Street", entries(score.by_street)),
      table("By kind of hand", "Kind", entries(score.by_kind).map(([id, one]) => [kindText(id), one])),
    ),
  ];
}

/** @param {Record<string, Score>} scores */
const entries = (scores) => Object.entries(scores).filter(([, one]) => one.decisions > 0);

/** @param {string} id */
function kindText(id) {
  return state.context.kinds.find((kind) => kind.id === id)?.words ?? id;
}

/** @param {string} title @param {Score} one */
function figure(title, one) {
  const share = one.accuracy === null ? "–" : formatPercent(one.accuracy.decimal);
  return el(
    "div",
    { class: "panel figure" },
    el("h2", {}, title),
    el("p", { class: "large" }, share),
    el("p", { class: "soft" }, `of ${one.decisions} decisions were best`),
    one.decisions === 0
      ? ""
      : el("p", { class: "soft" }, `cost: ${formatAntes(one.cost.decimal)}, ${formatMoney(one.dollars)}`),
  );
}

/** @param {string} caption @param {string} head @param {[string, Score][]} rows */
function table(caption, head, rows) {
  if (rows.length === 0) return "";
  /** @param {[string, Score]} row */
  const line = ([name, one]) => {
    const fill = el("span", { class: "fill" });
    fill.style.setProperty("width", formatPercent(one.accuracy.decimal));
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", { class: "share" }, el("span", { class: "track", "aria-hidden": "true" }, fill)),
      el("td", { class: "amount" }, formatPercent(one.accuracy.decimal)),
      el("td", { class: "amount" }, String(one.decisions)),
      el("td", { class: "amount antes" }, Number(one.cost.decimal).toFixed(3)),
      el("td", { class: "amount" }, formatMoney(one.dollars)),
    );
  };
  const heads = [[head, ""], ["", "share"], ["Best", "amount"], ["Count", "amount"], ["Antes", "amount antes"], [
    "Cost",
    "amount",
  ]];
  return el(
    "table",
    { class: "tally" },
    el("caption", {}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map(([text, kind]) => el(text ? "th" : "td", { scope: text ? "col" : undefined, class: kind }, text)),
      ),
    ),
    el("tbody", {}, rows.map(line)),
  );
}

// Mistakes and rounds.

/** @param {ScoreResponse} score */
function mistakes({ mistakes: costliest, due }) {
  if (costliest.length === 0) return "";
  return [
    el("h2", {}, "Your costliest mistakes"),
    el("ol", { class: "decisions-made" }, costliest.map((hand) => el("li", {}, decision(hand)))),
    due > 0 ? el("p", {}, el("a", { class: "button main", href: "#drill" }, `Practice them again: ${due} due`)) : "",
  ];
}

/** @param {ValuedHand} hand */
function decision(hand) {
  const chosen = hand.options[hand.chosen ?? hand.best];
  const cost = chosen.cost.decimal;
  const wrong = hand.chosen !== hand.best;
  return el(
    "details",
    { class: wrong ? "wrong" : "" },
    el(
      "summary",
      {},
      el("span", { class: "small-cards" }, row(hand.hole, 2, { label: "Your cards" })),
      hand.board
        ? el("span", { class: "small-cards" }, row(hand.board, hand.board.length / 2, { label: "Board" }))
        : "",
      el(
        "span",
        { class: "chose" },
        `${chosen.name}${wrong ? `, not ${hand.options[hand.best].name}` : ""}`,
      ),
      el("span", { class: wrong ? "bad" : "good" }, wrong ? `−${formatAntes(cost)}` : "best"),
    ),
    bars(hand),
    el("p", {}, hand.explanation),
    el(
      "p",
      { class: "soft" },
      hand.place ? `${hand.place} · ${hand.rules} · ` : "",
      el("a", { href: training.explorerLink(hand.rules, hand.hole, hand.board) }, "explore this hand"),
    ),
  );
}

/** @param {ReviewedRoundView[]} rounds */
function lastRounds(rounds) {
  if (rounds.length === 0) return "";
  return [
    el("h2", {}, "Your last rounds, with the value of each decision"),
    el(
      "ol",
      { class: "rounds" },
      rounds.map((round) =>
        el(
          "li",
          { class: "panel" },
          el(
            "h3",
            {},
            `${round.table}, round ${round.round}: ${pastResult(round.result)} `,
            el("span", { class: round.net.startsWith("-") ? "bad" : "good" }, formatSigned(round.net)),
          ),
          round.decisions.length === 0
            ? el("p", { class: "soft" }, "You had no decisions.")
            : el("ul", { class: "decisions-made" }, round.decisions.map((hand) => el("li", {}, decision(hand)))),
        )
      ),
    ),
  ];
}

// Saving and deleting.

function saveButtons() {
  return [
    el("a", { class: "button", href: training.SUMMARY_URL, download: "" }, "Save the evening’s summary as a page"),
    el(
      "button",
      { type: "button", name: "picture", onclick: () => state.context.attempt(savePicture) },
      "Save it as a picture",
    ),
    el("button", { type: "button", class: "quiet", name: "forget", onclick: confirmDelete }, "Delete my history"),
  ];
}

/** The server draws an SVG; it is saved as a PNG, which is easier to share. */
async function savePicture() {
  const answer = await fetch(training.PICTURE_URL);
  if (!answer.ok) throw new Declined("", "The picture is not available right now.");
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  await image.decode();
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", {
    width: image.width * PICTURE_SCALE,
    height: image.height * PICTURE_SCALE,
  }));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (blob === null) return;
    const address = URL.createObjectURL(blob);
    el("a", { href: address, download: "headsup-evening.png" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
}

function confirmDelete() {
  /** @type {HTMLDialogElement} */
  const dialog = el(
    "dialog",
    { "aria-labelledby": "forget-title" },
    el("h2", { id: "forget-title" }, "Delete all your recorded decisions?"),
    el(
      "p",
      { class: "rows" },
      el("button", { type: "button", class: "gold", onclick: () => deleteHistory(dialog) }, "Delete"),
      el("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  find("progress").append(dialog);
  dialog.showModal();
}

/** @param {HTMLDialogElement} dialog */
async function deleteHistory(dialog) {
  await state.context.attempt(training.deleteHistory);
  dialog.close();
  drawProgress(state.context);
}
