// The dealer's next step, on one key, and the form for entering the cards of a real deck.

import { emptySlot, face } from "../lib/cards.js";
import { el, fill, find } from "../lib/dom.js";
import { capitalize, withSpaces } from "../lib/text.js";

/**
 * @typedef {object} Due  the next step, and how the table is dealt
 * @property {string} key
 * @property {string} text
 * @property {number[]} [seats]
 * @property {string[]} [places]  of the cards to type
 * @property {boolean} [can]  one key does it
 * @property {boolean} [empty]  a round without bets may be closed
 * @property {string} [sheet]  where it is done
 * @property {string} paused  by staff
 * @property {boolean} byHand
 * @property {string[]} attend  what may be done about the dealing
 * @property {string} notice  why the round must stop
 */

/** @param {import("../lib/state.js").TableView} view @returns {Due | null} */
export function dueOf({ desk, paused }) {
  if (!desk) return null;
  const isPaused = desk.attend.includes("resume");
  return {
    ...desk.due,
    paused: isPaused ? String(paused ?? "") : "",
    byHand: desk.deals === "hand",
    attend: desk.attend,
    notice: desk.notice ?? "",
  };
}

/**
 * @param {Due | null} due
 * @param {object} typing  the cards typed so far, and the server's reading of them
 * @param {boolean} isPausing  whether the dealer is typing the reason for a pause
 * @param {any} actions
 */
export function drawDue(due, typing, isPausing, actions) {
  const entering = !!due?.places;
  fill("due", isPausing ? "pausing" : due, () => {
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
      due.notice ? el("p", { class: "waits alarm", role: "status" }, `${capitalize(due.notice)}.`) : "",
      due.can
        ? el(
          "button",
          { type: "button", class: "main", name: "due", "aria-keyshortcuts": "Space", onclick: actions.doDue },
          due.text,
          el("kbd", {}, "Space"),
        )
        : el("p", { class: "waits", role: "status" }, due.text),
      due.empty
        ? el(
          "button",
          { type: "button", class: "quiet", name: "empty", onclick: actions.doDue },
          "Close the empty round",
        )
        : "",
      due.sheet
        ? el(
          "button",
          { type: "button", class: "gold", name: "sheet", onclick: () => actions.openSheet(due.sheet) },
          "Go to the sheet",
        )
        : "",
      dealingModeButtons(due, actions),
    );
  });
  if (entering && !isPausing && !due?.paused) drawTyped(due, typing);
}

/** The reason for a pause, which everyone at the table reads. @param {any} actions */
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

/** Buttons to pause, and to switch between manual and automatic dealing. @param {any} due @param {any} actions */
function dealingModeButtons(due, actions) {
  /** @param {string} paused @param {boolean} byHand */
  const set = (paused, byHand) => () => actions.setDealingMode({ paused, by_hand: byHand });
  /** @param {string} name @param {string} text @param {() => unknown} act @param {string} [key] */
  const button = (name, text, act, key) =>
    el(
      "button",
      { type: "button", class: "quiet", name, onclick: act, "aria-keyshortcuts": key },
      text,
      key ? el("kbd", {}, key) : "",
    );
  const buttons = {
    resume: () => button("go on", "Resume", set("", due.byHand), "b"),
    pause: () => button("pause", "Pause…", actions.askReason, "b"),
    take_over: () => button("take over", "Take over from automatic dealing", set("", true)),
    hand_back: () => button("hand back", "Resume automatic dealing", set("", false)),
  };
  return el(
    "span",
    { class: "rows standing" },
    due.attend.map((/** @type {keyof typeof buttons} */ one) => buttons[one]()),
  );
}

/** @param {any} due @param {any} actions */
function cardForm(due, actions) {
  /** @type {HTMLInputElement} */
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

/** Each place with its cards; the next one is highlighted. @param {any} due @param {any} typing */
function drawTyped(due, typing) {
  const places = typing.places ?? due.places.map((/** @type {string} */ name) => ({ place: name, card: null }));
  const next = places.find((/** @type {any} */ one) => one.card === null)?.place;
  const message = typing.wrong ??
    (typing.complete ? "All cards are entered." : next ? `Next: ${withSpaces(next)}` : "");
  fill("typed", [message, !!typing.wrong], () => el("span", { class: typing.wrong ? "bad" : "" }, message));
  fill("spots", places, () => {
    const names = [...new Set(places.map((/** @type {any} */ one) => one.place))];
    return names.map((name) =>
      el(
        "li",
        { class: name === next ? "next" : "" },
        el("small", {}, capitalize(withSpaces(name))),
        el(
          "ul",
          { class: "cards" },
          places.filter((/** @type {any} */ one) => one.place === name).map((/** @type {any} */ one) =>
            el("li", {}, one.card ? face(one.card) : emptySlot())
          ),
        ),
      )
    );
  });
  find("deal").toggleAttribute("disabled", !typing.complete);
}
