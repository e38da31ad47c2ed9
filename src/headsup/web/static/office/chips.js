// Tables with real chips: guests, shifts, slips, and what the shifts won.

/** @import { Page } from "./main.js" */
/** @import { FeltResponse, GamingDayModel, HeldAwardModel, ShiftReportLine, SlipModel, TableResponse } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el, formQuery } from "../lib/dom.js";
import { get, newId, post } from "../lib/http.js";
import { formatExact, netTone, parseCents } from "../lib/money.js";
import { formatTime } from "../lib/replay.js";
import { capitalize, withSpaces } from "../lib/text.js";

const AT_THE_TABLE = ["dealer", "supervisor"];
const OFFICE = ["supervisor", "administrator"];
const BOOKS = ["supervisor", "administrator", "auditor"];
const DENOMINATIONS = [100, 500, 2500, 10000, 50000, 100000]; // cents
const SPANS = { shift: "Shift", day: "Gaming day", month: "Month", year: "Year to date" };

/** @param {Page} page */
export async function openChips(page) {
  const [table] = page.path;
  if (table) return openTable(page, table);
  const seesBooks = BOOKS.includes(page.person.role);
  /** @type {TableResponse[]} */
  const tables = await get("/api/tables");
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Real chips"),
      el(
        "p",
        { class: "soft" },
        "Guests, shifts and slips of the tables at which people play with real chips. Choose a table.",
      ),
      el("p", {}, tables.map((one) => [el("a", { class: "button", href: link(one.id) }, one.id), " "])),
    ),
    ...(seesBooks ? [await report(page), await gamingDay(page)] : []),
  );
}

/** @param {string} table */
function link(table) {
  return `#/chips/${encodeURIComponent(table)}`;
}

// What the shifts won.

/** @param {Page} page */
async function report(page) {
  const query = new URLSearchParams([...page.query].filter(([, value]) => value));
  /** @type {ShiftReportLine[]} */
  const lines = await get(`/api/shifts?${query}`);
  const chosen = query.get("span") ?? "shift";
  /** @param {string} name @param {string} text */
  const day = (name, text) =>
    el("label", {}, el("span", {}, text), el("input", { type: "date", name, value: query.get(name) ?? "" }));
  const form = el(
    "form",
    {
      class: "search",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        location.hash = `#/chips?${formQuery(form)}`;
      },
    },
    el(
      "label",
      {},
      el("span", {}, "By"),
      el(
        "select",
        { name: "span" },
        Object.entries(SPANS).map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
      ),
    ),
    day("since", "From"),
    day("until", "Before"),
    el("button", { class: "main" }, "Show"),
  );
  /** @param {string} format */
  const exported = (format) => `/api/shifts/export?${new URLSearchParams([...query, ["format", format]])}`;
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Win by count"),
    form,
    dataTable(
      ["Table", SPANS.shift, "Opening", "Fills", "Credits", "Drop", "Closing", "Win", "Recorded", "Variance", "Hold"],
      lines.map((line) => [
        line.table,
        line.open ? `${line.span} (open)` : line.span,
        formatExact(line.opening),
        formatExact(line.fills),
        formatExact(line.credits),
        money(line.drop),
        money(line.closing),
        line.win === null ? "" : el("span", { class: netTone(line.win) }, formatExact(line.win)),
        money(line.recorded),
        line.variance === null ? "" : el("span", { class: netTone(line.variance) }, formatExact(line.variance)),
        line.hold === null ? "" : `${(Number(line.hold) * 100).toFixed(1)}%`.replace("-", "−"),
      ]),
      { none: "No shift was opened on these days." },
    ),
    el(
      "p",
      { class: "soft" },
      "Win by count is drop + closing + credits − opening − fills. The recorded win is what the rounds say; the variance is the difference. Hold is win ÷ drop.",
    ),
    el("p", {}, el("a", { href: exported("csv") }, "CSV"), " · ", el("a", { href: exported("json") }, "JSON")),
  );
}

/** @param {string | null} amount */
function money(amount) {
  return amount === null ? "" : formatExact(amount);
}

/** @param {Page} page */
async function gamingDay(page) {
  /** @type {GamingDayModel} */
  const day = await get("/api/gaming-day");
  const zone = el("input", { name: "zone", value: day.zone, maxlength: 60, placeholder: "the server’s own" });
  const hour = el("input", { name: "hour", type: "number", min: 0, max: 23, required: true, value: String(day.hour) });
  const form = el(
    "form",
    {
      class: "search",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const body = { zone: zone.value.trim(), hour: Number(hour.value) };
        if (await page.attempt(() => post("/api/gaming-day", body))) page.reload();
      },
    },
    el("label", {}, el("span", {}, "Time zone, like America/New_York"), zone),
    el("label", {}, el("span", {}, "Begins at hour"), hour),
    el("button", {}, "Set"),
  );
  const where = day.zone || "the server’s own time zone";
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Gaming day"),
    el("p", { class: "soft" }, "A shift belongs to the gaming day in which it opened. Records stay in UTC."),
    page.person.role === "administrator" ? form : el("p", {}, `Begins at ${day.hour}:00, ${where}.`),
  );
}

// One table.

/** @param {Page} page @param {string} table */
async function openTable(page, table) {
  const path = `/api/tables/${encodeURIComponent(table)}`;
  /** @type {[FeltResponse, SlipModel[]]} */
  const [felt, slips] = await Promise.all([get(`${path}/felt`), get(`${path}/slips`)]);
  const atTheTable = AT_THE_TABLE.includes(page.person.role);
  /** @param {object} command */
  const alone = async (command) => {
    const done = await page.attempt(() => post(`${path}/commands`, { id: newId(), command }));
    if (done) page.reload();
  };
  /** @param {string} title @param {object} command */
  const withTwo = async (title, command) => {
    const id = newId();
    const signed = { approvals: ["", ""], ...command };
    const done = await page.askApproval(`${title}, table ${table}.`, async (approval) => {
      await post(`${path}/commands`, { id, command: signed, approval });
    });
    if (done) await openTable(page, table);
    const newest = done ? await newestSlip(path) : undefined;
    if (newest && newest.slip !== slips[0]?.slip) slipDialog(newest, false);
  };
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, `Real chips, ${table}`),
      el("p", {}, el("a", { href: "#/chips" }, "All tables and reports")),
      felt.needs_fill ? el("p", { class: "bad" }, "The book has the tray below zero: call a fill.") : "",
      shiftText(felt),
      atTheTable ? el("div", {}, shiftForms(felt, withTwo)) : "",
      OFFICE.includes(page.person.role) ? el("div", {}, officeForms(felt, withTwo)) : "",
    ),
    heldPanel(felt.held, atTheTable, withTwo),
    guestsPanel(felt, atTheTable, alone),
    slipsPanel(slips),
  );
}

/** @param {FeltResponse} felt */
function shiftText({ shift, boxes }) {
  if (!shift) return el("p", {}, "No shift is open.");
  const expected = shift.expected === null ? "" : ` The book expects ${formatExact(shift.expected)} in the tray now.`;
  const waiting = boxes.length ? ` Boxes to be counted: slip ${boxes.join(", ")}.` : "";
  return el(
    "p",
    {},
    `Shift ${shift.number} opened with ${formatExact(shift.opening)}; fills ${formatExact(shift.fills)}, credits ${
      formatExact(shift.credits)
    }.${expected}${waiting}`,
  );
}

/** @typedef {(title: string, command: object) => Promise<void>} Order */

/** @param {FeltResponse} felt @param {Order} send */
function shiftForms(felt, send) {
  if (!felt.shift) {
    return [countForm("Open a shift", (count) => send("Open a shift", { command: "OpenShift", ...count }))];
  }
  return [
    countForm("Fill from the cage", (count) => send("A fill", { command: "FillTray", ...count })),
    countForm("Credit to the cage", (count) => send("A credit", { command: "CreditTray", ...count })),
    buttonForm("Pull the box", () => send("Pull the box", { command: "PullBox" })),
    countForm("Close the shift", (count) => send("Close the shift", { command: "CloseShift", ...count })),
  ];
}

/** @param {FeltResponse} felt @param {Order} send */
function officeForms(felt, send) {
  const required = Boolean(felt.settings.shift_required);
  const settings = { ...felt.settings, shift_required: !required };
  const lock = moneyField("lock", felt.settings.lock_above);
  const notice = moneyField("notice", felt.settings.tax_notice);
  const locks = el(
    "details",
    { class: "order" },
    el("summary", {}, "Hold large awards"),
    el(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const limits = { lock_above: parseCents(lock.value) ?? 0, tax_notice: parseCents(notice.value) ?? 0 };
          send("New limits for awards", { command: "SetFelt", settings: { ...felt.settings, ...limits } });
        },
      },
      el(
        "div",
        { class: "fields" },
        el("label", {}, el("span", {}, "Hold awards above ($, 0: none)"), lock),
        el("label", {}, el("span", {}, "Ask for a tax slip from ($, 0: never)"), notice),
      ),
      el("div", { class: "actions" }, el("button", { class: "main" }, "Set the limits")),
    ),
  );
  const title = required ? "Let guests play without a shift" : "Demand a shift before guests play";
  return [
    ...felt.boxes.map((box) =>
      countForm(
        `Count the box of slip ${box}`,
        (count) => send(`The box of slip ${box}`, { command: "CountBox", box, ...count }),
      )
    ),
    locks,
    buttonForm(title, () => send(title, { command: "SetFelt", settings })),
  ];
}

/** @param {string} name @param {any} cents */
function moneyField(name, cents) {
  return el("input", {
    name,
    value: (Number(cents) / 100).toFixed(2),
    inputmode: "decimal",
    pattern: "[0-9]{1,9}([.][0-9]{1,2})?",
    required: true,
  });
}

/** @param {HeldAwardModel[]} held @param {boolean} mayAct @param {Order} send */
function heldPanel(held, mayAct, send) {
  if (!held.length) return "";
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Held awards"),
    el(
      "p",
      { class: "soft" },
      "Two people compare the cards on the felt with these. Then the award is paid, or refused.",
    ),
    dataTable(
      ["Award", "Seat", "Amount", "Cards", "State", ...(mayAct ? [""] : [])],
      held.map((one) => [
        String(one.award),
        `${one.seat}, ${one.player}`,
        formatExact(one.amount),
        one.cards.join(" "),
        one.verified ? "verified" : "to be verified",
        ...(mayAct ? [awardActions(one, send)] : []),
      ]),
      { kind: "stacked" },
    ),
  );
}

/** @param {HeldAwardModel} held @param {Order} send */
function awardActions({ award, amount, verified, by_account: byAccount }, send) {
  const what = `Award ${award}, ${formatExact(amount)}`;
  const reason = el("input", { name: `reason ${award}`, "aria-label": `Reason, award ${award}`, maxlength: 200 });
  const tax = el("input", { name: `tax ${award}`, "aria-label": `Tax slip, award ${award}`, maxlength: 60 });
  /** @param {string} text @param {() => void} act */
  const button = (text, act) => el("button", { type: "button", onclick: act }, text);
  /** @param {string} way */
  const pay = (way) => () => send(what, { command: "PayAward", award, way, tax_slip: tax.value.trim() });
  return el(
    "div",
    { class: "actions" },
    verified
      ? [
        el("label", {}, el("span", {}, "Tax slip, or why none "), tax),
        byAccount
          ? button("Pay to the account", pay("account"))
          : [button("Pay from the tray", pay("tray")), button("Pay at the cage", pay("cage"))],
      ]
      : button("Cards verified", () => send(what, { command: "VerifyAward", award })),
    el("label", {}, el("span", {}, "Reason "), reason),
    button("Refuse", () => send(what, { command: "RefuseAward", award, reason: reason.value.trim() })),
  );
}

/** @param {string} title @param {() => void} act */
function buttonForm(title, act) {
  return el("p", {}, el("button", { type: "button", onclick: act }, title));
}

/**
 * A count by denomination, or as one sum.
 * @param {string} title @param {(count: {amount: number, pieces: Record<string, number>}) => void} then
 */
function countForm(title, then) {
  const pieces = DENOMINATIONS.map((cents) => ({
    cents,
    input: el("input", { type: "number", min: 0, step: 1, name: `of ${cents}`, inputmode: "numeric" }),
  }));
  const sum = el("input", { name: "sum", inputmode: "decimal", pattern: "[0-9]{1,9}([.][0-9]{1,2})?" });
  const total = el("span", { role: "status" });
  const counted = () =>
    Object.fromEntries(
      pieces.filter(({ input }) => Number(input.value)).map(({ cents, input }) => [
        String(cents),
        Number(input.value),
      ]),
    );
  const show = () => {
    const cents = Object.entries(counted()).reduce((all, [each, number]) => all + Number(each) * number, 0);
    total.textContent = cents ? `Total ${formatExact((cents / 100).toFixed(2))}` : "";
  };
  const form = el(
    "form",
    {
      oninput: show,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const by = counted();
        then({ amount: Object.keys(by).length ? 0 : parseCents(sum.value) ?? 0, pieces: by });
      },
    },
    el(
      "div",
      { class: "fields" },
      pieces.map(({ cents, input }) => el("label", {}, el("span", {}, `Pieces of $${cents / 100}`), input)),
      el("label", {}, el("span", {}, "Or one sum ($)"), sum),
    ),
    el("div", { class: "actions" }, el("button", { class: "main" }, title), total),
  );
  return el("details", { class: "order" }, el("summary", {}, title), form);
}

/** @param {FeltResponse} felt @param {boolean} mayAct @param {(command: object) => Promise<void>} send */
function guestsPanel(felt, mayAct, send) {
  const guests = Object.entries(felt.guests);
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Guests"),
    dataTable(
      ["Seat", "Name", ...(mayAct ? [""] : [])],
      guests.map(([seat, name]) => [
        seat,
        name || "no name",
        ...(mayAct ? [guestActions(Number(seat), send)] : []),
      ]),
      { none: "No guest sits at this table." },
    ),
    mayAct ? seatForm(guests, send) : "",
  );
}

/** @param {number} seat @param {(command: object) => Promise<void>} send */
function guestActions(seat, send) {
  const cash = el("input", {
    name: `cash ${seat}`,
    "aria-label": `Cash of seat ${seat} in dollars`,
    inputmode: "decimal",
    pattern: "[0-9]{1,9}([.][0-9]{1,2})?",
    required: true,
    size: 8,
  });
  return el(
    "form",
    {
      class: "search",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        send({ command: "BuyIn", seat, amount: parseCents(cash.value) ?? 0 });
      },
    },
    cash,
    el("button", {}, "Cash for chips ($)"),
    el("button", { type: "button", onclick: () => send({ command: "Leave", seat }) }, "Stands up"),
  );
}

/** @param {[string, string][]} guests @param {(command: object) => Promise<void>} send */
function seatForm(guests, send) {
  const seat = el("input", { name: "seat", type: "number", min: 1, max: 16, required: true });
  const name = el("input", { name: "guest", maxlength: 40 });
  const same = el(
    "select",
    { name: "same" },
    el("option", { value: "0" }, "nobody"),
    guests.map(([number, label]) =>
      el("option", { value: number }, label ? `seat ${number}, ${label}` : `seat ${number}`)
    ),
  );
  return el(
    "form",
    {
      class: "search",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        send({ command: "SitGuest", seat: Number(seat.value), name: name.value.trim(), same_as: Number(same.value) });
      },
    },
    el("label", {}, el("span", {}, "Seat"), seat),
    el("label", {}, el("span", {}, "Name, if you like"), name),
    el("label", {}, el("span", {}, "Same person as"), same),
    el("button", {}, "Seat a guest"),
  );
}

// Slips.

/** @param {SlipModel[]} slips */
function slipsPanel(slips) {
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Slips"),
    dataTable(
      ["Slip", "What", "Shift", "Amount", "Signed by", "When", ""],
      slips.map((slip) => [
        String(slip.slip),
        capitalize(withSpaces(slip.kind)),
        String(slip.shift),
        formatExact(slip.amount),
        slip.signed,
        formatTime(slip.at),
        el("button", { type: "button", class: "pill", onclick: () => slipDialog(slip, true) }, "Print a copy"),
      ]),
      { none: "No slip was written at this table.", kind: "stacked" },
    ),
  );
}

/** @param {string} path @returns {Promise<SlipModel | undefined>} */
async function newestSlip(path) {
  return (await get(`${path}/slips`))[0];
}

/** Show one slip, to be printed. Only the one that was just written is no copy. @param {SlipModel | undefined} slip @param {boolean} isCopy */
function slipDialog(slip, isCopy) {
  if (!slip) return;
  const pieces = Object.entries(slip.pieces).filter(([, number]) => number);
  const dialog = /** @type {HTMLDialogElement} */ (el(
    "dialog",
    { class: "slip", onclose: () => dialog.remove() },
    el("h2", {}, `${capitalize(withSpaces(slip.kind))} slip ${slip.slip}${isCopy ? " (copy)" : ""}`),
    el("p", {}, `Table ${slip.table}, shift ${slip.shift}, ${formatTime(slip.at)}`),
    pieces.length
      ? dataTable(
        ["Pieces", "Of", "Amount"],
        pieces.map(([cents, number]) => [
          String(number),
          formatExact((Number(cents) / 100).toFixed(2)),
          formatExact(((Number(cents) * number) / 100).toFixed(2)),
        ]),
      )
      : "",
    el("p", {}, el("strong", {}, formatExact(slip.amount))),
    el("p", {}, `Signed by ${slip.signed}`),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "button", class: "main", onclick: () => window.print() }, "Print"),
      el("button", { type: "button", onclick: () => dialog.close() }, "Close"),
    ),
  ));
  document.body.append(dialog);
  dialog.showModal();
}
