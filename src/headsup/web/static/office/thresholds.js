// The amounts from which wins, wagers and transactions are significant events. An administrator sets them,
// with a supervisor's approval.

/** @import { Page } from "./main.js" */
/** @import { ThresholdsResponse } from "../lib/wire.d.ts" */

import { el } from "../lib/dom.js";
import { post } from "../lib/http.js";
import { formatMoney } from "../lib/money.js";
import { askApproval } from "../lib/staff-page.js";

/** @type {Record<keyof ThresholdsResponse, string>} */
const FIELDS = {
  win: "Win",
  wager: "A seat’s wagers in one round",
  transaction: "Cash in or out, chips bought or cashed in",
};

/** @param {Page} page @param {ThresholdsResponse} thresholds in cents */
export function thresholdsPanel(page, thresholds) {
  const entries = /** @type {[keyof ThresholdsResponse, string][]} */ (Object.entries(FIELDS));
  const maySet = page.person.role === "administrator";
  const form = el(
    "form",
    {
      class: "search",
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = new FormData(form);
        const amounts = Object.fromEntries(
          Object.keys(FIELDS).map((name) => [name, Math.round(Number(typed.get(name)) * 100)]),
        );
        const done = await askApproval("New reporting thresholds.", async (approval) => {
          await post("/api/thresholds", { ...amounts, approval });
        });
        if (done) location.reload();
      },
    },
    entries.map(([name, text]) =>
      el(
        "label",
        {},
        el("span", {}, `${text} ($)`),
        el("input", {
          name,
          type: "number",
          min: "0.01",
          step: "0.01",
          required: true,
          value: (thresholds[name] / 100).toFixed(2),
        }),
      )
    ),
    el("button", {}, "Set"),
  );
  const list = entries.map(([name, text]) =>
    el("p", {}, `${text}: ${formatMoney((thresholds[name] / 100).toFixed(2))} or more`)
  );
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Reporting thresholds"),
    el(
      "p",
      { class: "soft" },
      "Amounts of this size are listed as significant events. Cash transactions of this size need two people.",
    ),
    maySet ? form : list,
  );
}
