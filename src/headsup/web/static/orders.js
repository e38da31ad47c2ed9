// The commands that the staff fill in: one list of forms. Who may ask which, and which take a second
// person, the server says (`/api/orders`); amounts are typed in dollars.

import { el } from "./dom.js";
import { tableShown } from "./state.js";
import { label } from "./table.js";
import * as words from "./words.js";

const REASON = { name: "reason", text: "Reason", kind: "text", wide: true };
const SEAT = { name: "seat", text: "Seat", kind: "seat" };
export const SEATS = 6; // where the server has not listed the table yet
const MICROS = 10_000; // millionths of a dollar in a cent

/**
 * @typedef {object} Order
 * @property {string} sheet  where it is found
 * @property {string} command
 * @property {string} [as]  its name among the orders, where that is another
 * @property {string} title
 * @property {(now: import("./state.js").AtTable, meters: Meters) => boolean} when
 * @property {any[]} fields
 * @property {object} [fixed]  fields that are always the same
 */

/**
 * @typedef {object} Meters  what the server says of the meter, for its forms
 * @property {{meter: string, shows: string} | null} own
 * @property {{date: string, approval: string, to: string} | null} planned
 * @property {{meter: string, shows: string}[]} others
 * @property {{key: string, outcome: string, label: string, pays: string}[]} cells
 */

/** @type {Meters} */
export const NO_METERS = { own: null, planned: null, others: [], cells: [] };

/** @type {Order[]} */
export const ORDERS = [
  {
    sheet: "meter", command: "FreezeMeter", title: "Let the meter stand still",
    when: (now) => !!now.view.meter && !now.view.meter.frozen, fields: [REASON],
  },
  {
    sheet: "meter", command: "FreezeMeter", as: "UnfreezeMeter", title: "Set the meter running again",
    // While the equipment is down it stands still for that, whatever was ordered.
    when: (now) => !!now.view.meter?.frozen && !now.view.tabulator?.down, fields: [], fixed: { reason: "" },
  },
  {
    sheet: "meter", command: "CorrectMeter", title: "Correct the meter",
    when: (now) => !!now.view.meter,
    fields: [{ name: "amount", text: "Add ($, − takes off)", kind: "micros" }, REASON],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "meter", command: "PlanMeterClosing", title: "Plan the end of the wager",
    when: (now, { others }) => now.view.meter?.prize === "progressive" && others.length > 0,
    fields: [
      { name: "date", text: "Last day", kind: "date" },
      { name: "to", text: "The pool goes to", kind: "pool" },
      { name: "approval", text: "Approved by (letter, date)", kind: "text", wide: true },
    ],
  },
  {
    sheet: "meter", command: "TransferPool", title: "Transfer the pool as planned",
    when: (now, { planned }) => now.view.meter?.prize === "progressive" && !!planned,
    fields: [{ name: "to", text: "To", kind: "planned" }],
  },
  {
    sheet: "meter", command: "SetBonusPrize", title: "Post another Bonus Jackpot prize",
    when: (now) => now.view.meter?.prize === "bonus_jackpot",
    fields: [{ name: "prize", text: "Prize ($)", kind: "micros" }, REASON], fixed: { by: "" },
  },
  {
    sheet: "meter", command: "EndBonus", title: "End the Bonus Jackpot",
    when: (now) => now.view.meter?.prize === "bonus_jackpot", fields: [REASON], fixed: { by: "" },
  },
  {
    sheet: "meter", command: "SetBonusCell", title: "Another amount in a Bonus cell",
    when: (_now, { cells }) => cells.length > 0,
    fields: [
      { name: "cell", text: "Cell", kind: "cell" },
      { name: "pay", text: "Pays", kind: "text" },
      REASON,
    ],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "tabulator", command: "CountByHand", title: "Count by hand",
    when: (now) => !!now.view.tabulator?.down, fields: [{ name: "counts", kind: "counts" }],
  },
  {
    sheet: "tabulator", command: "ReadSensor", title: "Enter what a sensor sees",
    when: (now) => !!now.view.tabulator,
    fields: [{ ...SEAT, kind: "position" }, { name: "wager", text: "Wager", kind: "counted" }, { name: "chip", text: "The sensor sees", kind: "chip" }],
  },
  {
    sheet: "tabulator", command: "CorrectFlag", title: "Settle a light that differs from the felt",
    when: (now) => !!now.view.tabulator && now.view.round?.phase === "no_more_bets",
    fields: [{ ...SEAT, kind: "position" }, { name: "wager", text: "Wager", kind: "counted" }, { name: "wagered", text: "The wager was placed", kind: "yes" }, REASON],
    fixed: { dealer: "", supervisor: "" },
  },
  {
    sheet: "tabulator", command: "ReportEquipmentDown", title: "The equipment is down",
    when: (now) => !!now.view.tabulator && !now.view.tabulator.down, fields: [REASON],
  },
  {
    sheet: "tabulator", command: "RestoreEquipment", title: "The equipment counts again",
    when: (now) => !!now.view.tabulator?.down, fields: [], fixed: { approvals: ["", ""] },
  },
  {
    sheet: "seats", command: "CloseTable", title: "Close the table for good",
    when: (now) => !now.view.closed && Object.keys(now.view.players).length === 0,
    fields: [REASON], fixed: { by: "" },
  },
  {
    sheet: "seats", command: "ExtendTime", title: "Give more time",
    when: (now) => !!now.view.owing?.length,
    fields: [{ ...SEAT, kind: "owing" }, { name: "seconds", text: "Seconds", kind: "whole", value: "60" }],
  },
  {
    sheet: "seats", command: "TimeOut", title: "The player has gone: check, or fold on the river",
    when: (now) => !!now.view.owing?.length, fields: [{ ...SEAT, kind: "owing" }], fixed: { waited: null },
  },
  {
    sheet: "seats", command: "Leave", title: "Stand a player up and cash out",
    when: (now) => Object.keys(now.view.players).length > 0, fields: [{ ...SEAT, kind: "taken" }],
  },
  {
    sheet: "pay", command: "CorrectPayout", title: "Put a wrong payout right",
    when: (now) => now.settled !== null,
    fields: [{ ...SEAT, kind: "taken" }, { name: "amount", text: "To the player ($, − takes back)", kind: "cents" }, REASON],
    fixed: { dealer: "", supervisor: "", player: "", recalled: null },
  },
];

/**
 * The orders of a sheet that this person may give here and now. Some are only for who deals real
 * cards, and not where the house deals.
 */
export function ordersOf(sheet, now, allowed, meters, house) {
  return ORDERS.filter((order) => order.sheet === sheet && now.view && order.when(now, meters) && permitted(order, allowed, house));
}

function permitted(order, allowed, house) {
  return allowed.some((one) => one.command === (order.as ?? order.command) && !(one.by_hand && house));
}

export function takesTwo(order, allowed) {
  return !!allowed.find((one) => one.command === (order.as ?? order.command))?.two_persons;
}

/** A form for one order. @param {(order: Order, command: object) => Promise<boolean>} give */
export function orderForm(order, now, allowed, meters, give) {
  const fields = order.fields.map((field) => control(field, now, meters));
  const form = el(
    "form",
    {
      onkeydown: (event) => {
        if (event.key === "Enter" && event.target instanceof HTMLSelectElement) {
          event.preventDefault(); // as in every other field
          form.requestSubmit();
        }
      },
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = Object.assign({}, order.fixed, ...fields.map((field) => field.read()));
        if (!(await give(order, { command: order.command, ...typed }))) return;
        form.reset();
        if (order.fields.length) shown.open = false;
      },
    },
    fields.length ? el("div", { class: "fields" }, fields.map((field) => field.shown)) : "",
    el(
      "div",
      { class: "actions" },
      el("button", { name: order.as ?? order.command }, order.title),
      takesTwo(order, allowed) ? el("small", {}, "with a supervisor’s approval") : "",
    ),
  );
  const shown = /** @type {HTMLDetailsElement} */ (el("details", { class: "order", open: order.fields.length === 0 }, el("summary", {}, order.title), form));
  return shown;
}

/** A field's element, and how what is typed is read. */
function control(field, now, meters) {
  const { view, posted } = now;
  const named = (input) => el("label", { class: field.wide ? "wide" : "" }, el("span", {}, field.text), input);
  const choice = (options, read) => {
    const select = el("select", { name: field.name, required: true }, options.map(([value, text]) => el("option", { value }, text)));
    return { shown: named(select), read: () => read(select.value) };
  };
  const input = (attributes) => el("input", { name: field.name, required: true, value: field.value, ...attributes });
  switch (field.kind) {
    case "seat":
    case "taken":
    case "owing": {
      const seats = field.kind === "owing" ? view.owing ?? [] : Object.keys(view.players).map(Number);
      return choice(seats.map((seat) => [seat, `${seat}${view.players[seat] ? ` · ${view.players[seat]}` : ""}`]), (seat) => ({ seat: Number(seat) }));
    }
    case "counted":
      return choice(Object.keys(view.tabulator?.counts ?? {}).map((wager) => [wager, label(posted, wager)]), (wager) => ({ wager }));
    case "cell":
      return choice(meters.cells.map((one) => [`${one.key}/${one.outcome}`, `${label(posted, one.key)}: ${one.label} (${one.pays})`]), (value) => ({ key: value.split("/")[0], outcome: value.split("/")[1] }));
    case "position": {
      const seats = Array.from({ length: tableShown(now)?.seats ?? SEATS }, (_, index) => index + 1);
      return choice(seats.map((seat) => [seat, `${seat}${view.players[seat] ? ` · ${view.players[seat]}` : ""}`]), (seat) => ({ seat: Number(seat) }));
    }
    case "chip":
      return choice([["yes", "a chip"], ["no", "no chip any more"]], (seen) => ({ chip: seen === "yes" }));
    case "pool":
      return choice(meters.others.map((one) => [one.meter, `${one.meter} (${words.money(one.shows)})`]), (to) => ({ to }));
    case "planned":
      return choice([[meters.planned?.to ?? "", meters.planned?.to ?? ""]], (to) => ({ to }));
    case "yes": {
      const box = el("input", { type: "checkbox", name: field.name });
      return { shown: el("label", {}, box, field.text), read: () => ({ [field.name]: box.checked }) };
    }
    case "counts":
      return counts(view, posted);
    case "whole": {
      const typed = input({ type: "number", min: 1, step: 1 });
      return { shown: named(typed), read: () => ({ [field.name]: Number(typed.value) }) };
    }
    case "cents":
    case "micros": {
      const typed = input({ inputmode: "decimal", pattern: "(?:-|−)?[0-9]{1,9}([.][0-9]{1,2})?" });
      const scale = field.kind === "micros" ? MICROS : 1;
      return { shown: named(typed), read: () => ({ [field.name]: signedCents(typed.value) * scale }) };
    }
    default: {
      const typed = input({ type: field.kind, maxlength: 200 });
      return { shown: named(typed), read: () => ({ [field.name]: typed.value }) };
    }
  }
}

function counts(view, posted) {
  const wagers = Object.keys(view.tabulator?.counts ?? {});
  const inputs = wagers.map((wager) => ({ wager, input: el("input", { type: "number", min: 0, step: 1, required: true, name: `count ${wager}` }) }));
  return {
    shown: el("div", { class: "wide" }, inputs.map(({ wager, input }) => el("label", {}, el("span", {}, `${label(posted, wager)} wagers on the felt`), input))),
    read: () => ({ counts: Object.fromEntries(inputs.map(({ wager, input }) => [wager, Number(input.value)])) }),
  };
}

function signedCents(text) {
  const negative = /^[-−]/.test(text);
  const amount = words.cents(text.replace(/^[-−]/, "")) ?? 0;
  return negative ? -amount : amount;
}
