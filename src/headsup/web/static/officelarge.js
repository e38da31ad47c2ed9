// Which amounts are large: read by all who look into the house, set by an administrator with a
// supervisor.

import { post } from "./connection.js";
import { el } from "./dom.js";
import { approved } from "./staff.js";
import * as words from "./words.js";

const FIELDS = { win: "A win", wager: "A seat’s wagers in one round", transaction: "Cash in or out, and chips bought or cashed" };

/** @param {any} at where the page is @param {{win: number, wager: number, transaction: number}} large cents */
export function thresholds(at, large) {
  const may = at.who.role === "administrator";
  const form = el(
    "form",
    {
      class: "search",
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = new FormData(form);
        const asked = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, Math.round(Number(typed.get(name)) * 100)]));
        const done = await approved("Other amounts are large from now on.", async (approval) => {
          await post("/api/thresholds", { ...asked, approval });
        });
        if (done) location.reload();
      },
    },
    Object.entries(FIELDS).map(([name, text]) =>
      el("label", {}, el("span", {}, `${text} ($)`), el("input", { name, type: "number", min: "0.01", step: "0.01", required: true, value: (large[name] / 100).toFixed(2) })),
    ),
    el("button", {}, "Set"),
  );
  const said = Object.entries(FIELDS).map(([name, text]) => el("p", {}, `${text}: from ${words.money((large[name] / 100).toFixed(2))} on`));
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "What is large"),
    el("p", { class: "soft" }, "Such amounts stand among the events; cash of this size takes two persons."),
    may ? form : said,
  );
}
