// What tables won beside what was expected: a band, the middle of it, and a dot for each.

import { svg } from "./cards.js";

const [WIDTH, ROW, LEFT, RIGHT, TOP] = [920, 58, 170, 150, 6];

/**
 * @param {{name: string, win: number, shown: string, low?: number, high?: number, expected?: number, within?: boolean, band?: string[]}[]} rows
 *   amounts in dollars; without a band where it is not known yet, without `within` where the table is not judged
 */
export function holdChart(rows) {
  const amounts = rows.flatMap((row) => [0, row.win, row.low ?? 0, row.high ?? 0]);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const span = most - least || 1;
  const x = (amount) => LEFT + ((amount - least) / span) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * ROW + 6;
  const said = rows.map((row) => `${row.name} won ${row.shown}${row.within === undefined ? "" : row.within ? ", within its band" : ", outside its band"}`).join("; ");
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": said },
    svg("line", { class: "axis", x1: x(0), x2: x(0), y1: 4, y2: height - 4 }),
    rows.map((row, at) => line(row, TOP + at * ROW + ROW / 2, x)),
  );
}

function line(row, y, x) {
  const banded = row.low !== undefined;
  return svg(
    "g",
    {},
    svg("text", { class: "name", x: 0, y: y + 5 }, row.name),
    banded ? svg("rect", { class: "band", x: x(row.low), width: Math.max(x(row.high) - x(row.low), 1), y: y - 13, height: 26, rx: 6 }) : "",
    banded ? svg("line", { class: "expected", x1: x(row.expected), x2: x(row.expected), y1: y - 13, y2: y + 13 }) : "",
    banded ? svg("text", { x: Math.min(x(row.low) + 36, x(row.expected) - 4), y: y + 27, "text-anchor": "end" }, row.band[0]) : "",
    banded ? svg("text", { x: Math.max(x(row.high) - 36, x(row.expected) + 4), y: y + 27 }, row.band[1]) : "",
    svg("circle", { class: row.within ? "dot" : row.within === false ? "dot outside" : "dot unjudged", cx: x(row.win), cy: y, r: 7 }),
    svg("text", { class: "name", x: WIDTH, y: y + 5, "text-anchor": "end" }, row.shown),
  );
}
