// Win and hold: what each table won, compared with what it should win.

/** @import { Page } from "./main.js" */
/** @import { ExactNumber, TableTheory, TakingsResponse } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el, formQuery, svg } from "../lib/dom.js";
import { Declined, get } from "../lib/http.js";
import { formatExact, netTone } from "../lib/money.js";
import { titleCase } from "../lib/text.js";
import { roundsLink } from "./rounds.js";

/**
 * @typedef {TableTheory | {refused: string} | {computing: true}} Theory  what a table should win
 *
 * @typedef {object} ChartRow  amounts in dollars; without a band until it is known
 * @property {string} name
 * @property {number} win
 * @property {string} shown
 * @property {{low: number, high: number, expected: number, text: string[]} | null} band
 * @property {boolean | null} within  null until the table is judged
 */

const POLL_MILLISECONDS = 3000; // while rules are being solved

/** @param {ExactNumber | null | undefined} exact */
function formatPercent(exact) {
  return exact ? `${(Number(exact.decimal) * 100).toFixed(2)}%`.replace("-", "−") : "";
}

/** @param {Page} page */
export async function openTakings(page) {
  const query = new URLSearchParams([...page.query].filter(([, value]) => value));
  /** @type {TakingsResponse[]} */
  const takings = await get(`/api/takings?${query}`);
  const played = takings.filter((entry) => entry.rounds);
  /** @type {Map<string, Theory>} */
  const theories = new Map();
  const draw = () =>
    page.show(
      el(
        "section",
        { class: "panel" },
        el("h1", {}, "Win and hold"),
        days(page.query),
        played.length ? holdChart(played.map((entry) => chartRow(entry, theories.get(entry.table)))) : "",
        el(
          "p",
          { class: "soft" },
          "With perfect play, a table’s win falls within its band about 95% of the time; players’ mistakes add to the house’s win. The band assumes a normal distribution, which means little after a few rounds, so a table is only judged after enough of them.",
        ),
        summary(takings, theories),
      ),
      ...played.map((entry) => byWager(entry, theories.get(entry.table))),
    );
  draw();
  await Promise.all(played.map(async (entry) => {
    await loadTheory(page, entry.table, query, (theory) => {
      theories.set(entry.table, theory);
      draw();
    });
  }));
}

/**
 * Load a table's expected win. Its rules may have to be solved first.
 * @param {Page} page @param {string} table @param {URLSearchParams} query @param {(theory: Theory) => void} then
 */
async function loadTheory(page, table, query, then) {
  while (page.isOpen()) {
    try {
      return then(await get(`/api/tables/${encodeURIComponent(table)}/theory?${query}`));
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      if (error.code !== "being_solved") return then({ refused: error.message });
      then({ computing: true });
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }
}

/** The theory once it is there, else null. @param {Theory | undefined} theory */
function ready(theory) {
  return theory && "expected" in theory ? theory : null;
}

/** @param {TakingsResponse} entry @param {Theory | undefined} theory @returns {ChartRow} */
function chartRow(entry, theory) {
  const known = ready(theory);
  return {
    name: entry.table,
    win: Number(entry.win),
    shown: formatExact(entry.win),
    band: known && {
      low: Number(known.low),
      high: Number(known.high),
      expected: Number(known.expected),
      text: [formatExact(known.low), formatExact(known.high)],
    },
    within: known?.judged ? known.within : null,
  };
}

/** @param {TakingsResponse[]} takings @param {Map<string, Theory>} theories */
function summary(takings, theories) {
  return dataTable(
    ["Table", "Rounds", "Drop", "Handle", "Win", "Hold", "Expected", "95% band", ""],
    takings.map((entry) => {
      const theory = theories.get(entry.table);
      const known = ready(theory);
      return [
        entry.table,
        roundsLink(entry.table, String(entry.rounds)),
        formatExact(entry.drop),
        formatExact(entry.handle),
        el("span", { class: netTone(entry.win) }, formatExact(entry.win)),
        entry.rounds ? formatPercent(entry.hold) : "",
        known ? formatExact(known.expected) : entry.rounds ? pendingText(theory) : "",
        known ? `≈ ${formatExact(known.low)} … ${formatExact(known.high)}` : "",
        entry.rounds ? verdict(known) : el("span", { class: "soft" }, "no rounds yet"),
      ];
    }),
    { none: "Nothing was played on these days." },
  );
}

/** @param {TableTheory | null} theory */
function verdict(theory) {
  if (!theory) return "";
  if (!theory.judged) return el("span", { class: "soft" }, `judged after ${theory.judged_from} rounds`);
  return theory.within ? el("span", { class: "good" }, "within") : el("strong", { class: "bad" }, "outside");
}

/** @param {Theory | undefined} theory */
function pendingText(theory) {
  return theory && "refused" in theory ? theory.refused : el("span", { class: "soft" }, "computing…");
}

/** @param {TakingsResponse} entry @param {Theory | undefined} theory */
function byWager(entry, theory) {
  const wagers = ready(theory)?.wagers ?? {};
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, `${entry.table}, by wager`),
    dataTable(
      ["Wager", "Hands", "Handle", "Win", "Paid from the meter", "Edge", "Expected"],
      [
        ...Object.entries(entry.wagers).map(([wager, line]) => [
          titleCase(wager),
          roundsLink(entry.table, String(line.hands)),
          formatExact(line.handle),
          el("span", { class: netTone(line.win) }, formatExact(line.win)),
          line.award === "0.00" ? "" : formatExact(line.award),
          formatPercent(wagers[wager]?.house_edge),
          wagers[wager] ? formatExact(wagers[wager].expected) : "",
        ]),
        ...otherRows(entry, theory),
      ],
    ),
    wagers.ante ? el("p", { class: "soft" }, "The Ante’s edge covers Ante, Odds and Raise together.") : "",
    wagers.progressive
      ? el(
        "p",
        { class: "soft" },
        "The Progressive’s edge covers its fixed pays only, without meter contributions and awards.",
      )
      : "",
    el(
      "p",
      { class: "soft" },
      "A wager counts once its round is closed, a meter contribution as soon as bets are closed. So the contributions of an open round are already part of both wins.",
    ),
    el("p", {}, `Cashed out ${formatExact(entry.cashed_out)}.`),
  );
}

/**
 * Parts of the win that are not wagers, then the total of all rows.
 * @param {TakingsResponse} entry @param {Theory | undefined} theory
 */
function otherRows(entry, theory) {
  /** @param {string | HTMLElement} text @param {string} win @param {string} expected */
  const row = (
    text,
    win,
    expected,
  ) => [text, "", "", el("span", { class: netTone(win) }, formatExact(win)), "", "", expected];
  const known = ready(theory);
  const contributed = negated(entry.contributed);
  return [
    Number(entry.contributed) ? [row("Meter contributions", contributed, known ? formatExact(contributed) : "")] : [],
    Number(entry.corrected) ? [row("Payout corrections", negated(entry.corrected), "")] : [],
    [row(el("strong", {}, "Total win"), entry.win, known ? formatExact(known.expected) : "")],
  ].flat();
}

/** @param {string} amount */
function negated(amount) {
  return amount.startsWith("-") ? amount.slice(1) : `-${amount}`;
}

/** @param {URLSearchParams} query */
function days(query) {
  /** @param {string} name @param {string} text */
  const day = (name, text) =>
    el("label", {}, el("span", {}, text), el("input", { type: "date", name, value: query.get(name) ?? "" }));
  const form = el(
    "form",
    {
      class: "search",
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `#/win?${formQuery(form)}`;
      },
    },
    day("since", "From"),
    day("until", "Before"),
    el("button", { class: "main" }, "Show"),
  );
  return form;
}

// The chart: each table's band, its expected win, and a dot for its win.

const [WIDTH, ROW, LEFT, RIGHT, TOP] = [920, 58, 170, 150, 6];

/** @param {ChartRow[]} rows */
function holdChart(rows) {
  const amounts = rows.flatMap((row) => [0, row.win, row.band?.low ?? 0, row.band?.high ?? 0]);
  const [lowest, highest] = [Math.min(...amounts), Math.max(...amounts)];
  const span = highest - lowest || 1;
  /** @param {number} amount */
  const x = (amount) => LEFT + ((amount - lowest) / span) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * ROW + 6;
  const description = rows.map((row) =>
    `${row.name} won ${row.shown}${row.within === null ? "" : row.within ? ", within its band" : ", outside its band"}`
  ).join("; ");
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": description },
    svg("line", { class: "axis", x1: x(0), x2: x(0), y1: 4, y2: height - 4 }),
    rows.map((row, index) => line(row, TOP + index * ROW + ROW / 2, x)),
  );
}

/** @param {ChartRow} row @param {number} y @param {(amount: number) => number} x */
function line(row, y, x) {
  return svg(
    "g",
    {},
    svg("text", { class: "name", x: 0, y: y + 5 }, row.name),
    row.band === null ? "" : bandPicture(row.band, y, x),
    svg("circle", {
      class: row.within ? "dot" : row.within === false ? "dot outside" : "dot unjudged",
      cx: x(row.win),
      cy: y,
      r: 7,
    }),
    svg("text", { class: "name", x: WIDTH, y: y + 5, "text-anchor": "end" }, row.shown),
  );
}

/** @param {NonNullable<ChartRow["band"]>} band @param {number} y @param {(amount: number) => number} x */
function bandPicture({ low, high, expected, text }, y, x) {
  const [from, to, middle] = [low, high, expected].map(x);
  return [
    svg("rect", { class: "band", x: from, width: Math.max(to - from, 1), y: y - 13, height: 26, rx: 6 }),
    svg("line", { class: "expected", x1: middle, x2: middle, y1: y - 13, y2: y + 13 }),
    svg("text", { x: Math.min(from + 36, middle - 4), y: y + 27, "text-anchor": "end" }, text[0]),
    svg("text", { x: Math.max(to - 36, middle + 4), y: y + 27 }, text[1]),
  ];
}
