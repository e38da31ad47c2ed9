// The forms for staff commands. The server says which there are now, and which fields and choices they
// have. Amounts are typed in dollars.

import { el } from "../lib/dom.js";
import { parseCents } from "../lib/money.js";

const MICROS_PER_CENT = 10_000; // millionths of a dollar
const AMOUNT = "(?:-|−)?[0-9]{1,9}([.][0-9]{1,2})?";

/**
 * @typedef {object} Field
 * @property {string} name  the field of the command that it sets, unless its options say
 * @property {string} label
 * @property {string} kind
 * @property {{set: object, label: string}[]} [options]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [value]
 *
 * @typedef {object} Form
 * @property {object} command  with the fields that nobody types
 * @property {string} label
 * @property {Field[]} fields
 * @property {boolean} [two_persons]
 */

/** @param {string} name @param {Form} form @param {(form: Form, command: object) => Promise<boolean>} send */
export function commandForm(name, form, send) {
  const fields = form.fields.map(makeField);
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
        const typed = Object.assign({}, ...fields.map((field) => field.read()));
        if (!(await send(form, { ...form.command, ...typed }))) return;
        element.reset();
        if (form.fields.length) shown.open = false;
      },
    },
    fields.length ? el("div", { class: "fields" }, fields.map((field) => field.shown)) : "",
    el(
      "div",
      { class: "actions" },
      el("button", { name }, form.label),
      form.two_persons ? el("small", {}, "needs supervisor approval") : "",
    ),
  );
  const shown = el("details", { class: "order", open: !form.fields.length }, el("summary", {}, form.label), element);
  return shown;
}

/** A field's element, and how to read its value. @param {Field} field */
function makeField(field) {
  const wide = field.kind === "text" && (field.max ?? 0) > 100;
  /** @param {any} input */
  const labelled = (input) => el("label", { class: wide ? "wide" : "" }, el("span", {}, field.label), input);
  /** @param {any} attributes */
  const input = (attributes) => el("input", { name: field.name, required: true, value: field.value, ...attributes });
  switch (field.kind) {
    case "choice":
      return choiceField(field, labelled);
    case "pool":
      return poolFields(field);
    case "counts":
      return countFields(field);
    case "yes": {
      const box = el("input", { type: "checkbox", name: field.name });
      return { shown: el("label", {}, box, field.label), read: () => ({ [field.name]: box.checked }) };
    }
    case "whole": {
      const typed = input({ type: "number", min: field.min, max: field.max, step: 1 });
      return { shown: labelled(typed), read: () => ({ [field.name]: Number(typed.value) }) };
    }
    case "cents":
    case "micros": {
      const typed = input({ inputmode: "decimal", pattern: AMOUNT });
      const scale = field.kind === "micros" ? MICROS_PER_CENT : 1;
      return { shown: labelled(typed), read: () => ({ [field.name]: signedCents(typed.value) * scale }) };
    }
    default: {
      const typed = input({ type: field.kind, maxlength: field.max });
      return { shown: labelled(typed), read: () => ({ [field.name]: typed.value }) };
    }
  }
}

/** @param {Field} field @param {(input: HTMLElement) => HTMLElement} labelled */
function choiceField(field, labelled) {
  const options = field.options ?? [];
  const select = el(
    "select",
    { name: field.name, required: true },
    options.map((one) => el("option", { value: Object.values(one.set).join("/") }, one.label)),
  );
  return { shown: labelled(select), read: () => options[select.selectedIndex]?.set ?? {} };
}

/**
 * Where a closing meter's pool goes: a meter of this floor or of another one, or a game outside this system.
 * @param {Field} field
 */
function poolFields(field) {
  const here = field.options ?? [];
  const places = { other_floor: "A meter on another floor", outside: "A game outside this system" };
  const named = el("input", { name: "target", maxlength: 100 });
  const floor = el("input", { name: "floor", maxlength: 100 });
  const namedLabel = el("label", {}, el("span", {}, "Meter or game"), named);
  const floorLabel = el("label", {}, el("span", {}, "Floor"), floor);
  const select = el(
    "select",
    { name: field.name, required: true, onchange: () => show() },
    here.map((one) => el("option", { value: /** @type {any} */ (one.set).to }, one.label)),
    Object.entries(places).map(([value, text]) => el("option", { value }, text)),
  );
  const place = () => (select.selectedIndex < here.length ? "" : select.value);
  const show = () => {
    namedLabel.hidden = !(named.required = place() !== "");
    floorLabel.hidden = !(floor.required = place() === "other_floor");
  };
  show();
  return {
    shown: el("div", { class: "wide" }, el("label", {}, el("span", {}, field.label), select), floorLabel, namedLabel),
    read: () =>
      here[select.selectedIndex]?.set ??
        { place: place(), to: named.value, floor: place() === "other_floor" ? floor.value : "" },
  };
}

/** @param {Field} field */
function countFields(field) {
  const inputs = (field.options ?? []).map((one) => ({
    wager: /** @type {any} */ (one.set).wager,
    label: one.label,
    input: el("input", {
      type: "number",
      min: 0,
      step: 1,
      required: true,
      name: `count ${/** @type {any} */ (one.set).wager}`,
    }),
  }));
  return {
    shown: el(
      "div",
      { class: "wide" },
      inputs.map(({ label, input }) => el("label", {}, el("span", {}, `${field.label}: ${label}`), input)),
    ),
    read: () => ({ counts: Object.fromEntries(inputs.map(({ wager, input }) => [wager, Number(input.value)])) }),
  };
}

/** @param {string} text */
function signedCents(text) {
  const negative = /^[-−]/.test(text);
  const amount = parseCents(text.replace(/^[-−]/, "")) ?? 0;
  return negative ? -amount : amount;
}
