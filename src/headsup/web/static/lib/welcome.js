// The page behind a one-time link: for the first administrator of a new house, or an invited user. The
// token is after the # so that it is only ever sent in the request itself.

import { find, findIn } from "./dom.js";
import { post } from "./http.js";
import "./settings.js";

const [kind, token] = location.hash.slice(1).split("=");
const isFirst = kind === "first";

find("what").textContent = isFirst
  ? "This house has no administrator yet. Choose a name and a password for the first one."
  : "You have been invited. Choose a password to continue.";
find("name-label").hidden = !isFirst;
field("name").disabled = !isFirst;

find("welcome").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, password, again] = ["name", "password", "again"].map(field);
  if (password.value !== again.value) {
    say("The passwords do not match.");
    again.focus();
    return;
  }
  const fields = { token: token || "", password: password.value };
  try {
    const person = await post(
      isFirst ? "/api/first" : "/api/invitations",
      isFirst ? { ...fields, name: name.value } : fields,
    );
    location.replace(person.role === "player" ? "/" : person.role === "dealer" ? "/console" : "/office");
  } catch (error) {
    const refusal = /** @type {import("./http.js").Declined} */ (error);
    say(MESSAGES[refusal.code] || refusal.message);
  }
});

/** @type {Record<string, string>} */
const MESSAGES = {
  bad_invitation: "This link no longer works. Each link works once, within a day. Ask for a new one.",
  bad_name: "That name cannot be used here.",
  name_taken: "That name is already taken.",
};

/** @param {string} name */
function field(name) {
  return findIn(find("welcome"), `[name=${name}]`, HTMLInputElement);
}

/** @param {string} sentence */
function say(sentence) {
  find("refused").textContent = sentence;
}
