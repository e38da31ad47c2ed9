// The form for a house's own rule book: a TOML file, chosen or pasted, which the server checks.

/** @import { FieldError } from "../lib/wire.d.ts" */

import { el, fill, find } from "../lib/dom.js";
import { Declined, post } from "../lib/http.js";
import { capitalize } from "../lib/text.js";

export const OWN_RULEBOOK = "own"; // in the list of rule books

/**
 * `then` is called with the book once it is valid, and without one when the text changes or has errors.
 * @param {(result: {rules: string, book: any}) => void} then
 */
export function ownRulebookForm(then) {
  const text = el("textarea", {
    id: "own-text",
    rows: 8,
    spellcheck: "false",
    "aria-describedby": "own-said",
    placeholder: 'extends = "galaxy"\ntitle = "…"',
    oninput: () => then({ rules: "", book: null }),
  });
  let name = "";
  const read = async () => {
    const result = await post("/api/rulebooks", { text: text.value, file: name }).catch(asResult);
    fill("own-said", result, () => resultText(result));
    then(result);
  };
  /** @param {Event & {target: HTMLInputElement}} event */
  const chosen = async (event) => {
    const [file] = event.target.files ?? [];
    if (!file) return;
    name = file.name;
    text.value = await file.text();
    await read();
  };
  return [
    el(
      "p",
      { class: "soft" },
      "Your own rule book is a TOML file, described in ",
      el("code", {}, "docs/rule-books.md"),
      ". It starts from a shipped book and states the differences. The whole text is stored in the table’s log.",
    ),
    el(
      "label",
      {},
      el("span", {}, "Choose a file"),
      el("input", {
        type: "file",
        id: "own-file",
        accept: ".toml,text/plain",
        onclick: (event) => {
          event.target.value = "";
        },
        onchange: chosen,
      }),
    ),
    el("label", {}, el("span", {}, "or paste its text"), text),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "button", id: "own-read", onclick: read }, "Check the rule book"),
    ),
    el("div", { id: "own-said", role: "status" }),
  ];
}

/** @param {any} result */
function resultText(result) {
  if (result.book) return el("p", { class: "good" }, `${result.book.id}: ${result.book.title}. Its options are below.`);
  return [
    el(
      "p",
      { class: "bad" },
      result.wrong.length === 1 ? "The book has an error:" : `The book has ${result.wrong.length} errors:`,
    ),
    el(
      "ul",
      { class: "bad" },
      result.wrong.map((/** @type {FieldError} */ one) =>
        el("li", {}, one.field ? el("code", {}, one.field) : "", one.field ? ": " : "", capitalize(one.message))
      ),
    ),
  ];
}

/** @param {unknown} error */
function asResult(error) {
  if (!(error instanceof Declined)) throw error;
  return { rules: "", book: null, wrong: [{ field: "", message: error.message }] };
}

/** Show the form only while the house's own book is chosen. @param {boolean} shown */
export function setOwnRulebookShown(shown) {
  find("own").toggleAttribute("hidden", !shown);
}
