// The "Bonus" cells of the paytables that were chosen for a table: their amounts are the operator's,
// and the table opens when every one is filled.

import { el } from "./dom.js";
import * as words from "./words.js";

const OTHER = "other"; // may stay out: it pushes on a win and loses on a loss

/** The paytables in the choice that leave cells to the operator. */
export function withCells({ whole, paytables }) {
  return Object.entries(whole.paytables).flatMap(([key, tables]) => {
    const chosen = tables.find((one) => one.id === (paytables[key] ?? whole.in_use[key]));
    const cells = (chosen?.rows ?? []).filter((row) => row.kind === "bonus" && !row.never_paid);
    return cells.length ? [{ key, id: chosen.id, basis: chosen.basis, cells }] : [];
  });
}

/** What was typed, as the option `bonus` has it: by paytable and outcome, for what is chosen now. */
export function bonusOf(table) {
  const filled = withCells(table).map(({ key, cells }) => {
    const typed = cells.map(({ outcome }) => [outcome, (table.bonus[key]?.[outcome] ?? "").trim()]);
    return [key, Object.fromEntries(typed.filter(([, pay]) => pay))];
  });
  return Object.fromEntries(filled.filter(([, cells]) => Object.keys(cells).length));
}

/**
 * A field for each cell, as the rows of its paytable.
 * @param {any} table what is set up @param {(field: string) => HTMLElement} beside where it is said
 * what is wrong with a field @param {() => void} changed
 */
export function bonusFields(table, beside, changed) {
  const field = (key, basis, { outcome, label }) => {
    const at = `bonus.${key}.${outcome}`;
    const typed = (event) => {
      table.bonus[key] = { ...table.bonus[key], [outcome]: event.target.value };
      changed();
    };
    const needed = outcome === OTHER ? "" : " *";
    const shown = el("input", { name: at, "data-field": at, value: table.bonus[key]?.[outcome] ?? "", placeholder: needed ? `such as 20, ${basis} 1` : "", maxlength: 20, oninput: typed });
    return el("label", {}, el("span", {}, `${label}${needed}`), shown, beside(at));
  };
  return withCells(table).map(({ key, id, basis, cells }) =>
    el(
      "fieldset",
      {},
      el("legend", {}, `${table.whole.labels[key] ?? words.titled(key)}, ${id}: what its Bonus cells pay`),
      el("div", { class: "fields" }, cells.map((cell) => field(key, basis, cell))),
      beside(`bonus.${key}`),
    ),
  );
}
