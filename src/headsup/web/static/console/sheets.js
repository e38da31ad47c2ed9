// The sheets beside the felt: payouts, irregularities, tabulator, meter, seats and display, pace.

/** @import { TableView } from "../lib/state.js" */

import { el, fill, find } from "../lib/dom.js";
import { formatMoney } from "../lib/money.js";
import { pacePanel } from "../lib/pace-form.js";
import { linkField } from "../lib/staff-page.js";
import { wagerLabel } from "../lib/text.js";
import { commandForm } from "./command-forms.js";
import { irregularitySheet } from "./irregularities.js";
import { payoutSheet } from "./payouts.js";

export const SHEET_NAMES = [
  { id: "pay", key: "p", text: "Pay" },
  { id: "irregularity", key: "i", text: "Irregularity" },
  { id: "tabulator", key: "t", text: "Tabulator" },
  { id: "meter", key: "m", text: "Meter" },
  { id: "seats", key: "s", text: "Seats" },
  { id: "pace", key: "c", text: "Pace" },
];

/** @param {any} shown  the console's state @param {any} actions */
export function drawSheet(shown, actions) {
  const { now, sheet } = shown;
  /** @type {Record<string, boolean>} */
  const has = { tabulator: !!now.view.tabulator, pace: now.view.desk?.deals !== "entered" };
  const sheets = SHEET_NAMES.filter((one) => has[one.id] ?? true);
  fill("tabs", [sheet, sheets.map((one) => one.id)], () => sheets.map((entry) => tabButton(entry, sheet, actions)));
  const forms = Object.entries(now.view.forms).filter(([, form]) => form.sheet === sheet);
  fill("panel", [sheet, forms, ...dataOf(shown)], () =>
    keepOpen(addDigits([
      ...content(shown, actions),
      ...forms.map(([name, form]) => commandForm(name, form, actions.send)),
    ])));
}

/** Keep open forms open when the sheet is redrawn. @param {any[]} content */
function keepOpen(content) {
  const open = new Set(
    [...find("panel").querySelectorAll("details.order[open] > form button[name]")].map((one) =>
      one.getAttribute("name")
    ),
  );
  for (const one of content) {
    if (one instanceof HTMLDetailsElement && open.has(one.querySelector("form button")?.getAttribute("name") ?? "")) {
      one.open = true;
    }
  }
  return content;
}

const NUMBERED = "details.order > summary, .choices > button, button.order";

/** Give each choice on a sheet a digit, in order. @param {any[]} content */
function addDigits(content) {
  const elements = content.flat(Infinity).filter((/** @type {any} */ child) => child instanceof HTMLElement);
  const choices = elements.flatMap((/** @type {any} */ element) => [element, ...element.querySelectorAll("*")]).filter((
    /** @type {any} */ element,
  ) => element.matches(NUMBERED));
  choices.slice(0, 9).forEach((/** @type {any} */ choice, /** @type {number} */ index) => {
    choice.setAttribute("aria-keyshortcuts", String(index + 1));
    choice.prepend(el("kbd", { "aria-hidden": "true" }, String(index + 1)));
  });
  return content;
}

/** Act on a digit key: press that button, or open that form and focus its first field. @param {string} digit */
export function pressDigit(digit) {
  const choice = /** @type {HTMLElement | null} */ (find("panel").querySelector(`[aria-keyshortcuts="${digit}"]`));
  const form = choice?.closest("details");
  if (!form) return choice?.click();
  form.open = true;
  /** @type {HTMLElement | null} */ (form.querySelector("input, select, button"))?.focus();
}

/** @param {any} entry @param {string} sheet @param {any} actions */
function tabButton(entry, sheet, actions) {
  return el(
    "button",
    {
      type: "button",
      role: "tab",
      name: entry.id,
      "aria-selected": entry.id === sheet ? "true" : "false",
      "aria-controls": "panel",
      "aria-keyshortcuts": entry.key,
      onclick: () => actions.openSheet(entry.id),
    },
    entry.text,
    el("kbd", { "aria-hidden": "true" }, entry.key),
  );
}

/** The data that a sheet shows: it is only redrawn when this changes. @param {any} view */
function dataOf({ now, sheet, chosen, displayLink, pace }) {
  const { view } = now;
  switch (sheet) {
    case "pay":
      return [view.round?.results, view.next, view.round?.dealer_hand, now.posted?.labels];
    case "irregularity":
      return [view.irregularities, chosen];
    case "tabulator":
      return [view.tabulator, view.players];
    case "meter":
      return [view.meter];
    case "pace":
      return [pace];
    default:
      return [view.players, view.owing, view.coupons, displayLink];
  }
}

/** @param {any} shown @param {any} actions */
function content(shown, actions) {
  const { now, sheet, chosen, displayLink, pace } = shown;
  const { view, posted } = now;
  switch (sheet) {
    case "pay":
      return payoutSheet(view, posted);
    case "irregularity":
      return irregularitySheet(view.irregularities ?? [], chosen, posted, view.players, actions);
    case "tabulator":
      return tabulator(view, posted, view.seats);
    case "meter":
      return meter(view, posted);
    case "pace":
      return pace
        ? pacePanel(pace, actions.setPace)
        : [el("p", { class: "soft" }, "A dealer runs this table, at their own pace.")];
    default:
      return seats(view, displayLink, actions);
  }
}

/** @param {any} view @param {any} posted @param {any} seats */
function tabulator({ tabulator }, posted, seats) {
  if (!tabulator) return [el("p", {}, "This table has no tabulator.")];
  return [
    tabulator.down
      ? el(
        "p",
        { class: "alarm" },
        `The equipment is down: ${tabulator.down}. The display is frozen; the jackpot keeps growing.`,
      )
      : "",
    ...Object.entries(tabulator.counts).map(([wager, count]) =>
      el(
        "div",
        {},
        el("h3", {}, `${wagerLabel(posted, wager)}: ${count} counted`),
        el("ul", { class: "lights" }, lights(seats, tabulator.lights[wager] ?? [])),
      )
    ),
  ];
}

/** @param {any} seats @param {any} lit */
function lights(seats, lit) {
  return Array.from({ length: seats }, (_, index) => index + 1).map((seat) =>
    el("li", {
      class: lit.includes(seat) ? "lit" : "",
      "aria-label": `Seat ${seat}: ${lit.includes(seat) ? "lit" : "dark"}`,
    }, String(seat))
  );
}

/** @param {any} view @param {any} posted */
function meter({ meter }, posted) {
  if (!meter) return [el("p", { class: "soft" }, "This table has no meter.")];
  return [
    el("h3", {}, `${wagerLabel(posted, "progressive")}: ${formatMoney(meter.shows)}`),
    meter.frozen ? el("p", { class: "alarm" }, `Display frozen: ${meter.frozen}`) : "",
    ...meter.notices.map((/** @type {any} */ notice) => el("p", { class: "soft" }, notice)),
  ];
}

/** @param {TableView} view @param {string} displayLink @param {any} actions */
function seats(view, displayLink, actions) {
  const taken = Object.entries(view.players);
  return [
    el(
      "ul",
      {},
      taken.map(([seat, name]) =>
        el("li", {}, `Seat ${seat}: ${name}${view.owing?.includes(Number(seat)) ? ", to act" : ""}`)
      ),
    ),
    taken.length ? "" : el("p", { class: "soft" }, "No players are seated yet."),
    pauseForm(actions),
    el(
      "div",
      { class: "actions" },
      el(
        "button",
        { type: "button", class: "order", name: "display", onclick: actions.makeDisplayLink },
        "Create a link for this table’s display",
      ),
    ),
    displayLink
      ? el(
        "p",
        { class: "outlook" },
        "Open this on the screen above the table: ",
        el("a", { href: displayLink, target: "_blank", rel: "noopener" }, "the display"),
        ". Anyone with the link can see what the display shows, for a month.",
        linkField(displayLink, "Address of the display"),
      )
      : "",
  ];
}

/** A pause with a reason that everyone at the table sees; also used to close for the day. @param {any} actions */
function pauseForm(actions) {
  const reason = el("input", {
    name: "pause reason",
    required: true,
    maxlength: 100,
    placeholder: "closed until tomorrow",
  });
  return el(
    "details",
    { class: "order" },
    el("summary", {}, "Pause the table, with a reason for everyone to see"),
    el(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          actions.pause(reason.value);
        },
      },
      el("label", {}, "Reason for the pause", reason),
      el("div", { class: "actions" }, el("button", { name: "pause" }, "Pause the table")),
    ),
  );
}
