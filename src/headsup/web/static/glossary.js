// What the words of the game mean, in one sentence each. Amounts and permissions are not told here:
// they differ by rule book, and the table posts them.

/** @type {[string, string][]} */
export const GLOSSARY = [
  ["Ante", "The bet that buys you a hand. It is paid even money when your hand wins."],
  ["Odds", "Bet together with the Ante. It pays by your hand when you win with a good one, and as a Bad Beat when you lose with a very good one."],
  ["Raise, or Play", "A further bet behind the Ante, a multiple of it. You make it once: the earlier, the larger."],
  ["Check", "Wait for more cards without betting more."],
  ["Fold", "Give the hand up, and with it Ante and Odds."],
  ["Pocket, or hole cards", "The two cards that only you hold."],
  ["Board", "The five cards in the middle that everyone plays with: flop, turn and river."],
  ["Flop, turn, river", "The first three cards of the board; the fourth; the fifth."],
  ["Qualify", "Where the rules ask it, a dealer’s hand must be good enough to play for the Ante; otherwise the Ante is returned."],
  ["Push", "The bet is neither won nor lost: it goes back to you."],
  ["Copy", "Your hand and the dealer’s are exactly equal."],
  ["Bad Beat", "A hand so good that losing with it is paid."],
  ["Trips Plus", "A side wager on your best five cards, whatever the dealer has."],
  ["Pocket Bonus", "A side wager on your first two cards alone."],
  ["All 6", "A side wager on your two cards and four that are dealt apart."],
  ["Progressive", "A side wager for a share of the meter, which grows with every such bet."],
  ["Meter", "What there is to win on the Progressive, to the cent."],
  ["Void", "A hand or a round that is called off: stakes are returned, but for what the rules settle all the same."],
  ["To 1, for 1", "“3 to 1” pays three and returns the bet; “3 for 1” pays three and keeps it."],
];
