// Table setup: rule book, paytables with the house edge of each, limits, jackpot, options. The server
// checks every choice and calculates its edge. Opening the table needs a supervisor's approval.

/** @import { Page } from "./main.js" */
/** @import { EdgesResponse, EdgeView, FieldError, PaceSeconds } from "../lib/wire.d.ts" */

/**
 * @typedef {Record<string, any>} Book  a rule book, as `GET /api/rulebooks/{id}` answers
 *
 * @typedef {object} Setup  what has been chosen so far, and what the server says about it
 * @property {Page} page
 * @property {{id: string, title: string}[]} books  to choose from
 * @property {string} floor
 * @property {boolean} floorTyped  otherwise the floor is named after the table
 * @property {string} table  its name
 * @property {string} book  the id of the rule book in use
 * @property {string} rules  the same, or the text of the house's own
 * @property {number} used  grows with every rule book, to draw all fields again
 * @property {boolean} unread  the house's own book has not been read yet
 * @property {string} shuffle
 * @property {boolean} clockwise
 * @property {string} meter  the one that it is linked to
 * @property {PaceSeconds | null} pace
 * @property {Record<string, string>} paytables
 * @property {Record<string, Record<string, string>>} bonus
 * @property {Record<string, Record<string, string>>} limits
 * @property {Record<string, any>} options
 * @property {Book} whole  the rule book in use
 * @property {string} chosen  in the list of rule books
 * @property {EdgeView[]} edges
 * @property {string} [edgesFor]  the choices that they are computed for
 * @property {boolean} computing
 * @property {boolean} edgesFailed
 * @property {FieldError[]} wrong
 * @property {string[]} unlimited  wagers without a maximum
 */

import { el, fill, find, findIn, setShown } from "../lib/dom.js";
import { Declined, get, newId, post } from "../lib/http.js";
import { formatPay } from "../lib/money.js";
import { paceFields } from "../lib/pace-form.js";
import { capitalize, titleCase, withSpaces } from "../lib/text.js";
import { bonusFields, bonusValues, withBonusCells } from "./bonus-cells.js";
import { OWN_RULEBOOK, ownRulebookForm, setOwnRulebookShown } from "./own-rulebook.js";

const POLL_MILLISECONDS = 1000; // while edges are being computed
const TYPING_MILLISECONDS = 250; // after the last change, until the server checks it
const NONE = "none"; // the paytable of a wager that is not offered
const SHUFFLES = {
  sealed: "from the shoe, sealed before betting",
  operating_system: "from the shoe",
  entered: "real cards, entered by the dealer before play",
  turned_over: "real cards, turned over one place at a time",
};
/** @param {string} shuffle */
const isDealtByHand = (shuffle) => shuffle === "entered" || shuffle === "turned_over";
const JACKPOT = [
  "jackpot_regime",
  "meter_seed",
  "meter_contribution",
  "meter_max",
  "progressive_stake",
  "percentage_awards",
  "reseed_floor",
];
const APPROVAL = ["approval", "approved_from", "tribal"]; // Washington
const LINKED = ["meter_seed", "meter_contribution"];
const BOUNDS = { min: "minimum", max: "maximum", step: "increment" };

/** @param {Page} page */
export async function openSetup(page) {
  const books = await get("/api/rulebooks");
  const whole = await get(`/api/rulebooks/${encodeURIComponent(books[0].id)}`);
  if (!page.isOpen()) return;
  /** @type {Setup} */
  const table = {
    page,
    books,
    floor: "",
    floorTyped: false,
    table: "",
    book: books[0].id,
    rules: books[0].id,
    used: 0,
    unread: false,
    shuffle: "sealed",
    clockwise: false,
    meter: "",
    pace: null,
    paytables: {},
    bonus: {},
    limits: {},
    options: {},
    whole,
    chosen: books[0].id,
    edges: [],
    computing: false,
    edgesFailed: false,
    wrong: [],
    unlimited: [],
  };
  page.show(
    el(
      "form",
      {
        class: "setup",
        onsubmit: (event) => {
          event.preventDefault();
          openTable(table);
        },
      },
      el(
        "section",
        { class: "panel" },
        el("h1", {}, "Set up a table"),
        el("p", { class: "soft" }, "* Required. Everything else has a default that you can change."),
        el("div", { class: "fields" }, basicFields(table)),
        el("div", { id: "own", hidden: true }, ownRulebookForm((result) => useOwnBook(table, result))),
      ),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, "Paytables and house edge"),
        el(
          "p",
          { class: "soft" },
          "For the Odds and Bad Beat this is the main game’s edge per Ante, with the other paytables as selected. A Progressive’s edge is at its seed. Pays are listed below each paytable.",
        ),
        el("div", { id: "edges-failed", role: "status" }),
        el("div", { id: "choices" }),
        el("div", { id: "bonus" }),
      ),
      el("section", { class: "panel" }, el("h2", {}, "Limits ($)"), el("div", { id: "limits" })),
      el(
        "section",
        { class: "panel", id: "permits-panel", hidden: true },
        el("h2", {}, "Approval"),
        el(
          "p",
          { class: "soft" },
          "A table needs the reference of its approval before it can open. A card room must also post a maximum for every wager.",
        ),
        el("div", { id: "permits", class: "fields" }),
      ),
      el("section", { class: "panel" }, el("h2", {}, "Jackpot"), el("div", { id: "jackpot", class: "fields" })),
      el(
        "section",
        { class: "panel", id: "pace-panel", hidden: true },
        el("h2", {}, "Pace (seconds)"),
        el("p", { class: "soft" }, "How fast the house deals. Decision time limits are under More options."),
        el("div", { id: "pace", class: "fields" }),
      ),
      el(
        "section",
        { class: "panel" },
        el(
          "details",
          {},
          el("summary", {}, "More options, with their clauses"),
          el("div", { id: "options", class: "fields" }),
        ),
      ),
      el(
        "section",
        { class: "panel" },
        el("div", { id: "checked", role: "status" }),
        el(
          "div",
          { class: "actions" },
          el("button", { class: "main", id: "open", disabled: true }, "Open the table"),
          el("small", {}, "needs supervisor approval"),
        ),
      ),
    ),
  );
  use(table, whole, table.book);
}

/** The fields of every table: its name, floor, rule book and cards. @param {Setup} table */
function basicFields(table) {
  /** @param {string} name @param {string} label @param {(value: string) => void} set */
  const text = (name, label, set) =>
    el(
      "label",
      {},
      el("span", {}, `${label} *`),
      el("input", {
        name,
        required: true,
        maxlength: 60,
        "data-field": name,
        oninput: (event) => {
          set(event.target.value);
          changed(table);
        },
      }),
      errorText(name),
    );
  /** @param {"book" | "shuffle" | "clockwise"} name @param {string} label @param {string[][]} options @param {(value: string) => void} then */
  const choice = (name, label, options, then) =>
    el(
      "label",
      {},
      el("span", {}, label),
      el(
        "select",
        { name, onchange: (event) => then(event.target.value) },
        options.map(([value, text]) => el("option", { value, selected: String(table[name]) === value }, text)),
      ),
    );
  return [
    text("table", "Table name", (value) => setName(table, value.trim())),
    text(
      "floor",
      "Floor (tables that share a meter)",
      (value) => Object.assign(table, { floor: value.trim(), floorTyped: value !== "" }),
    ),
    choice("book", "Rule book", [...table.books.map((book) => [book.id, `${book.id}: ${book.title}`]), [
      OWN_RULEBOOK,
      "your own (a TOML file)…",
    ]], (id) => choose(table, id)),
    choice("shuffle", "Cards", Object.entries(SHUFFLES), (value) => {
      table.shuffle = value;
      changed(table);
    }),
    choice("clockwise", "Players act", [["", "all at once"], ["yes", "in turn"]], (value) => {
      table.clockwise = value === "yes";
      changed(table);
    }),
    el(
      "label",
      {},
      el("span", {}, "Linked to the meter"),
      el("select", {
        name: "meter",
        id: "meters",
        onchange: (event) => {
          table.meter = event.target.value;
          changed(table);
        },
      }, el("option", { value: "" }, "none (its own meter)")),
    ),
  ];
}

/**
 * Until a floor is typed, it is named after the table, without characters that a floor may not have.
 * @param {Setup} table @param {string} name
 */
function setName(table, name) {
  table.table = name;
  if (table.floorTyped) return;
  table.floor = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  findIn(find("page"), "input[name=floor]", HTMLInputElement).value = table.floor;
}

/** The place for a field's error message. @param {string} field */
function errorText(field) {
  return el("small", { class: "bad wrong", id: `wrong ${field}`.replaceAll(" ", "-"), "data-wrong": field });
}

/**
 * Use a rule book of the list. The house's own is only used once its text has been read without errors.
 * @param {Setup} table @param {string} id
 */
async function choose(table, id) {
  table.chosen = id;
  setOwnRulebookShown(id === OWN_RULEBOOK);
  if (id === OWN_RULEBOOK) return waitForOwnBook(table);
  await table.page.attempt(async () => {
    const whole = await get(`/api/rulebooks/${encodeURIComponent(id)}`);
    if (table.page.isOpen() && table.chosen === id) use(table, whole, id); // unless another was chosen meanwhile
  });
}

/**
 * Use the house's own book, unless a book of the list was chosen meanwhile.
 * @param {Setup} table @param {any} result
 */
function useOwnBook(table, result) {
  if (table.chosen !== OWN_RULEBOOK) return;
  if (result.book) use(table, result.book, result.rules);
  else waitForOwnBook(table);
}

/** Until then no table can be opened with the book that was chosen before. @param {Setup} table */
function waitForOwnBook(table) {
  table.unread = true;
  changed(table);
}

/**
 * @param {any} whole  the rule book @param {string} rules  its id, or the text of the house's own
 * @param {Setup} table
 */
function use(table, whole, rules) {
  const used = table.used + 1; // redraws every field
  Object.assign(table, { book: whole.id, rules, whole, used, unread: false });
  const { limits: suggested, ...options } = table.whole.suggested;
  Object.assign(table, { paytables: {}, bonus: {}, limits: structuredClone(suggested), options, edges: [] });
  fill("limits", used, () => limits(table));
  const open = Object.entries(table.whole.options).filter(([, option]) => option.open);
  fill(
    "jackpot",
    used,
    () => open.filter(([key]) => JACKPOT.includes(key)).map(([key, option]) => optionField(key, option, table)),
  );
  setShown("permits-panel", open.some(([key]) => APPROVAL.includes(key)));
  fill(
    "permits",
    used,
    () => open.filter(([key]) => APPROVAL.includes(key)).map(([key, option]) => optionField(key, option, table)),
  );
  fill(
    "options",
    used,
    () =>
      open.filter(([key]) => ![...JACKPOT, ...APPROVAL].includes(key)).map(([key, option]) =>
        optionField(key, option, table)
      ),
  );
  changed(table);
}

/** @param {Setup} table */
function drawChoices(table) {
  fill("edges-failed", table.edgesFailed, () => (table.edgesFailed ? edgesFailedNotice(table) : ""));
  const { paytables, labels, in_use, offers } = table.whole;
  fill(
    "choices",
    [table.used, table.edges, table.computing, table.paytables],
    () =>
      Object.entries(paytables).map(([key, tables]) =>
        el(
          "fieldset",
          {},
          el("legend", {}, labels[key] ?? titleCase(key)),
          el(
            "div",
            { class: "choice" },
            tables.map((/** @type {any} */ one) =>
              el("div", {}, paytable(table, key, one.id, table.paytables[key] ?? in_use[key]), pays(one))
            ),
            offers.includes(key) ? el("div", {}, paytable(table, key, NONE, table.paytables[key] ?? in_use[key])) : "",
          ),
          errorText(`paytables.${key}`),
        )
      ),
  );
  // Only redrawn for other cells: redrawing would disturb typing.
  fill("bonus", [table.used, withBonusCells(table)], () => bonusFields(table, errorText, () => changed(table)));
  showErrors(table.wrong);
}

/** @param {Setup} table */
function edgesFailedNotice(table) {
  return el(
    "p",
    { class: "bad" },
    "The house edge could not be computed. ",
    el("button", { type: "button", class: "pill", name: "edges again", onclick: () => loadEdges(table) }, "Try again"),
  );
}

/** @param {Setup} table @param {string} key @param {string} id @param {string} current */
function paytable(table, key, id, current) {
  const choose = () => {
    table.paytables = { ...table.paytables, [key]: id };
    changed(table);
  };
  return el(
    "label",
    {},
    el("input", { type: "radio", name: `paytable ${key} ${id}`, checked: id === current, onchange: choose }),
    id === NONE ? "not offered" : id,
    id === NONE ? "" : edge(table, key, id),
  );
}

/** @param {any} table */
function pays(table) {
  return el(
    "ul",
    { class: "pays" },
    table.rows.filter((/** @type {any} */ row) => !row.never_paid).map((/** @type {any} */ row) =>
      el("li", {}, el("span", {}, row.label), el("span", {}, row.printed ? formatPay(row.printed, table.basis) : "–"))
    ),
  );
}

/** @param {Setup} table @param {string} key @param {string} id */
function edge(table, key, id) {
  const entry = table.edges.find((one) => one.key === key && one.id === id);
  if (entry?.edge?.startsWith("-")) {
    return el("strong", { class: "edge bad" }, `${entry.edge.replace("-", "−")}: player advantage`);
  }
  if (entry?.edge) return el("span", { class: "edge" }, entry.edge);
  if (entry && key === "progressive" && !hasSeed(table)) {
    return el("span", { class: "edge computing" }, table.meter ? "depends on its meter" : "needs a seed");
  }
  if (entry) return el("span", { class: "edge computing" }, "Bonus cells are empty");
  return el("span", { class: "edge computing" }, table.computing ? "computing…" : "");
}

/** @param {Setup} table */
function hasSeed(table) {
  return "meter_seed" in command(table).options || Number(table.whole.options.meter_seed?.value) > 0;
}

/** @param {Setup} table */
function limits(table) {
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "Wager"),
        Object.values(BOUNDS).map((head) => el("th", { scope: "col" }, head)),
        el("td", {}),
      ),
    ),
    el(
      "tbody",
      {},
      ["ante", ...table.whole.offers.filter((/** @type {string} */ wager) => wager !== "progressive")].map((wager) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, table.whole.labels[wager] ?? wager),
          Object.entries(BOUNDS).map(([bound, label]) =>
            el("td", {}, limitField(table, wager, bound, label), errorText(`limits.${wager}.${bound}`))
          ),
          el("td", {}, errorText(`limits.${wager}`)),
        )
      ),
    ),
  );
}

/** @param {Setup} table @param {string} wager @param {string} bound @param {string} label */
function limitField(table, wager, bound, label) {
  /** @param {Event & {target: HTMLInputElement}} event */
  const typed = (event) => {
    const { [bound]: _, ...rest } = table.limits[wager] ?? {};
    table.limits[wager] = event.target.value ? { ...rest, [bound]: event.target.value } : rest;
    changed(table);
  };
  const posted = table.whole.limits[wager]?.[bound];
  return el("input", {
    inputmode: "decimal",
    value: table.limits[wager]?.[bound] ?? "",
    "data-field": `limits.${wager}.${bound}`,
    placeholder: posted ?? "none",
    "aria-label": `${table.whole.labels[wager] ?? wager} ${label}`,
    oninput: typed,
  });
}

/**
 * A field for an option: a list of choices, or a text of the same type as the book's value.
 * @param {string} key @param {any} option @param {Setup} table
 */
function optionField(key, option, table) {
  /** @param {any} value */
  const set = (value) => {
    const { [key]: _, ...rest } = table.options;
    table.options = value === undefined ? rest : { ...rest, [key]: value };
    changed(table);
  };
  const closed = (table.whole.choices[key] ?? []).filter((/** @type {any} */ one) => one !== option.value);
  const others = option.may_be.length ? option.may_be : closed;
  const choices = others.length ? [option.value, ...others] : null;
  const input = choices
    ? el("select", {
      name: key,
      "data-field": `options.${key}`,
      onchange: (event) => set(event.target.value === "0" ? undefined : choices[Number(event.target.value)]),
    }, choices.map((choice, index) => el("option", { value: index }, valueText(choice))))
    : el("input", {
      name: key,
      "data-field": `options.${key}`,
      value: table.options[key] ?? "",
      placeholder: valueText(option.value),
      oninput: (event) => set(event.target.value ? parseLike(option.value, event.target.value) : undefined),
    });
  const about = table.whole.about[key];
  return el(
    "label",
    {},
    el("span", {}, `${capitalize(withSpaces(key))} (${option.clause})`),
    input,
    about ? el("small", { class: "soft" }, about) : "",
    errorText(`options.${key}`),
  );
}

/** @param {any} value */
function valueText(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : withSpaces(String(value));
}

/** The text as a value of the same type as the book's. @param {any} value @param {string} text */
function parseLike(value, text) {
  if (Array.isArray(value)) return text.split(/[ ,]+/).filter(Boolean).map(Number);
  return typeof value === "number" ? Number(text) : text;
}

// What the server says about it.

let timer = 0;

/** @param {Setup} table */
function changed(table) {
  drawChoices(table);
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (await check(table)) await loadEdges(table);
  }, TYPING_MILLISECONDS);
}

/** @param {Setup} table */
function command(table) {
  const limits = Object.fromEntries(Object.entries(table.limits).filter(([, bounds]) => Object.keys(bounds).length));
  /** @type {Record<string, any>} */
  const options = { ...table.options, ...(Object.keys(limits).length ? { limits } : {}) };
  const bonus = bonusValues(table);
  if (Object.keys(bonus).length) options.bonus = bonus;
  if (table.meter) LINKED.forEach((key) => delete options[key]); // the linked meter has its own
  return {
    command: "OpenTable",
    rules: table.rules,
    paytables: Object.entries(table.paytables),
    options,
    clockwise: table.clockwise,
    meter: table.meter,
    shuffle: table.shuffle,
  };
}

/**
 * Check the choices with the server and show the result. Resolves to whether there are edges to load.
 * @param {Setup} table
 */
async function check(table) {
  if (!table.page.isOpen()) return false;
  const isNamed = table.table && table.floor;
  const proposal = {
    floor: table.floor || "a-floor",
    table: table.table || "a table",
    command: command(table),
    pace: paceOf(table),
  };
  const result = await post("/api/tables/check", proposal).catch(asCheckResult);
  if (!table.page.isOpen()) return false;
  drawPace(table, result);
  const isValid = !result.refused;
  table.wrong = result.wrong;
  const otherErrors = showErrors(result.wrong);
  table.unlimited = result.unlimited;
  fill(
    "checked",
    [otherErrors, isValid, isNamed, result.unlimited, table.unread],
    () =>
      table.unread ? el("p", {}, "Choose the file of your rule book or paste its text, then check it.") : [
        isValid
          ? el(
            "p",
            { class: "good" },
            isNamed ? "Ready to open." : "These settings are valid. Now name the table and its floor.",
          )
          : "",
        !isValid && !otherErrors.length
          ? el("p", { class: "bad" }, "Not ready yet: see the messages beside the fields.")
          : "",
        ...otherErrors.map((one) => el("p", { class: "bad" }, one)),
        result.unlimited.length ? el("p", { class: "bad" }, el("strong", {}, "Warning: "), unlimited(table)) : "",
      ],
  );
  find("open").toggleAttribute("disabled", !isValid || !isNamed || table.unread);
  const meters = result.meters ?? [];
  fill(
    "meters",
    meters,
    () => [
      el("option", { value: "" }, "none (its own meter)"),
      ...meters.map((/** @type {string} */ one) => el("option", { value: one, selected: one === table.meter }, one)),
    ],
  );
  if (!result.has_edges) {
    Object.assign(table, { edgesFor: "", edges: [], computing: false, edgesFailed: false });
    drawChoices(table);
  }
  return result.has_edges;
}

/** The typed pace, or null. With real cards the dealer sets the pace. @param {Setup} table */
function paceOf(table) {
  return isDealtByHand(table.shuffle) ? null : table.pace;
}

/** @param {Setup} table @param {any} checked */
function drawPace(table, { usual_pace: usual, longest }) {
  setShown("pace-panel", !isDealtByHand(table.shuffle));
  if (!usual) return;
  fill("pace", usual, () => {
    const { fields, read } = paceFields(
      { seconds: table.pace ?? usual, usual, longest },
      (step) => errorText(`pace.${step}`),
    );
    for (const field of fields) {
      field.addEventListener("input", () => {
        table.pace = read();
        changed(table);
      });
    }
    return fields;
  });
}

/** @param {unknown} error */
function asCheckResult(error) {
  if (!(error instanceof Declined)) throw error;
  return {
    refused: error.message,
    meters: [],
    wrong: [{ field: "", message: error.message }],
    unlimited: [],
    has_edges: false,
  };
}

/** Show errors beside their fields. Returns the messages that have no field here. @param {FieldError[]} wrong */
function showErrors(wrong) {
  const page = find("page");
  const messages = new Map(wrong.map((one) => [one.field, capitalize(one.message)]));
  const places = [...page.querySelectorAll("[data-wrong]")];
  for (const place of places) {
    const field = place.getAttribute("data-wrong") ?? "";
    const message = messages.get(field) ?? "";
    if (place.textContent !== message) place.textContent = message;
    const input = page.querySelector(`[data-field="${field}"]`);
    for (const [name, value] of [["aria-invalid", "true"], ["aria-describedby", place.id]]) {
      if (message) input?.setAttribute(name, value);
      else input?.removeAttribute(name);
    }
  }
  const known = new Set(places.map((place) => place.getAttribute("data-wrong")));
  return wrong.filter((one) => !known.has(one.field)).map((one) => capitalize(one.message));
}

/** @param {Setup} table */
function unlimited(table) {
  const wagers = table.unlimited.map((wager) => table.whole.labels[wager] ?? wager);
  return `there is no maximum on ${wagers.join(", ")}. Players can bet any amount there.`;
}

/** Poll until all edges are computed or the choices change. @param {Setup} table */
async function loadEdges(table) {
  const { rules, paytables, options } = command(table);
  const key = JSON.stringify([rules, paytables, options]);
  table.edgesFor = key;
  table.computing = true;
  table.edgesFailed = false;
  drawChoices(table);
  while (table.page.isOpen() && table.edgesFor === key && table.computing) {
    const response = await post("/api/edges", { rules, paytables: Object.fromEntries(paytables), options }).catch(
      (error) => {
        if (!(error instanceof Declined)) throw error;
        return { computing: false, failed: true, edges: table.edges };
      },
    );
    if (table.edgesFor !== key || !table.page.isOpen()) return;
    table.edges = response.edges;
    table.computing = response.computing;
    table.edgesFailed = response.failed && !response.computing;
    drawChoices(table);
    if (response.computing) await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

/** @param {Setup} table */
async function openTable(table) {
  const opening = { id: newId(), floor: table.floor, table: table.table, command: command(table), pace: paceOf(table) };
  const done = await table.page.askApproval(
    `Open table ${table.table} with rule book ${table.book}.${
      table.unlimited.length ? ` Warning: ${unlimited(table)}` : ""
    }`,
    (approval) => post("/api/tables", { ...opening, approval }),
  );
  if (done) location.hash = "#/tables";
}
