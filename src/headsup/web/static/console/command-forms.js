// The forms for staff commands. The server says which of them a person may send and which need approval
// (`/api/orders`). Amounts are typed in dollars.

import { el } from "../lib/dom.js";
import { formatMoney, parseCents } from "../lib/money.js";
import { listedTable } from "../lib/state.js";
import { wagerLabel } from "../lib/text.js";

const REASON = { name: "reason", text: "Reason", kind: "text", wide: true };
const SEAT = { name: "seat", text: "Seat", kind: "seat" };
export const SEATS = 6; // until the server has listed the table
const MICROS_PER_CENT = 10_000; // millionths of a dollar

/**
 * @typedef {object} CommandForm
 * @property {string} sheet  the sheet it is on
 * @property {string} command
 * @property {string} [as]  its name in `/api/orders`, if not the command's
 * @property {string} title
 * @property {(now: import("../lib/state.js").AtTable, meters: Meters) => boolean} when
 * @property {any[]} fields
 * @property {object} [fixed]  fields with fixed values
 */

/**
 * @typedef {object} Meters  about the table's meter, for the forms
 * @property {{meter: string, shows: string} | null} own
 * @property {{date: string, approval: string, to: string, place: string, floor: string, due: boolean} | null} planned
 * @property {{meter: string, shows: string}[]} others
 * @property {{key: string, outcome: string, label: string, pays: string}[]} cells
 */

/** @type {Meters} */
export const NO_METERS = { own: null, planned: null, others: [], cells: [] };

/** @type {CommandForm[]} */
const COMMAND_FORMS = [
  {
    sheet: "meter",
    command: "FreezeMeter",
    title: "Freeze the meter",
    when: (now) => !!now.view.meter && !now.view.meter.frozen,
    fields: [REASON],
  },
  {
    sheet: "meter",
    command: "FreezeMeter",
    as: "UnfreezeMeter",
    title: "Unfreeze the meter",
    // While the equipment is down, the display is frozen anyway.
    when: (now) => !!now.view.meter?.frozen && !now.view.tabulator?.down,
    fields: [],
    fixed: { reason: "" },
  },
  {
    sheet: "meter",
    command: "CorrectMeter",
    title: "Correct the meter",
    when: (now) => !!now.view.meter,
    fields: [{ name: "amount", text: "Amount to add ($, − to subtract)", kind: "micros" }, REASON],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "meter",
    command: "PlanMeterClosing",
    title: "Schedule the end of the wager",
    when: (now) => now.view.meter?.prize === "progressive",
    fields: [
      { name: "date", text: "No wagers from (UTC)", kind: "date" },
      { name: "to", text: "Move the pool to", kind: "pool" },
      { name: "approval", text: "Approved by (letter, date)", kind: "text", wide: true },
    ],
  },
  {
    sheet: "meter",
    command: "TransferPool",
    title: "Transfer the pool as planned",
    when: (now, { planned }) => now.view.meter?.prize === "progressive" && !!planned,
    fields: [{ name: "to", text: "To", kind: "planned" }],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "meter",
    command: "ReceivePool",
    title: "Receive a pool from another floor",
    when: (now) => now.view.meter?.prize === "progressive",
    fields: [
      { name: "sender", text: "Sent by (floor, meter)", kind: "text" },
      { name: "amount", text: "Amount ($)", kind: "micros" },
      { name: "approval", text: "Approved by (letter, date)", kind: "text", wide: true },
    ],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "meter",
    command: "SetBonusPrize",
    title: "Post a new Bonus Jackpot prize",
    when: (now) => now.view.meter?.prize === "bonus_jackpot",
    fields: [{ name: "prize", text: "Prize ($)", kind: "micros" }, REASON],
    fixed: { by: "" },
  },
  {
    sheet: "meter",
    command: "EndBonus",
    title: "End the Bonus Jackpot",
    when: (now) => now.view.meter?.prize === "bonus_jackpot",
    fields: [REASON],
    fixed: { by: "" },
  },
  {
    sheet: "meter",
    command: "SetBonusCell",
    title: "Change the pay of a Bonus cell",
    when: (_now, { cells }) => cells.length > 0,
    fields: [
      { name: "cell", text: "Cell", kind: "cell" },
      { name: "pay", text: "Pays", kind: "text" },
      REASON,
    ],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "tabulator",
    command: "CountByHand",
    title: "Count by hand",
    when: (now) => !!now.view.tabulator?.down,
    fields: [{ name: "counts", kind: "counts" }],
  },
  {
    sheet: "tabulator",
    command: "ReadSensor",
    title: "Enter a sensor reading",
    when: (now) => !!now.view.tabulator,
    fields: [{ ...SEAT, kind: "position" }, { name: "wager", text: "Wager", kind: "counted" }, {
      name: "chip",
      text: "Sensor reading",
      kind: "chip",
    }],
  },
  {
    sheet: "tabulator",
    command: "CorrectFlag",
    title: "Resolve a light that does not match the felt",
    when: (now) => !!now.view.tabulator && now.view.round?.phase === "no_more_bets",
    fields: [{ ...SEAT, kind: "position" }, { name: "wager", text: "Wager", kind: "counted" }, {
      name: "wagered",
      text: "The wager was placed",
      kind: "yes",
    }, REASON],
    fixed: { dealer: "", supervisor: "" },
  },
  {
    sheet: "tabulator",
    command: "ReportEquipmentDown",
    title: "Report equipment down",
    when: (now) => !!now.view.tabulator && !now.view.tabulator.down,
    fields: [REASON],
  },
  {
    sheet: "tabulator",
    command: "RestoreEquipment",
    title: "Report equipment restored",
    when: (now) => !!now.view.tabulator?.down,
    fields: [],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "seats",
    command: "ReportLostSeal",
    title: "Report a lost seal",
    when: (now) => !!now.view.fair?.sealed && (!now.view.round || now.view.round.phase === "closed"),
    fields: [REASON],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "seats",
    command: "CloseTable",
    title: "Close the table permanently",
    when: (now) => !now.view.closed && Object.keys(now.view.players).length === 0,
    fields: [REASON],
    fixed: { by: "" },
  },
  {
    sheet: "seats",
    command: "ExtendTime",
    title: "Give more time",
    when: (now) => !!now.view.owing?.length,
    fields: [{ ...SEAT, kind: "owing" }, { name: "seconds", text: "Seconds", kind: "whole", value: "60" }],
  },
  {
    sheet: "seats",
    command: "TimeOut",
    title: "Player is absent: check, or fold on the river",
    when: (now) => !!now.view.owing?.length,
    fields: [{ ...SEAT, kind: "owing" }],
    fixed: { waited: null },
  },
  {
    sheet: "seats",
    command: "Leave",
    title: "Remove a player and cash out",
    when: (now) => Object.keys(now.view.players).length > 0,
    fields: [{ ...SEAT, kind: "taken" }],
  },
  {
    sheet: "seats",
    command: "IssueCoupon",
    title: "Issue a promotional coupon",
    when: (now) => !!now.view.coupons && !now.view.closed && Object.keys(now.view.players).length > 0,
    fields: [
      { name: "player", text: "Player", kind: "player" },
      { name: "wager", text: "Wager", kind: "couponed" },
      { name: "amount", text: "Amount ($)", kind: "cents" },
      { name: "expires", text: "Last day (UTC)", kind: "date" },
    ],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "seats",
    command: "CancelCoupon",
    title: "Cancel a coupon",
    when: (now) => !!now.view.coupons?.length,
    fields: [{ name: "coupon", text: "Coupon", kind: "coupon" }, REASON],
    fixed: { approvals: ["", ""] },
  },
  {
    sheet: "pay",
    command: "CorrectPayout",
    title: "Correct a payout",
    when: (now) => now.settled !== null,
    fields: [
      { ...SEAT, kind: "taken" },
      { name: "amount", text: "Pay the player ($, − to take back)", kind: "cents" },
      REASON,
    ],
    fixed: { dealer: "", supervisor: "", player: "", round: 0 },
  },
];

/** The forms of a sheet that this person may use now. Some are only for tables with a human dealer. */
export function formsFor(sheet, now, allowed, meters, house) {
  return COMMAND_FORMS.filter((spec) =>
    spec.sheet === sheet && now.view && spec.when(now, meters) && isPermitted(spec, allowed, house)
  );
}

function isPermitted(spec, allowed, house) {
  return allowed.some((one) => one.command === spec.command && !(one.by_hand && house));
}

export function needsApproval(spec, allowed) {
  return !!allowed.find((one) => one.command === spec.command)?.two_persons;
}

/** @param {(form: CommandForm, command: object) => Promise<boolean>} send */
export function commandForm(spec, now, allowed, meters, send) {
  const fields = spec.fields.map((field) => makeField(field, now, meters));
  const element = el(
    "form",
    {
      onkeydown: (event) => {
        if (event.key === "Enter" && event.target instanceof HTMLSelectElement) {
          event.preventDefault(); // Enter submits, as in other fields
          element.requestSubmit();
        }
      },
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = Object.assign({}, spec.fixed, ...fields.map((field) => field.read()));
        if (!(await send(spec, { command: spec.command, ...typed }))) return;
        element.reset();
        if (spec.fields.length) shown.open = false;
      },
    },
    fields.length ? el("div", { class: "fields" }, fields.map((field) => field.shown)) : "",
    el(
      "div",
      { class: "actions" },
      el("button", { name: spec.as ?? spec.command }, spec.title),
      needsApproval(spec, allowed) ? el("small", {}, "needs supervisor approval") : "",
    ),
  );
  const shown = /** @type {HTMLDetailsElement} */ (el(
    "details",
    { class: "order", open: spec.fields.length === 0 },
    el("summary", {}, spec.title),
    element,
  ));
  return shown;
}

/** A field's element, and how to read its value. */
function makeField(field, now, meters) {
  const { view, posted } = now;
  const labelled = (input) => el("label", { class: field.wide ? "wide" : "" }, el("span", {}, field.text), input);
  const choice = (options, read) => {
    const select = el(
      "select",
      { name: field.name, required: true },
      options.map(([value, text]) => el("option", { value }, text)),
    );
    return { shown: labelled(select), read: () => read(select.value) };
  };
  const input = (attributes) => el("input", { name: field.name, required: true, value: field.value, ...attributes });
  switch (field.kind) {
    case "seat":
    case "taken":
    case "owing": {
      const seats = field.kind === "owing" ? view.owing ?? [] : Object.keys(view.players).map(Number);
      return choice(
        seats.map((seat) => [seat, `${seat}${view.players[seat] ? ` · ${view.players[seat]}` : ""}`]),
        (seat) => ({ seat: Number(seat) }),
      );
    }
    case "player": {
      const players = [...new Set(Object.values(view.players))].sort();
      return choice(players.map((player) => [player, player]), (player) => ({ player }));
    }
    case "couponed": {
      const wagers = view.offered.filter((wager) => wager !== "progressive"); // chips only
      return choice(wagers.map((wager) => [wager, wagerLabel(posted, wager)]), (wager) => ({ wager }));
    }
    case "coupon":
      return choice(
        view.coupons.map((one) => [one.coupon, couponText(one, posted)]),
        (coupon) => ({ coupon: Number(coupon) }),
      );
    case "counted":
      return choice(
        Object.keys(view.tabulator?.counts ?? {}).map((wager) => [wager, wagerLabel(posted, wager)]),
        (wager) => ({ wager }),
      );
    case "cell":
      return choice(
        meters.cells.map((
          one,
        ) => [`${one.key}/${one.outcome}`, `${wagerLabel(posted, one.key)}: ${one.label} (${one.pays})`]),
        (value) => ({ key: value.split("/")[0], outcome: value.split("/")[1] }),
      );
    case "position": {
      const seats = Array.from({ length: listedTable(now)?.seats ?? SEATS }, (_, index) => index + 1);
      return choice(
        seats.map((seat) => [seat, `${seat}${view.players[seat] ? ` · ${view.players[seat]}` : ""}`]),
        (seat) => ({ seat: Number(seat) }),
      );
    }
    case "chip":
      return choice([["yes", "a chip"], ["no", "no chip"]], (seen) => ({ chip: seen === "yes" }));
    case "pool":
      return poolFields(field, meters);
    case "planned": {
      const { to = "", floor = "" } = meters.planned ?? {};
      return choice([[to, floor ? `${to}, floor ${floor}` : to]], () => ({ to }));
    }
    case "yes": {
      const box = el("input", { type: "checkbox", name: field.name });
      return { shown: el("label", {}, box, field.text), read: () => ({ [field.name]: box.checked }) };
    }
    case "counts":
      return countFields(view, posted);
    case "whole": {
      const typed = input({ type: "number", min: 1, step: 1 });
      return { shown: labelled(typed), read: () => ({ [field.name]: Number(typed.value) }) };
    }
    case "cents":
    case "micros": {
      const typed = input({ inputmode: "decimal", pattern: "(?:-|−)?[0-9]{1,9}([.][0-9]{1,2})?" });
      const scale = field.kind === "micros" ? MICROS_PER_CENT : 1;
      return { shown: labelled(typed), read: () => ({ [field.name]: signedCents(typed.value) * scale }) };
    }
    default: {
      const typed = input({ type: field.kind, maxlength: 200 });
      return { shown: labelled(typed), read: () => ({ [field.name]: typed.value }) };
    }
  }
}

/** Where a closing meter's pool goes: a meter of this floor or of another one, or a game outside this system. */
function poolFields(field, meters) {
  const places = { other_floor: "A meter on another floor", outside: "A game outside this system" };
  const options = [
    ...meters.others.map((one) => [one.meter, `${one.meter} (${formatMoney(one.shows)})`]),
    ...Object.entries(places),
  ];
  const named = el("input", { name: "target", maxlength: 100 });
  const floor = el("input", { name: "floor", maxlength: 100 });
  const namedLabel = el("label", {}, el("span", {}, "Meter or game"), named);
  const floorLabel = el("label", {}, el("span", {}, "Floor"), floor);
  const select = el(
    "select",
    { name: field.name, required: true, onchange: () => show() },
    options.map(([value, text]) => el("option", { value }, text)),
  );
  const place = () => (select.selectedIndex < meters.others.length ? "this_floor" : select.value);
  const show = () => {
    namedLabel.hidden = !(named.required = place() !== "this_floor");
    floorLabel.hidden = !(floor.required = place() === "other_floor");
  };
  show();
  return {
    shown: el("div", { class: "wide" }, el("label", {}, el("span", {}, field.text), select), floorLabel, namedLabel),
    read: () => ({
      place: place(),
      to: place() === "this_floor" ? select.value : named.value,
      floor: place() === "other_floor" ? floor.value : "",
    }),
  };
}

function couponText({ coupon, player, wager, amount, expires }, posted) {
  return `${coupon} · ${player}, ${wagerLabel(posted, wager)} ${formatMoney(amount)}, until ${expires}`;
}

function countFields(view, posted) {
  const wagers = Object.keys(view.tabulator?.counts ?? {});
  const inputs = wagers.map((wager) => ({
    wager,
    input: el("input", { type: "number", min: 0, step: 1, required: true, name: `count ${wager}` }),
  }));
  return {
    shown: el(
      "div",
      { class: "wide" },
      inputs.map(({ wager, input }) =>
        el("label", {}, el("span", {}, `${wagerLabel(posted, wager)} wagers on the felt`), input)
      ),
    ),
    read: () => ({ counts: Object.fromEntries(inputs.map(({ wager, input }) => [wager, Number(input.value)])) }),
  };
}

function signedCents(text) {
  const negative = /^[-−]/.test(text);
  const amount = parseCents(text.replace(/^[-−]/, "")) ?? 0;
  return negative ? -amount : amount;
}
