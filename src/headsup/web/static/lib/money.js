// Amounts of money, written and read. The server writes dollars as text ("1250.00"); pages compute
// in cents.

/** "1250.00" → "$1,250.00" @param {string} amount */
export function formatMoney(amount) {
  const [whole, cents] = amount.replace("-", "").split(".");
  const sign = amount.startsWith("-") ? "−" : "";
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents}`;
}

/** "12.3456" → "$12.34", for exact amounts that may have any number of decimals. @param {string} amount */
export function formatExact(amount) {
  const [whole, decimals = ""] = amount.split(".");
  return formatMoney(`${whole}.${decimals.slice(0, 2).padEnd(2, "0")}`);
}

/** With a sign, for what was won or lost: "5.00" → "+$5.00" @param {string} amount */
export function formatSigned(amount) {
  return /^-|^0\.00$/.test(amount) ? formatMoney(amount) : `+${formatMoney(amount)}`;
}

/** "500.00" → "$500": without the cents if there are none, where space is short. @param {string} amount */
export function formatBrief(amount) {
  return formatMoney(amount).replace(/\.00$/, "");
}

/** Cents as the server writes dollars: -1250 → "-12.50" @param {number} cents */
export function formatCents(cents) {
  const size = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}${Math.floor(size / 100)}.${String(size % 100).padStart(2, "0")}`;
}

/** Cents from what a person typed; null if it is no amount. @param {string} text */
export function parseCents(text) {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim());
  return match && Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Cents from an amount that the server sent. @param {string} amount */
export function centsOf(amount) {
  return parseCents(amount) ?? 0;
}

/**
 * A pay as a paytable prints it: "500" → "500 to 1"; percentages and words stay as they are.
 * @param {string} pay @param {string} basis
 */
export function formatPay(pay, basis) {
  return /^[\d.,/]+$/.test(pay) ? `${pay} ${basis} 1` : pay;
}

/** The style class of a net amount. @param {string} net */
export function netTone(net) {
  return net.startsWith("-") ? "lose" : net === "0.00" ? "" : "win";
}
