// What opens over the table: the rules and pays in use, the words of the game, the sealed shuffle,
// the settings. All of it is the server's, but for the meaning of words.

import { accountShown } from "./account.js";
import { buyInForm } from "./buyin.js";
import { el, find } from "./dom.js";
import { GLOSSARY } from "./glossary.js";
import { CHOICES, remember, setting } from "./settings.js";
import * as state from "./state.js";
import * as words from "./words.js";

const PANELS = {
  rules: { title: (now) => `Rules and pays: ${state.tableShown(now)?.title ?? now.table}`, body: rules },
  glossary: { title: () => "The words of the game", body: glossary },
  fair: { title: () => "A fair deal, and how to check it", body: fair },
  settings: { title: () => "Settings", body: settings },
  buy: { title: (now, doing) => `Buy chips at ${doing.buyingAt()}`, body: buyInForm },
};

/** @type {string} */
let shown = "";

/** Open a panel. @param {string} name @param {import("./state.js").State} now @param {any} doing */
export function openPanel(name, now, doing) {
  const dialog = /** @type {HTMLDialogElement} */ (find("panel"));
  shown = name;
  drawPanel(now, doing);
  if (!dialog.open) dialog.showModal();
  find("panel-title").focus();
}

/** Draw the open panel again, where what it shows may have changed. */
export function drawPanel(now, doing) {
  const panel = PANELS[shown];
  if (!panel) return;
  find("panel-title").textContent = panel.title(now, doing);
  find("panel-body").replaceChildren(...[panel.body(now, doing)].flat(Infinity).filter((one) => one !== null && one !== ""));
}

export function closePanel() {
  /** @type {HTMLDialogElement} */ (find("panel")).close();
}

/** Whether this panel is the one that is open. */
export function isOpen(name) {
  return shown === name && /** @type {HTMLDialogElement} */ (find("panel")).open;
}

// Rules and pays.

function rules(now) {
  const { posted } = now;
  if (!posted) return el("p", {}, "Nothing is posted here.");
  const label = (wager) => posted.labels[wager] ?? words.titled(wager);
  return [
    el("h3", {}, "A round"),
    el("ol", {}, aRound(posted, label).map((line) => el("li", {}, line))),
    el("h3", {}, "Limits"),
    el("ul", {}, limits(posted, label).map((line) => el("li", {}, line))),
    el("h3", {}, `Permitted: ${label("raise")}`),
    el(
      "ul",
      {},
      posted.raises.map((one) => el("li", {}, `${one.street}: ${one.multiples.map((multiple) => `${multiple}×`).join(", ")} the ${label("ante")} `, el("small", {}, one.clause))),
    ),
    posted.layout.length ? el("h3", {}, "On the layout") : "",
    posted.layout.length ? el("ul", {}, posted.layout.map((one) => el("li", {}, `${one.text} `, el("small", {}, one.clause)))) : "",
    posted.notices.length ? el("h3", {}, "Notices") : "",
    ...posted.notices.map((one) => el("p", {}, one.text)),
    el("h3", {}, "Pays"),
    el("div", { class: "paytables" }, posted.paytables.map((table) => paytable(table, label))),
    el("details", {}, el("summary", {}, "The words of the game"), glossary()),
  ];
}

/** The course of a round in the words of this book. */
function aRound(posted, label) {
  const multiples = (street) => posted.raises.find((one) => one.street === street)?.multiples.map((one) => `${one}×`).join(" or ") ?? "";
  return [
    `Bet the ${label("ante")}; the ${label("odds")} are bet with it, the same amount. The other spots are side wagers, as you like.`,
    `You and the dealer get two cards each. ${label("raise")} ${multiples("pocket")} your ${label("ante")}, or check.`,
    `Three cards are turned in the middle. If you checked: ${label("raise")} ${multiples("flop")}, or check again.`,
    `The last two follow. If you have only checked: ${label("raise")} ${multiples("river")}, or fold and lose ${label("ante")} and ${label("odds")}.`,
    "The dealer turns over. The best five of your two and the five in the middle play against the dealer’s best five.",
    posted.qualifier ? `${posted.qualifier.text}: with less, the ${label("ante")} is returned (${posted.qualifier.clause}).` : "Every dealer’s hand plays.",
  ];
}

function limits(posted, label) {
  const lines = posted.limits.map((limit) => {
    const parts = [
      limit.min && `from ${words.money(limit.min)}`,
      limit.max && `to ${words.money(limit.max)}`,
      limit.step && `in steps of ${words.money(limit.step)}`,
    ];
    return `${label(limit.wager)}: ${parts.filter(Boolean).join(" ")}`;
  });
  if (posted.progressive_stake) lines.push(`${label("progressive")}: ${words.money(posted.progressive_stake)}`);
  if (posted.single_wager_max) lines.push(`No wager above ${words.money(posted.single_wager_max)}`);
  if (posted.cap) {
    const wagers = posted.cap.wagers.map(label).join(", ");
    lines.push(`A round pays at most ${words.money(posted.cap.amount)} per ${posted.cap.scope} on ${wagers}`);
  }
  return lines.length ? lines : ["None is posted."];
}

function paytable(table, label) {
  return el(
    "table",
    {},
    el("caption", {}, `${label(table.key)}, paytable ${table.id} (${table.clause})`),
    el("thead", { class: "unseen" }, el("tr", {}, el("th", { scope: "col" }, "Outcome"), el("th", { scope: "col" }, "Pays"))),
    el("tbody", {}, table.rows.map((one) => el("tr", {}, el("th", { scope: "row" }, one.label), el("td", { class: "amount" }, words.pays(one.pays, table.basis))))),
  );
}

function glossary() {
  return el("dl", { class: "glossary" }, GLOSSARY.map(([term, meaning]) => [el("dt", {}, term), el("dd", {}, meaning)]).flat());
}

// The sealed shuffle.

function fair(now, doing) {
  const { sealed, opened } = now.view?.fair ?? {};
  const seat = state.mySeat(now);
  return [
    el("p", {}, "Before anyone bets, the house commits itself to the order of the cards. After the round it opens what it sealed, and everyone can check that it kept its word."),
    sealed
      ? [
          el("h3", {}, `Sealed for round ${sealed.round}`),
          el("p", {}, "Commitment"),
          el("code", { class: "seed" }, sealed.commitment),
          seeds(sealed.seeds ?? {}, now),
        ]
      : "",
    sealed && seat !== null ? (takesSeeds(sealed, now) ? ownSeed(sealed, seat, doing) : el("p", {}, "Bets are closed. Before the next ones are, you can mix words of your own into that shuffle.")) : "",
    opened ? openedRound(opened) : el("p", {}, "No round has been opened here yet."),
    el("h3", {}, "Check it yourself"),
    el("ol", {}, [
      "Note the commitment above before you bet, and compare it with the one that is opened after the round.",
      "Copy what was published into a file, or download that of all your rounds from Your rounds, and run: headsup verify FILE.",
      "Or use a program that shares no line with ours: verifier.py, and how the deck follows is told in docs/fairness.md; both are part of this software.",
    ].map((line) => el("li", {}, line))),
  ];
}

function seeds(given, now) {
  const lines = Object.entries(given).map(([seat, text]) => el("li", {}, `${now.view.players[seat] ?? `Seat ${seat}`}: `, el("code", {}, text)));
  return lines.length ? [el("p", {}, "The players’ own words, mixed into the shuffle:"), el("ul", {}, lines)] : [];
}

/** Until bets close: from then on the shuffle is as it is. */
function takesSeeds(sealed, now) {
  const round = now.view?.round;
  return !round || round.number !== sealed.round || round.phase === "betting";
}

function ownSeed(sealed, seat, doing) {
  const form = el(
    "form",
    { class: "rows" },
    el("label", {}, "Your own words, mixed into the shuffle until bets close ", el("input", { name: "seed", maxlength: 64, required: true, value: sealed.seeds?.[seat] ?? "" })),
    el("button", { class: "main" }, "Mix in"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    doing.addSeed(new FormData(/** @type {HTMLFormElement} */ (form)).get("seed"));
  });
  return form;
}

function openedRound(opened) {
  const text = JSON.stringify(opened, null, 1);
  return [
    el("h3", {}, `Opened: round ${opened.round}`),
    el("p", {}, "Server seed"),
    el("code", { class: "seed" }, opened.server_seed),
    el("details", {}, el("summary", {}, "Everything that was published"), el("textarea", { class: "published", readonly: true, rows: 8, "aria-label": "What was published" }, text)),
  ];
}

// Settings.

const NAMES = {
  theme: ["Surroundings", { system: "as the system", dark: "dark", light: "light" }],
  suits: ["Suits", { two: "red and black", four: "four colours" }],
  motion: ["Motion", { full: "short animations", none: "none" }],
  sound: ["Sound", { off: "off", on: "on" }],
};

function settings(now, doing) {
  return [
    ...Object.entries(NAMES).map(([name, [title, values]]) =>
      el(
        "fieldset",
        { class: "rows" },
        el("legend", {}, title),
        CHOICES[name].map((value) =>
          el(
            "label",
            {},
            el("input", { type: "radio", name, value, checked: setting(name) === value, onchange: () => { remember(name, value); doing.changed(); } }),
            values[value],
          ),
        ),
      ),
    ),
    accountShown(now, doing),
    el("p", {}, el("small", {}, "Keys: a o t p 6 g put a chip on a spot, 1 to 5 choose it, z takes back, x clears, b bets again, d doubles, Enter places. r, 1, 2, 3 raise, c checks, f folds. Any key skips an animation.")),
  ];
}
