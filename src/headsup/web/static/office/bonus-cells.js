// The Bonus cells of the chosen paytables: the operator sets their amounts, and all must be filled before
// the table can open.

/** @import { Setup } from "./setup.js" */

import { el } from "../lib/dom.js";
import { titleCase } from "../lib/text.js";

const OTHER = "other"; // optional: without it, it pushes on a win and loses on a loss

/** The chosen paytables that have Bonus cells. @param {Setup} table */
export function withBonusCells({ whole, paytables }) {
  return Object.entries(whole.paytables).flatMap(([key, tables]) => {
    const chosen = tables.find((/** @type {any} */ one) => one.id === (paytables[key] ?? whole.in_use[key]));
    /** @type {{outcome: string, label: string}[]} */
    const cells = (chosen?.rows ?? []).filter((/** @type {any} */ row) => row.kind === "bonus" && !row.never_paid);
    return cells.length ? [{ key, id: chosen.id, basis: chosen.basis, cells }] : [];
  });
}

/**
 * The typed amounts of the chosen paytables, by paytable and outcome, as the option `bonus` takes them.
 * @param {Setup} table
 */
export function bonusValues(table) {
  const filled = withBonusCells(table).map(({ key, cells }) => {
    const typed = cells.map(({ outcome }) => [outcome, (table.bonus[key]?.[outcome] ?? "").trim()]);
    return [key, Object.fromEntries(typed.filter(([, pay]) => pay))];
  });
  return Object.fromEntries(filled.filter(([, cells]) => Object.keys(cells).length));
}

/**
 * A field for each cell, in the order of its paytable.
 * @param {any} table that is being set up @param {(field: string) => HTMLElement} errorText  makes the place
 * for a field's error message @param {() => void} changed
 */
export function bonusFields(table, errorText, changed) {
  /** @param {string} key @param {string} basis @param {{outcome: string, label: string}} cell */
  const field = (key, basis, { outcome, label }) => {
    const name = `bonus.${key}.${outcome}`;
    /** @param {Event & {target: HTMLInputElement}} event */
    const typed = (event) => {
      table.bonus[key] = { ...table.bonus[key], [outcome]: event.target.value };
      changed();
    };
    const needed = outcome === OTHER ? "" : " *";
    const shown = el("input", {
      name,
      "data-field": name,
      value: table.bonus[key]?.[outcome] ?? "",
      placeholder: needed ? `e.g. 20 (${basis} 1)` : "",
      maxlength: 20,
      oninput: typed,
    });
    return el("label", {}, el("span", {}, `${label}${needed}`), shown, errorText(name));
  };
  return withBonusCells(table).map(({ key, id, basis, cells }) =>
    el(
      "fieldset",
      {},
      el("legend", {}, `${table.whole.labels[key] ?? titleCase(key)}, ${id}: Bonus cell pays`),
      el("div", { class: "fields" }, cells.map((/** @type {any} */ cell) => field(key, basis, cell))),
      errorText(`bonus.${key}`),
    )
  );
}
