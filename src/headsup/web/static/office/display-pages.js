// The house's own messages on its displays, shown one after another beside what must be shown.

/** @import { Page } from "./main.js" */
/** @import { DisplayPages } from "../lib/wire.d.ts" */

import { el } from "../lib/dom.js";
import { get, post } from "../lib/http.js";

const EDITOR_ROLES = ["supervisor", "administrator"];
const MAX_MESSAGES = 8;
const MAX_CHARACTERS = 200;

/** @param {Page} page */
export async function displayPagesPanel(page) {
  /** @type {DisplayPages} */
  const { pages } = await get("/api/displays/pages");
  const mayEdit = EDITOR_ROLES.includes(page.person.role);
  if (!mayEdit && !pages.length) return "";
  const status = el("span", { role: "status" });
  const text = el("textarea", {
    name: "pages",
    rows: "4",
    maxlength: String(MAX_MESSAGES * (MAX_CHARACTERS + 1) - 1),
    "aria-describedby": "pages-how",
    oninput: () => {
      status.textContent = "";
    },
  }, pages.join("\n"));
  const form = el(
    "form",
    {
      class: "lines",
      onsubmit: async (event) => {
        event.preventDefault();
        const lines = text.value.split("\n").map((line) => line.trim()).filter(Boolean);
        status.textContent = "";
        if (!(await page.attempt(() => post("/api/displays/pages", { pages: lines })))) return;
        text.value = lines.join("\n");
        status.textContent = lines.length
          ? "Saved. The displays show them now."
          : "Saved. The displays show no messages.";
      },
    },
    el("label", {}, el("span", {}, "Messages"), text),
    el(
      "p",
      { class: "soft", id: "pages-how" },
      `One message per line: up to ${MAX_MESSAGES}, of up to ${MAX_CHARACTERS} characters each. Displays update within a minute.`,
    ),
    el("div", { class: "actions" }, el("button", {}, "Save messages"), status),
  );
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "House messages on the displays"),
    el(
      "p",
      { class: "soft" },
      "Shown in turn beside the meter, the paytables and the notices, which always stay visible.",
    ),
    mayEdit ? form : el("ul", {}, pages.map((one) => el("li", {}, one))),
  );
}
