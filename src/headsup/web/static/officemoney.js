// Money as the house sees it: what tables win beside what they should, the books, what happened.

import { el } from "./dom.js";

export async function win(at) {
  at.show(el("p", { class: "none" }, "Nothing is here yet."));
}

export const books = win;
export const events = win;
