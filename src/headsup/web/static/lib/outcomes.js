// How a hand ended against the dealer's, in words. The result comes from the server: the net amount does
// not show it, because side wagers may win where the hand loses.

/** For the player whose hand it was. */
export const HEADLINES = { win: "You win", lose: "The dealer wins", push: "Push", fold: "You folded", void: "Your hand is void" };

/** In lists of rounds. */
export const PAST_RESULTS = { win: "won", lose: "lost", push: "push", fold: "folded", void: "void" };

/** The special payment that a hand has won. @param {Object<string, any>} wagers @returns {"jackpot" | "bad_beat" | ""} */
export function specialPay({ progressive, odds }) {
  if (progressive?.result === "win" && progressive.award !== "0.00") return "jackpot";
  return odds?.table === "bad_beat" && odds.result === "win" ? "bad_beat" : "";
}
