// Progress: accuracy by street and kind of hand, the dearest mistakes, the last ten rounds, a summary.

import { row } from "./cards.js";
import { Declined } from "./connection.js";
import { el, fill, find } from "./dom.js";
import * as training from "./training.js";
import { antes, bars, percent } from "./values.js";
import { money, signed } from "./words.js";

const SHARP = 2; // points of the picture to one of the drawing

let about = null;
let asking = new AbortController();

export async function drawProgress(context) {
  about = context;
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const score = await about.trying(training.score);
  if (score === null || signal.aborted) return;
  fill("progress-score", score, () => scores(score));
  fill("progress-mistakes", score, () => mistakes(score));
  fill("progress-keep", score, keeping);
  const found = await about.trying(() =>
    training.untilReady(training.rounds, () => fill("progress-rounds", "wait", () => el("p", { role: "status" }, "Going through your last rounds …")), signal),
  );
  if (found === null || signal.aborted) return;
  fill("progress-rounds", found, () => lastRounds(found.rounds));
}

// The score.

function scores({ score, evening }) {
  if (score.decisions === 0 && score.drill.decisions === 0) {
    return el(
      "p",
      { class: "panel" },
      "Nothing is remembered yet. Switch the coach on at a table, or begin with the ",
      el("a", { href: "#drill" }, "drill"),
      ".",
    );
  }
  return [
    el(
      "div",
      { class: "figures" },
      figure("Last evening", evening),
      figure("In all", score),
      figure("Drill", score.drill),
    ),
    el(
      "div",
      { class: "by" },
      table("By street", "Street", entries(score.by_street)),
      table("By kind of hand", "Kind", entries(score.by_kind).map(([id, one]) => [words(id), one])),
    ),
  ];
}

const entries = (scores) => Object.entries(scores).filter(([, one]) => one.decisions > 0);

function words(id) {
  return about.kinds.find((kind) => kind.id === id)?.words ?? id;
}

function figure(title, one) {
  const share = one.accuracy === null ? "–" : percent(one.accuracy.decimal);
  return el(
    "div",
    { class: "panel figure" },
    el("h2", {}, title),
    el("p", { class: "large" }, share),
    el("p", { class: "soft" }, `best of ${one.decisions} decisions`),
    one.decisions === 0 ? "" : el("p", { class: "soft" }, `${antes(one.cost.decimal)}, ${money(one.dollars)} given away`),
  );
}

function table(caption, head, rows) {
  if (rows.length === 0) return "";
  const line = ([name, one]) => {
    const fill = el("span", { class: "fill" });
    fill.style.setProperty("width", percent(one.accuracy.decimal).replace(" ", ""));
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", { class: "share" }, el("span", { class: "track", "aria-hidden": "true" }, fill)),
      el("td", { class: "amount" }, percent(one.accuracy.decimal)),
      el("td", { class: "amount" }, String(one.decisions)),
      el("td", { class: "amount antes" }, Number(one.cost.decimal).toFixed(3)),
      el("td", { class: "amount" }, money(one.dollars)),
    );
  };
  const heads = [[head, ""], ["", "share"], ["Best", "amount"], ["Of", "amount"], ["Antes", "amount antes"], ["Cost", "amount"]];
  return el(
    "table",
    { class: "tally" },
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map(([text, kind]) => el(text ? "th" : "td", { scope: text ? "col" : undefined, class: kind }, text)))),
    el("tbody", {}, rows.map(line)),
  );
}

// Mistakes and rounds.

function mistakes({ mistakes: dearest, due }) {
  if (dearest.length === 0) return "";
  return [
    el("h2", {}, "The dearest mistakes"),
    el("ol", { class: "decisions-made" }, dearest.map((hand) => el("li", {}, decision(hand)))),
    due > 0 ? el("p", {}, el("a", { class: "button main", href: "#drill" }, `Ask me again: ${due} due`)) : "",
  ];
}

function decision(hand) {
  const cost = hand.options[hand.chosen].cost.decimal;
  const wrong = hand.chosen !== hand.best;
  return el(
    "details",
    { class: wrong ? "wrong" : "" },
    el(
      "summary",
      {},
      el("span", { class: "small-cards" }, row(hand.hole, 2, { label: "Your cards" })),
      hand.board ? el("span", { class: "small-cards" }, row(hand.board, hand.board.length / 2, { label: "Board" })) : "",
      el("span", { class: "chose" }, `${hand.options[hand.chosen].name}${wrong ? `, not ${hand.options[hand.best].name}` : ""}`),
      el("span", { class: wrong ? "bad" : "good" }, wrong ? `−${antes(cost)}` : "best"),
    ),
    bars(hand),
    el("p", {}, hand.explanation),
    el(
      "p",
      { class: "soft" },
      hand.place ? `${hand.place} · ${hand.rules} · ` : "",
      el("a", { href: training.exploring(hand.rules, hand.hole, hand.board) }, "explore this hand"),
    ),
  );
}

function lastRounds(rounds) {
  if (rounds.length === 0) return "";
  return [
    el("h2", {}, "Your last rounds, with what each decision was worth"),
    el(
      "ol",
      { class: "rounds" },
      rounds.map((round) =>
        el(
          "li",
          { class: "panel" },
          el("h3", {}, `${round.table}, round ${round.round}: ${round.result} `, el("span", { class: round.net.startsWith("-") ? "bad" : "good" }, signed(round.net))),
          round.decisions.length === 0
            ? el("p", { class: "soft" }, "Nothing was decided by you.")
            : el("ul", { class: "decisions-made" }, round.decisions.map((hand) => el("li", {}, decision(hand)))),
        ),
      ),
    ),
  ];
}

// Keeping and forgetting.

function keeping() {
  return [
    el("a", { class: "button", href: training.PAGE, download: "" }, "Summary of the evening as a page"),
    el("button", { type: "button", name: "picture", onclick: () => about.trying(keepPicture) }, "The same as a picture"),
    el("button", { type: "button", class: "quiet", name: "forget", onclick: forgetting }, "Forget everything"),
  ];
}

/** The server draws it; here it becomes a PNG, which can be sent anywhere. */
async function keepPicture() {
  const answer = await fetch(training.PICTURE);
  if (!answer.ok) throw new Declined("", "There is no picture at this moment.");
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  await image.decode();
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { width: image.width * SHARP, height: image.height * SHARP }));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (blob === null) return;
    const address = URL.createObjectURL(blob);
    el("a", { href: address, download: "headsup-evening.png" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
}

function forgetting() {
  const dialog = el(
    "dialog",
    { "aria-labelledby": "forget-title" },
    el("h2", { id: "forget-title" }, "Forget every decision that is remembered of you?"),
    el(
      "p",
      { class: "rows" },
      el("button", { type: "button", class: "gold", onclick: () => forget(dialog) }, "Forget"),
      el("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Keep"),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  find("progress").append(dialog);
  /** @type {HTMLDialogElement} */ (dialog).showModal();
}

async function forget(dialog) {
  await about.trying(training.forget);
  dialog.close();
  drawProgress(about);
}
