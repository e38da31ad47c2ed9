// The dealer's next step, on one key, and the form for entering the cards of a real deck.

import { emptySlot, face } from "../lib/cards.js";
import { el, fill, find } from "../lib/dom.js";
import { capitalize, withSpaces } from "../lib/text.js";

const STEPS = {
  open_round: "Open the next round",
  close_bets: "No more bets",
  deal: "Deal from the shoe",
  flop: "Turn up the flop",
  turn_and_river: "Turn up the turn and river",
  reveal: "Turn over the dealer’s cards",
  settle: "Read the hands",
  close: "Close the round",
};
const WAITING = {
  deal_face_down: "Deal this table at /deal.",
  turn_over: "Turn over the cards at /deal.",
  players: "No players are seated yet.",
  bets: "Waiting for bets.",
  count_by_hand: "The tabulator is down: count the wagers by hand.",
  verify_award: "An award is held. Two people verify or refuse it in the office, under Real chips.",
  correct_flag: "Lights and chips do not match. A supervisor must resolve it first.",
};
/** The steps that need a sheet rather than one key. */
const DUE_SHEETS = { count_by_hand: "tabulator", correct_flag: "tabulator" };

/** @param {{step: string, seats: number[]} | null} due @param {boolean} [isVoid]  whether the whole round is void */
function dueText(due, players, isVoid = false) {
  if (!due) return "";
  const names = due.seats.map((seat) => `seat ${seat}${players[seat] ? ` (${inBrackets(players[seat])})` : ""}`);
  if (due.step === "resolve") return `Pay and take: ${names[0]}`;
  if (due.step === "decisions") return `Waiting for ${names.join(", ")}`;
  if (due.step === "enter_cards") return "Enter the cards as dealt";
  if (due.step === "settle" && isVoid) return "Settle the void round";
  return STEPS[due.step] ?? WAITING[due.step];
}

/** "Robin (automatic)" → "Robin, automatic", to go in brackets. */
function inBrackets(name) {
  return name.replace(/ \(([^()]*)\)$/, ", $1");
}

export function canDo(due) {
  return !!due && (due.step in STEPS || due.step === "resolve");
}

/** Whether this table is dealt automatically, or would be if no dealer had taken over. */
export function isHouseDealt(due) {
  return !!due && (due.automatic || due.by_hand);
}

/**
 * @param {any} due  the next step, from the server
 * @param {any} view  the dealer's
 * @param {object} typing  the cards typed so far, and the server's reading of them
 * @param {boolean} isPausing  whether the dealer is typing the reason for a pause
 * @param {any} actions
 */
export function drawDue(due, { players, round }, typing, isPausing, actions) {
  const isVoid = !!round?.void;
  const entering = due?.step === "enter_cards";
  fill(
    "due",
    isPausing ? "pausing" : [due?.step, due?.seats, due?.key, due?.paused, due?.known, due?.automatic, players, isVoid],
    () => {
      if (!due) return "";
      if (isPausing) return reasonForm(actions);
      if (due.paused) {
        return el(
          "div",
          { class: "now" },
          el("p", { class: "waits alarm", role: "status" }, `Paused: ${due.paused}`),
          dealingModeButtons(due, actions),
        );
      }
      if (entering) return cardForm(due, actions);
      return el(
        "div",
        { class: "now" },
        due.known ? el("p", { class: "waits alarm", role: "status" }, `${capitalize(due.known)}.`) : "",
        canDo(due)
          ? el(
            "button",
            { type: "button", class: "main", name: "due", "aria-keyshortcuts": "Space", onclick: actions.doDue },
            dueText(due, players, isVoid),
            el("kbd", {}, "Space"),
          )
          : el("p", { class: "waits", role: "status" }, dueText(due, players)),
        due.step === "bets"
          ? el(
            "button",
            { type: "button", class: "quiet", name: "empty", onclick: actions.doDue },
            "Close the empty round",
          )
          : "",
        due.step in DUE_SHEETS
          ? el("button", {
            type: "button",
            class: "gold",
            name: "sheet",
            onclick: () => actions.openSheet(DUE_SHEETS[due.step]),
          }, "Go to the sheet")
          : "",
        dealingModeButtons(due, actions),
      );
    },
  );
  if (entering && !isPausing && !due.paused) drawTyped(due, typing);
}

/** The reason for a pause, which everyone at the table reads. */
function reasonForm(actions) {
  const reason = el("input", {
    name: "why paused",
    required: true,
    maxlength: 100,
    value: "a short break",
    "data-rest": true,
  });
  const form = el(
    "form",
    {
      class: "now",
      onsubmit: (event) => {
        event.preventDefault();
        actions.pause(reason.value);
      },
    },
    el("label", { class: "typed" }, "Why is the table paused? Everyone reads it.", reason),
    el("button", { class: "main", name: "pause now" }, "Pause", el("kbd", {}, "Enter")),
    el("button", { type: "button", class: "quiet", name: "no pause", onclick: actions.cancelPause }, "Cancel"),
  );
  queueMicrotask(() => reason.select());
  return form;
}

/** Buttons to pause, and to switch between manual and automatic dealing. */
function dealingModeButtons(due, actions) {
  const set = (paused, byHand) => () => actions.setDealingMode({ paused, by_hand: byHand });
  const button = (name, text, act, key) =>
    el(
      "button",
      { type: "button", class: "quiet", name, onclick: act, "aria-keyshortcuts": key },
      text,
      key ? el("kbd", {}, key) : "",
    );
  return el(
    "span",
    { class: "rows standing" },
    due.paused
      ? button("go on", "Resume", set("", due.by_hand), "b")
      : button("pause", "Pause…", actions.askReason, "b"),
    due.paused ? "" : due.automatic ? button("take over", "Take over from automatic dealing", set("", true)) : "",
    due.by_hand && !due.paused ? button("hand back", "Resume automatic dealing", set("", false)) : "",
  );
}

function cardForm(due, actions) {
  const input = el("input", {
    id: "cards",
    name: "cards",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 400,
    "aria-describedby": "typed",
    oninput: () => actions.previewCards(input.value),
  });
  return [
    el(
      "form",
      {
        class: "now",
        onsubmit: (event) => {
          event.preventDefault();
          actions.dealCards(input.value);
        },
      },
      el("label", { class: "typed" }, `Cards in deal order (${due.places.length})`, input),
      el("button", { class: "main", name: "deal", id: "deal" }, "Deal these cards", el("kbd", {}, "Enter")),
    ),
    el("p", { id: "typed", role: "status" }),
    el("ul", { id: "spots", class: "spots" }),
  ];
}

/** Each place with its cards; the next one is highlighted. */
function drawTyped(due, typing) {
  const places = typing.places ?? due.places.map((name) => ({ place: name, card: null }));
  const next = places.find((one) => one.card === null)?.place;
  const message = typing.wrong ??
    (typing.complete ? "All cards are entered." : next ? `Next: ${withSpaces(next)}` : "");
  fill("typed", [message, !!typing.wrong], () => el("span", { class: typing.wrong ? "bad" : "" }, message));
  fill("spots", places, () => {
    const names = [...new Set(places.map((one) => one.place))];
    return names.map((name) =>
      el(
        "li",
        { class: name === next ? "next" : "" },
        el("small", {}, capitalize(withSpaces(name))),
        el(
          "ul",
          { class: "cards" },
          places.filter((one) => one.place === name).map((one) =>
            el("li", {}, one.card ? face(one.card) : emptySlot())
          ),
        ),
      )
    );
  });
  find("deal").toggleAttribute("disabled", !typing.complete);
}
