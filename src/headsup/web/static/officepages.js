// What the house itself says on its displays, page after page; beside what must be shown there.

import { get, post } from "./connection.js";
import { el } from "./dom.js";

const MAY = ["supervisor", "administrator"];
const MOST = 8;
const LETTERS = 200;

/** @param {any} at where the page is */
export async function displayPages(at) {
  const { pages } = await get("/api/displays/pages");
  const may = MAY.includes(at.who.role);
  if (!may && !pages.length) return "";
  const text = el("textarea", { name: "pages", rows: "4", maxlength: String(MOST * LETTERS), "aria-describedby": "pages-how" }, pages.join("\n"));
  const form = el(
    "form",
    {
      class: "lines",
      onsubmit: async (event) => {
        event.preventDefault();
        const lines = text.value.split("\n").map((line) => line.trim()).filter(Boolean);
        if (await at.trying(() => post("/api/displays/pages", { pages: lines }))) at.again();
      },
    },
    el("label", {}, el("span", {}, "Lines to show"), text),
    el("p", { class: "soft", id: "pages-how" }, `A line for each, at most ${MOST} of ${LETTERS} characters. Every display has them within a minute.`),
    el("button", {}, "Show them"),
  );
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "From the house, on the displays"),
    el("p", { class: "soft" }, "Shown in turn beside the meter, what is paid and the notices, which stay where they are."),
    may ? form : el("ul", {}, pages.map((one) => el("li", {}, one))),
  );
}
