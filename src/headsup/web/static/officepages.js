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
  const said = el("span", { role: "status" });
  const text = el("textarea", { name: "pages", rows: "4", maxlength: String(MOST * (LETTERS + 1) - 1), "aria-describedby": "pages-how", oninput: () => { said.textContent = ""; } }, pages.join("\n"));
  const form = el(
    "form",
    {
      class: "lines",
      onsubmit: async (event) => {
        event.preventDefault();
        const lines = text.value.split("\n").map((line) => line.trim()).filter(Boolean);
        said.textContent = "";
        if (!(await at.trying(() => post("/api/displays/pages", { pages: lines })))) return;
        text.value = lines.join("\n");
        said.textContent = lines.length ? "They are shown." : "None are shown any more.";
      },
    },
    el("label", {}, el("span", {}, "Lines to show"), text),
    el("p", { class: "soft", id: "pages-how" }, `A line for each, at most ${MOST} of ${LETTERS} characters. Every display has them within a minute.`),
    el("div", { class: "actions" }, el("button", {}, "Show them"), said),
  );
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "From the house, on the displays"),
    el("p", { class: "soft" }, "Shown in turn beside the meter, what is paid and the notices, which stay where they are."),
    may ? form : el("ul", {}, pages.map((one) => el("li", {}, one))),
  );
}
