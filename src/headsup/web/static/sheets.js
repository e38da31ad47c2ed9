// The sheets beside the felt: payouts, irregularities, tabulator, meter, seats and display, pace.

import { el, fill, find } from "./dom.js";
import { irregularities } from "./irregular.js";
import { orderForm, ordersOf, SEATS } from "./orders.js";
import { paceShown } from "./pace.js";
import { payouts } from "./payouts.js";
import { address } from "./staff.js";
import { tableShown } from "./state.js";
import { label } from "./table.js";
import * as words from "./words.js";

export const SHEET_NAMES = [
  { id: "pay", key: "p", text: "Pay" },
  { id: "irregularity", key: "i", text: "Irregularity" },
  { id: "tabulator", key: "t", text: "Tabulator" },
  { id: "meter", key: "m", text: "Meter" },
  { id: "seats", key: "s", text: "Seats" },
  { id: "pace", key: "c", text: "Pace" },
];

/** @param {any} shown what the console knows @param {any} doing what its controls do */
export function drawSheet(shown, doing) {
  const { now, sheet, allowed } = shown;
  const has = { tabulator: !!now.view.tabulator, pace: shown.house };
  const there = SHEET_NAMES.filter((one) => has[one.id] ?? true);
  fill("tabs", [sheet, there.map((one) => one.id)], () => there.map((one) => tab(one, sheet, doing)));
  const orders = ordersOf(sheet, now, allowed, shown.meters, shown.house);
  const names = orders.map((order) => order.as ?? order.command);
  fill("panel", [sheet, names, ...facts(shown)], () =>
    stillOpen(numbered([
      ...content(shown, doing),
      ...orders.map((order) => orderForm(order, now, allowed, shown.meters, doing.give)),
    ])),
  );
}

/** A form that somebody has opened stays open when the sheet is drawn again. */
function stillOpen(content) {
  const open = new Set([...find("panel").querySelectorAll("details.order[open] > form button[name]")].map((one) => one.getAttribute("name")));
  for (const one of content) {
    if (one instanceof HTMLDetailsElement && open.has(one.querySelector("form button")?.getAttribute("name") ?? "")) one.open = true;
  }
  return content;
}

const NUMBERED = "details.order > summary, .choices > button, button.order";

/** What can be chosen on a sheet has a digit each, in order. */
function numbered(content) {
  const shown = content.flat(Infinity).filter((one) => one instanceof HTMLElement);
  const found = shown.flatMap((one) => [one, ...one.querySelectorAll("*")]).filter((one) => one.matches(NUMBERED));
  found.slice(0, 9).forEach((one, at) => {
    one.setAttribute("aria-keyshortcuts", String(at + 1));
    one.prepend(el("kbd", { "aria-hidden": "true" }, String(at + 1)));
  });
  return content;
}

/** Press the digit of something on the sheet that is open: a form opens with its first field at
 * hand, and is given up with Escape. @param {string} digit */
export function pressDigit(digit) {
  const found = /** @type {HTMLElement | null} */ (find("panel").querySelector(`[aria-keyshortcuts="${digit}"]`));
  const form = found?.closest("details");
  if (!form) return found?.click();
  form.open = true;
  /** @type {HTMLElement | null} */ (form.querySelector("input, select, button"))?.focus();
}

function tab(one, sheet, doing) {
  return el(
    "button",
    {
      type: "button",
      role: "tab",
      name: one.id,
      "aria-selected": one.id === sheet ? "true" : "false",
      "aria-controls": "panel",
      "aria-keyshortcuts": one.key,
      onclick: () => doing.sheet(one.id),
    },
    one.text,
    el("kbd", { "aria-hidden": "true" }, one.key),
  );
}

/** What a sheet is drawn from: forms stay as they are while nothing of it changes. */
function facts({ now, sheet, found, chosen, displayLink, paid, pace, meters }) {
  const { view } = now;
  switch (sheet) {
    case "pay":
      return [paid, view.round?.dealer_hand, now.posted?.labels];
    case "irregularity":
      return [found, chosen];
    case "tabulator":
      return [view.tabulator, view.players];
    case "meter":
      return [view.meter, meters];
    case "pace":
      return [pace];
    default:
      return [view.players, view.owing, displayLink];
  }
}

function content(shown, doing) {
  const { now, sheet, found, chosen, displayLink, paid, pace, meters } = shown;
  const { view, posted } = now;
  switch (sheet) {
    case "pay":
      return payouts(paid, view.round, posted);
    case "irregularity":
      return irregularities(found, chosen, posted, view.players, doing);
    case "tabulator":
      return tabulator(view, posted, tableShown(now)?.seats ?? SEATS);
    case "meter":
      return meter(view, posted, meters.planned);
    case "pace":
      return pace ? paceShown(pace, doing.pace) : [el("p", { class: "soft" }, "A person deals at this table, at their own pace.")];
    default:
      return seats(view, displayLink, doing);
  }
}

function tabulator({ tabulator }, posted, seats) {
  if (!tabulator) return [el("p", {}, "This table counts no wagers.")];
  return [
    tabulator.down ? el("p", { class: "alarm" }, `The equipment is down: ${tabulator.down}. The meter stands still.`) : "",
    ...Object.entries(tabulator.counts).map(([wager, count]) =>
      el(
        "div",
        {},
        el("h3", {}, `${label(posted, wager)}: ${count} counted`),
        el("ul", { class: "lights" }, lights(seats, tabulator.lights[wager] ?? [])),
      ),
    ),
  ];
}

function lights(seats, lit) {
  return Array.from({ length: seats }, (_, index) => index + 1).map((seat) =>
    el("li", { class: lit.includes(seat) ? "lit" : "", "aria-label": `Seat ${seat}: ${lit.includes(seat) ? "lit" : "dark"}` }, String(seat)),
  );
}

function meter({ meter }, posted, planned) {
  if (!meter) return [el("p", { class: "soft" }, "No meter is played for at this table.")];
  return [
    el("h3", {}, `${label(posted, "progressive")}: ${words.money(meter.shows)}`),
    meter.frozen ? el("p", { class: "alarm" }, `It stands still: ${meter.frozen}`) : "",
    planned ? el("p", { class: "outlook" }, `The wager ends on ${planned.date}, and its pool goes to ${planned.to}: ${planned.approval}.`) : "",
    ...meter.notices.map((one) => el("p", { class: "soft" }, one)),
  ];
}

function seats(view, displayLink, doing) {
  const taken = Object.entries(view.players);
  return [
    el(
      "ul",
      {},
      taken.map(([seat, name]) => el("li", {}, `Seat ${seat}: ${name}${view.owing?.includes(Number(seat)) ? ", to decide" : ""}`)),
    ),
    taken.length ? "" : el("p", { class: "soft" }, "Nobody sits here yet."),
    pauseForm(doing),
    el("div", { class: "actions" }, el("button", { type: "button", class: "order", name: "display", onclick: doing.display }, "Make a link for this table’s display")),
    displayLink ? el("p", { class: "outlook" }, "Open this on the screen above the table: ", el("a", { href: displayLink, target: "_blank", rel: "noopener" }, "the display"), ". Whoever has the link sees what the display shows, for a month.", address(displayLink, "Address of the display")) : "",
  ];
}

/** A pause with words of its own, which everyone at the table reads: also to close for the day. */
function pauseForm(doing) {
  const reason = el("input", { name: "pause reason", required: true, maxlength: 100, placeholder: "closed until tomorrow" });
  return el(
    "details",
    { class: "order" },
    el("summary", {}, "Pause the table, with a reason that all read"),
    el(
      "form",
      { onsubmit: (event) => { event.preventDefault(); doing.pause(reason.value); } },
      el("label", {}, "Reason of the pause", reason),
      el("div", { class: "actions" }, el("button", { name: "pause" }, "Pause the table")),
    ),
  );
}
