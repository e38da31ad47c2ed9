// The page behind a link that works once: the first administrator of a new house, or somebody who
// was invited. What is after the # never leaves the browser but in the request itself.

import { post } from "./connection.js";
import { find, within } from "./dom.js";
import "./settings.js";

const [kind, token] = location.hash.slice(1).split("=");
const first = kind === "first";

find("what").textContent = first
  ? "This house has no administrator yet. Choose your name and a password."
  : "You were invited. Choose a password, and come in.";
find("name-label").hidden = !first;
field("name").disabled = !first;

find("welcome").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, password, again] = ["name", "password", "again"].map(field);
  if (password.value !== again.value) {
    say("The two passwords are not the same.");
    again.focus();
    return;
  }
  const said = { token: token || "", password: password.value };
  try {
    const person = await post(first ? "/api/first" : "/api/invitations", first ? { ...said, name: name.value } : said);
    location.replace(person.role === "player" ? "/" : person.role === "dealer" ? "/console" : "/office");
  } catch (error) {
    const refused = /** @type {import("./connection.js").Declined} */ (error);
    say(WORDS[refused.code] || refused.message);
  }
});

const WORDS = {
  bad_invitation: "This link does not work any more: it works once, and for a day. Ask for another.",
  bad_name: "That cannot be a name here.",
  name_taken: "Somebody has this name already.",
};

/** @param {string} name */
function field(name) {
  return within(find("welcome"), `[name=${name}]`, HTMLInputElement);
}

function say(sentence) {
  find("refused").textContent = sentence;
}
