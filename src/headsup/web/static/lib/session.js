// Who the visitor is, and how a visitor of the demonstration changes roles.

import { get, post } from "./http.js";

let isDemoHouse = false;

/** Who is logged in, or null. */
export async function whoAmI() {
  const here = await get("/api/here");
  isDemoHouse = here.demo;
  return here.person;
}

/** Whether this is the demonstration; known after `whoAmI`. */
export function isDemo() {
  return isDemoHouse;
}

/** The staff roles. */
export const STAFF = ["dealer", "supervisor", "administrator", "auditor"];

/** Log in as a member of the demonstration's staff. The guest can be resumed later. */
export async function becomeStaff(role) {
  await post("/api/demo/staff", { role });
}

/** Log in as the same guest again, or as a new one. */
export async function becomeGuest() {
  await post("/api/demo");
  location.assign("/");
  if (location.pathname === "/") location.reload();
}
