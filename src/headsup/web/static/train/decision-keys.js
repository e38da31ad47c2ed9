// The keys of decisions, the same at the table and in the drill.

/** @type {Record<string, string>} */
const KEYS = { check: "c", fold: "f" };

/**
 * The keys of a choice: r for the largest Raise, and for every Raise its multiple.
 * @param {{action: string, multiple?: number | null}} choice
 * @param {{action: string, multiple?: number | null}[]} choices
 */
export function decisionKeys(choice, choices) {
  if (choice.action !== "raise") return [KEYS[choice.action]];
  const multiples = choices.filter((one) => one.action === "raise").map((one) => one.multiple ?? 0);
  return [...(choice.multiple === Math.max(...multiples) ? ["r"] : []), String(choice.multiple)];
}
