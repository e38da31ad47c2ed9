// The page: hears the server, keeps the state, draws it, and asks what its user wants.

import { drawBets } from "./bets.js";
import { Connection, Declined, get, post } from "./connection.js";
import { el, find } from "./dom.js";
import { draw, keysOf, link } from "./draw.js";
import "./settings.js";
import * as state from "./state.js";
import { cents, sentence } from "./words.js";

const LOBBY_EVERY = 3000; // milliseconds between two looks at the list of tables
const MOST_TOLD = 60; // lines of what happened

let now = state.INITIAL;

const connection = new Connection({
  message: (message) => {
    change(state.received(now, message));
    if (message.type === "declined" && message.code === "not_your_view") lookFrom("rail");
  },
  status: (status) => change(state.connected(now, status)),
  watched: () => now.table && { table: now.table, viewer: now.viewer, after: now.index },
});

/** The next state: draw it, tell what happened, and look from the own seat once there is one. */
function change(next) {
  const before = now;
  now = next;
  draw(now, doing);
  drawBets(now, (stakes) => ask({ command: "PlaceBets", seat: state.mySeat(now), stakes, coupons: [] }));
  if (now.events !== before.events) now.events.forEach((event) => tell(sentence(event, now)));
  if (now.view !== before.view) lookFromTheOwnSeat();
}

function lookFromTheOwnSeat() {
  const seat = state.mySeat(now);
  lookFrom(seat === null ? "rail" : `seat ${seat}`);
}

function lookFrom(viewer) {
  if (viewer === now.viewer) return;
  now = state.as(now, viewer);
  connection.watch();
}

function tell(line) {
  if (!line) return;
  const told = find("told");
  told.append(el("p", {}, line));
  while (told.children.length > MOST_TOLD) told.firstChild.remove();
  told.scrollTop = told.scrollHeight;
}

// What its user wants.

const doing = {
  sit: (table, seat) =>
    trying(async () => {
      if (now.table !== table) go(table);
      else find("own-title").focus();
      await connection.ask(table, { command: "Sit", seat, player: now.person.name });
      await buyIn(table, seat);
    }),
  buyIn: () => trying(() => buyIn(now.table, state.mySeat(now))),
  standUp: () => ask({ command: "Leave", seat: state.mySeat(now) }).then(look),
  withdraw: () => ask({ command: "WithdrawBets", seat: state.mySeat(now) }),
  decide: ({ action, multiple }) => {
    const seat = state.mySeat(now);
    if (action === "raise") return ask({ command: "Raise", seat, multiple });
    return ask({ command: action === "check" ? "Check" : "Fold", seat });
  },
};

/** Chips for what the table suggests, or for all there is; a guest who has nothing is given more. */
async function buyIn(table, seat) {
  const suggested = cents(now.tables.find((one) => one.id === table)?.buy_in ?? "0");
  let wallet = cents(now.person.wallet ?? "0");
  if (wallet === 0 && now.house.demo) wallet = cents((await post("/api/demo/money")).wallet);
  const amount = Math.min(suggested, wallet);
  await connection.ask(table, { command: "BuyIn", seat, amount });
  await look();
}

function ask(command) {
  return trying(() => connection.ask(now.table, command));
}

async function trying(act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    change(state.refused(now, error.message));
  }
}

// Where the page is: the lobby, or a table, as the address says.

function go(table) {
  history.pushState(null, "", table === null ? "#/" : link(table));
  arrive();
  find("table-title").focus();
}

function arrive() {
  const match = /^#\/table\/(.+)$/.exec(location.hash);
  const table = match ? decodeURIComponent(match[1]) : null;
  if (table === now.table) return;
  if (now.table !== null) connection.unwatch(now.table);
  find("told").replaceChildren();
  change(state.at(now, table));
  connection.watch();
}

/** Who am I here, and which tables are there? */
async function look() {
  const found = await get("/api/here");
  change(state.here(now, found));
  if (now.person === null) return;
  const tables = await get("/api/tables");
  change(state.listed(now, tables));
}

async function enter() {
  await look();
  if (now.person === null && now.house.demo) {
    await post("/api/demo");
    await look();
  }
  if (now.person !== null) await connection.open();
}

find("log-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const said = new FormData(form);
  trying(async () => {
    await post("/api/login", { name: said.get("name"), password: said.get("password") });
    form.reset();
    change(state.refused(now, ""));
    await enter();
  });
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target instanceof HTMLInputElement) return;
  const choices = state.choices(now);
  const choice = choices.find((one) => keysOf(one, choices).includes(event.key));
  if (!choice) return;
  event.preventDefault();
  doing.decide(choice);
});

window.addEventListener("hashchange", arrive);
window.addEventListener("popstate", arrive);
window.addEventListener("online", () => connection.open());

/** While the lobby is looked at, or the automatic players warm up, look again now and then. */
setInterval(() => {
  const warming = ["not_asked", "warming_up"].includes(now.house?.automatic_players ?? "");
  if (document.hidden || now.person === null || now.status !== "open") return;
  if (now.table === null || warming) look().catch(() => {});
}, LOBBY_EVERY);

await trying(enter);
arrive();
