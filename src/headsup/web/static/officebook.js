// A house's own rule book: its TOML file, chosen or pasted, as far as the server accepts it.

import { Declined, post } from "./connection.js";
import { el, fill, find } from "./dom.js";
import * as words from "./words.js";

export const OWN = "own"; // in the list of rule books

/**
 * The form that takes the text; `then` hears of a book, or that there is none yet.
 * @param {(found: {rules: string, book: any}) => void} then
 */
export function ownBook(then) {
  const text = el("textarea", { id: "own-text", rows: 8, spellcheck: "false", "aria-describedby": "own-said", placeholder: 'extends = "galaxy"\ntitle = "…"', oninput: () => then({ rules: "", book: null }) });
  let name = "";
  const read = async () => {
    const found = await post("/api/rulebooks", { text: text.value, file: name }).catch(refused);
    fill("own-said", found, () => said(found));
    then(found);
  };
  const chosen = async (event) => {
    const [file] = event.target.files ?? [];
    if (!file) return;
    name = file.name;
    text.value = await file.text();
    await read();
  };
  return [
    el("p", { class: "soft" }, "One’s own rule book is a TOML file, as in the project’s ", el("code", {}, "docs/rule-books.md"), ": it starts from a shipped book and says what differs. The text is kept whole in the table’s record."),
    el("label", {}, el("span", {}, "Choose the file"), el("input", { type: "file", id: "own-file", accept: ".toml,text/plain", onclick: (event) => { event.target.value = ""; }, onchange: chosen })),
    el("label", {}, el("span", {}, "or paste its text"), text),
    el("div", { class: "actions" }, el("button", { type: "button", id: "own-read", onclick: read }, "Read the book")),
    el("div", { id: "own-said", role: "status" }),
  ];
}

function said(found) {
  if (found.book) return el("p", { class: "good" }, `${found.book.id}: ${found.book.title}. Its choices stand below.`);
  return [
    el("p", { class: "bad" }, found.wrong.length === 1 ? "The book has a mistake:" : `The book has ${found.wrong.length} mistakes:`),
    el("ul", { class: "bad" }, found.wrong.map((one) => el("li", {}, one.field ? el("code", {}, one.field) : "", one.field ? ": " : "", words.capital(one.message)))),
  ];
}

function refused(error) {
  if (!(error instanceof Declined)) throw error;
  return { rules: "", book: null, wrong: [{ field: "", message: error.message }] };
}

/** Where the form stands, in sight only while the own book is chosen. */
export function showOwn(shown) {
  find("own").toggleAttribute("hidden", !shown);
}
