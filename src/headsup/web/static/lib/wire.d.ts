// Written by `make protocol` from the server's own schemas. Do not edit.

/** `wallet` is a player's money that is not on a table, in dollars; null for staff. */
export interface AccountResponse {
  name: string;
  role: Role;
  locked: boolean;
  wallet: string | null;
}

/** A row whose amount the operator sets; `key` and `outcome` identify it in SetBonusCell. */
export interface BonusCellView {
  key: string;
  outcome: string;
  label: string;
  pays: string;
}

/**
 * Money paid in minus paid out must be in wallets or on floors; `differences` lists what does not agree,
 * `remarks` the floors that this server does not know yet.
 */
export interface BooksResponse {
  agree: boolean;
  at: string;
  paid_in: string;
  in_wallets: string;
  on_floors: string;
  differences: string[];
  remarks: string[];
  floors: FloorBooksView[];
}

export interface CardPlace {
  place: string;
  card: string | null;
}

export interface ChartCellView {
  name: string;
  hands: number;
  options: OptionValue[];
  best: number;
  /** How much better the best action is, in Antes. */
  margin: ExactNumber;
  win: ExactNumber | null;
}

/** 13 rows of 13, aces first, suited hands above the diagonal. */
export interface ChartResponse {
  ready: boolean;
  rules: string;
  rows: ChartCellView[][];
}

/**
 * All mistakes in the book. Without any, `book` is as in `GET /api/rulebooks/{id}`. `rules` is the text for
 * `OpenTable`, with an id added if it had none.
 */
export interface CheckRulebookResponse {
  rules: string;
  book: Record<string, any> | null;
  wrong: FieldError[];
}

/** Whether the table could be opened; if so, its rules with every clause. */
export interface CheckTableResponse {
  refused: string | null;
  rules: Record<string, any> | null;
  /** The open meters of this floor, to link to. */
  meters: string[];
  /** All errors, each with its field. */
  wrong: FieldError[];
  /** Wagers without a maximum. */
  unlimited: string[];
  /** Whether `POST /api/edges` works for this choice. */
  has_edges: boolean;
  /** The pace of a table opened without one. */
  usual_pace: PaceSeconds;
  /** The maximum for any step, in seconds. */
  longest: number;
}

/** When the coach speaks: never, or before or after each decision. */
export type CoachMode = "off" | "before" | "after";

/** `ready` is false while something is being computed: ask again in a moment. */
export interface CoachResponse {
  mode: CoachMode;
  ready: boolean;
  open: ValuedHand | null;
  /** The decisions made in this round, oldest first. */
  made: ValuedHand[];
  /** Of all decisions here with the coach. */
  score: Record<string, any>;
}

export interface CorrectionView {
  /** Negative if chips were taken back. */
  amount: string;
  reason: string;
  at: string;
}

/** Everything that the dealer's page shows. Send `key` with the next line. */
export interface DealerScreenResponse {
  table: string;
  rules: string;
  round: number;
  step: DealerStep;
  key: string;
  prompt: string;
  place: string;
  cards: number;
  space: string;
  board: string[];
  dealer: string[];
  all_6: string[];
  dealer_hand: string;
  seats: SeatOnFelt[];
  free_seats: number[];
  hands: HandOnFelt[];
  lying: Record<string, string>;
  raises: number[];
  can_repeat: boolean;
  meter: string;
  paused: string;
}

/** The next step of a table. During the first three the dealer waits for others. */
export type DealerStep = "players" | "bets" | "decisions" | "open_round" | "close_bets" | "count_by_hand" | "verify_award" | "correct_flag" | "enter_cards" | "deal_face_down" | "turn_over" | "deal" | "flop" | "turn_and_river" | "reveal" | "settle" | "resolve" | "close";

/** What the dealer does with one wager. */
export interface DealersMove {
  wager: Wager;
  label: string;
  move: "pay" | "take" | "push_back" | "tap" | "return" | "waits" | "leave";
  amount: string;
  why: string;
  clause: string;
}

/** The supervisor who approves what demo staff may not do alone. */
export interface DemoApproverResponse {
  name: string;
  password: string;
}

/** Anyone with the key sees what the display shows. */
export interface DisplayLinkResponse {
  key: string;
}

/** The pages, one line each; every display shows them in turn. */
export interface DisplayPages {
  pages: string[];
}

export interface DrillAnswerResponse {
  right: boolean;
  hand: ValuedHand;
  answered: number;
  correct: number;
  /** After how many more questions it comes back, if at all. */
  comes_back: number | null;
}

export interface DrillOption {
  action: string;
  multiple: number | null;
  name: string;
}

export interface DrillResponse {
  ready: boolean;
  question: QuestionView | null;
}

/**
 * The edge of the table with this paytable instead of the chosen one; `main` is the table's own main game, per
 * Ante. Null if the house must fill in cells first, and for a progressive without a seed.
 */
export interface EdgeView {
  key: string;
  id: string;
  edge: string | null;
}

export interface EdgesResponse {
  computing: boolean;
  /** Some could not be computed; ask again to try once more. */
  failed: boolean;
  edges: EdgeView[];
}

export interface ErrorResponse {
  error: Problem;
}

export interface Exact {
  exact: string;
  decimal: string;
}

/** A number as an exact fraction and as a decimal. */
export interface ExactNumber {
  exact: string;
  decimal: string;
}

/** The real chips of a table. `needs_fill` says that the book has the tray below zero. */
export interface FeltResponse {
  guests: Record<string, string>;
  settings: Record<string, any>;
  shift: TrayShift | null;
  boxes: number[];
  held: HeldAwardModel[];
  needs_fill: boolean;
}

/**
 * `field` is `floor`, `table` or a path such as `options.meter_seed`, `limits.ante.max` or `pace.betting`; empty
 * if the error is not about a single field.
 */
export interface FieldError {
  field: string;
  message: string;
}

/** `total` is the sum of all accounts, zero if all is well; `hash` is the head of the log. */
export interface FloorBooksView {
  floor: string;
  entries: number;
  hash: string;
  total: string;
  accounts: Record<string, string>;
  tables: TableBooksView[];
  meters: Record<string, MeterBooks>;
  differences: string[];
}

/** `server` is empty if no server owns the floor: one takes it within seconds, unless its log is broken. */
export interface FloorView {
  floor: string;
  server: string;
  tables: string[];
}

export interface GameView {
  id: string;
  title: string;
  table: boolean;
  raise_label: string;
}

/** What can be trained: tables by name, rule books as printed, kinds of hand. */
export interface GamesResponse {
  games: GameView[];
  kinds: HandKindView[];
}

/** `zone` is a name of the time zone database; empty for the server's own zone. A new day begins at `hour`. */
export interface GamingDayModel {
  zone: string;
  hour: number;
}

export interface HandKindView {
  id: string;
  words: string;
  streets: string[];
}

/** A hand to announce and pay. `paid` hands are those that need nothing more. */
export interface HandOnFelt {
  seat: number;
  player: string;
  hand: string;
  net: string;
  paid: boolean;
  moves: DealersMove[];
}

/** One seat's hand in a round; `net` is the change in the player's money, with any award. */
export interface HandResponse {
  table: string;
  round: number;
  seat: number;
  player: string;
  closed_at: string;
  staked: string;
  net: string;
  award: string;
  /** Empty if the hand did not get all its cards. */
  category: string;
  /** Of the hand against the dealer's: win, lose, push, fold or void. */
  result: string;
  /** Of the payout, after the round; not included in `net`. */
  corrections: CorrectionView[];
}

/** A share of the pool that waits. `cards` are the winner's two and the board. */
export interface HeldAwardModel {
  award: number;
  seat: number;
  player: string;
  round: number;
  amount: string;
  cards: string[];
  verified: boolean;
  by_account: boolean;
}

/** What every page needs first: who is logged in, and whether this is a demonstration. */
export interface HouseResponse {
  demo: boolean;
  person: PersonResponse | null;
  automatic_players: Skill | null;
}

/** The significant events that must be recorded (GLI-19): who, when, where and what. */
export type IncidentKind = "failed_log_in" | "program_error" | "authentication_mismatch" | "unavailable" | "large_win" | "large_wager" | "override" | "data_changed" | "configuration" | "time_changed" | "game_parameters" | "jackpot" | "adjustment" | "personal_data" | "deactivation" | "large_transaction" | "negative_balance" | "data_loss";

/** A kind of significant event, and its name for people. */
export interface IncidentKindResponse {
  kind: IncidentKind;
  said: string;
}

/**
 * A significant event: who, when (UTC), where and what. `said` is its kind in words, `details` the rest. `round`
 * and `entry` are null if it has none.
 */
export interface IncidentResponse {
  number: number;
  at: string;
  kind: IncidentKind;
  said: string;
  who: string;
  place: string;
  what: Record<string, any>;
  details: string;
  floor: string;
  table: string;
  round: number | null;
  entry: number | null;
}

/** The token works once, for a day, in `POST /api/invitations`; null if a password was set. */
export interface InvitationResponse {
  name: string;
  token: string | null;
}

/** What the line means, or why it means nothing. */
export interface LinePreviewResponse {
  meaning: string;
  wrong: string;
}

/** pool + reserve = seeded + contributed − awarded + adjusted, to the millionth of a dollar. */
export interface MeterBooks {
  pool: string;
  reserve: string;
  seeded: string;
  contributed: string;
  awarded: string;
  adjusted: string;
  shown: string;
  frozen: string;
  ended: boolean;
  notices: string[];
}

/** The approved plan to end the Progressive (New York (k)(5)). */
export interface MeterClosingView {
  date: string;
  approval: string;
  to: string;
  place: PoolPlace;
  floor: string;
  due: boolean;
}

export interface MetersResponse {
  own: PoolView | null;
  planned: MeterClosingView | null;
  others: PoolView[];
  cells: BonusCellView[];
}

/** The step that is due. Send `key` back to do it, so that nothing is done twice. */
export interface NextStepResponse {
  step: DealerStep;
  key: string;
  seats: number[];
  places: string[];
  paused: string;
  known: string;
  automatic: boolean;
  by_hand: boolean;
}

/** One option: the value of the whole round in Antes, and what it costs against the best. */
export interface OptionValue {
  action: string;
  multiple: number | null;
  name: string;
  ev: ExactNumber;
  cost: ExactNumber;
  /** The cost at this Ante, in dollars. */
  dollars: string | null;
}

/** `by` and `at` say who set the pace and when; empty if it is the house's usual one. */
export interface PaceResponse {
  seconds: PaceSeconds;
  usual: PaceSeconds;
  longest: number;
  by: string;
  at: string;
  may_set: boolean;
}

/** The seconds each step of a round takes; the time for decisions is in the table's rules. */
export interface PaceSeconds {
  open: number;
  betting: number;
  all_in: number;
  deal: number;
  card: number;
  resolve: number;
  close: number;
}

/** An event that was announced with entry `index` of the floor's log. */
export interface PastEventView {
  index: number;
  at: string;
  event: Record<string, any>;
  /** What happened, in the language of `Accept-Language`. */
  say: string;
  /** Who sat where at the time. */
  players: Record<string, string>;
  /** The round as the viewer saw it, for results; null otherwise. */
  round: Record<string, any> | null;
}

/** `pays` is what the house or the pool adds; `returns` is the stake returned to the player. */
export interface PayoutLine {
  wager: Wager;
  stake: string;
  result: Result;
  net: string;
  pays: string;
  returns: string;
  award: string;
  why: string;
  clause: string;
}

export interface PayoutResponse {
  seat: number;
  player: string;
  resolved: boolean;
  net: string;
  lines: PayoutLine[];
}

/** A command that this person may give at some table. */
export interface PermittedCommandResponse {
  command: string;
  two_persons: boolean;
  by_hand: boolean;
  for_guests: boolean;
}

/** The person logged in; `wallet` is a player's money that is not on a table, in dollars. */
export interface PersonResponse {
  name: string;
  role: Role;
  wallet?: string | null;
}

/** Where the pool of a Progressive that ends goes (R84). */
export type PoolPlace = "this_floor" | "other_floor" | "outside";

export interface PoolView {
  meter: string;
  shows: string;
}

/** Where each card goes; `wrong` says why the rest is refused. */
export interface PreviewCardsResponse {
  places: CardPlace[];
  complete: boolean;
  wrong: string | null;
}

export interface Problem {
  code: string;
  message: string;
}

/** This server's program files. While `changed` lists any, it opens no table or round. */
export interface ProgramResponse {
  version: string;
  /** SHA-256 over all files as of the start. */
  digest: string;
  files: number;
  /** Whether the files are checked against an approved list. */
  approved: boolean;
  /** Files changed since the start, or different from that list. */
  changed: string[];
  at: string;
}

/** Send `id` back with the answer; `repeated` marks a question that was missed before. */
export interface QuestionView {
  id: string;
  street: string;
  kind_words: string;
  rules: string;
  hole: string;
  board: string;
  options: DrillOption[];
  repeated: boolean;
  /** Missed questions that are due again. */
  due: number;
}

/**
 * `rounds` are results as the display shows them, newest first. `told` lists the events announced to the viewer
 * in these rounds and the open one, oldest first.
 */
export interface RecentHistoryResponse {
  rounds: Record<string, any>[];
  told: PastEventView[];
}

/** The request was refused and changed nothing. `id` is null if the message had none. */
export interface RefusalMessage {
  type?: "refusal";
  id: string | null;
  code: string;
  case?: string;
  say: string;
}

/** The replay of a round: entries `first` to `last` of its floor's log. */
export interface ReplayResponse {
  replay?: true;
  floor: string;
  table: string;
  round: number;
  viewer: string;
  first: number;
  /** Null while the round is open. */
  last: number | null;
  opened_at: string;
  closed_at: string | null;
  /** For a player only their own. */
  hands: HandResponse[];
  steps: ReplayStep[];
  /** The opened seal of a sealed shuffle, for `headsup verify`. */
  fair: Record<string, any> | null;
}

/** An event and the view after it; only the first view has `posted`. */
export interface ReplayStep {
  step: number;
  at: string;
  event: Record<string, any>;
  /** What happened, in the language of `Accept-Language`. */
  say: string;
  view: Record<string, any>;
  /** The parts of the live view that changed with this step; null if one is gone. */
  set: Record<string, any>;
}

/**
 * The request was carried out and stored, as entry `index` of the floor's log. The change came before. `wallet`
 * is what the sender's wallet holds, if the command moved money of it.
 */
export interface ReplyMessage {
  type: "reply";
  id: string;
  index: number;
  wallet?: number | null;
}

/** How one wager ended. */
export type Result = "win" | "lose" | "push" | "void";

export interface ReviewResponse {
  ready: boolean;
  rounds: ReviewedRoundView[];
}

/** One of the last ten rounds; `net` in dollars. */
export interface ReviewedRoundView {
  table: string;
  round: number;
  at: string;
  result: string;
  net: string;
  decisions: ValuedHand[];
}

/** A person's role; what each role may do is in `permissions`. */
export type Role = "player" | "dealer" | "supervisor" | "auditor" | "administrator";

export interface RoundResponse {
  table: string;
  round: number;
  closed_at: string;
  /** Why the whole round is void; empty if it is not. */
  void: string;
  hands: number;
  staked: string;
  net: string;
  award: string;
}

/** All stored decisions, as in `headsup review --json`, and the last evening. */
export interface ScoreResponse {
  score: Record<string, any>;
  evening: Record<string, any>;
  /** The most expensive ones, worst first. */
  mistakes: ValuedHand[];
  /** Missed drill questions that are due again. */
  due: number;
}

/** One seat as it looks on the felt. Cards are those that lie face up. */
export interface SeatOnFelt {
  seat: number;
  player: string;
  guest: boolean;
  stakes: StakeOnFelt[];
  decision: string;
  owes: boolean;
  cards: string[];
  paid: boolean;
  waits: string[];
}

/** A running server. One that is draining gives its floors to the others and stops. */
export interface ServerView {
  name: string;
  /** Its name in addresses; empty if it runs alone. */
  at: string;
  draining: boolean;
}

/** The running servers of the house, and the floors they own. */
export interface ServersResponse {
  /** The server that answered. */
  here: string;
  /** Whether the house can have only this one server. */
  alone: boolean;
  servers: ServerView[];
  floors: FloorView[];
}

/**
 * `win` is by count: drop + closing + credits - opening - fills. `recorded` is by the rounds. The difference is
 * the `variance`. `hold` is the win divided by the drop.
 */
export interface ShiftReportLine {
  floor: string;
  table: string;
  span: string;
  shifts: number;
  open: boolean;
  opening: string;
  fills: string;
  credits: string;
  drop: string | null;
  closing: string | null;
  win: string | null;
  recorded: string | null;
  variance: string | null;
  hold: string | null;
  box_variance: string;
  opening_variance: string;
}

export interface ShowdownChances {
  win: ExactNumber;
  tie: ExactNumber;
  lose: ExactNumber;
}

/** How well the automatic players play. */
export type Skill = "not_asked" | "warming_up" | "solved" | "plain";

/** What a slip is for; all but counts move chips or cash. */
export type SlipKind = "opening" | "fill" | "credit" | "box" | "box_count" | "closing" | "award";

/** What a numbered slip says. Amounts are dollars; `pieces` is a number by denomination. */
export interface SlipModel {
  table: string;
  slip: number;
  kind: SlipKind;
  shift: number;
  at: string;
  signed: string;
  amount: string;
  pieces: Record<string, number>;
  expected: string;
}

export interface StakeOnFelt {
  wager: Wager;
  label: string;
  amount: string;
}

export interface TableBooksView {
  table: string;
  rounds: number;
  playing: boolean;
  accounts: Record<string, string>;
}

/** A table in the lobby. Amounts in dollars; null if there is no such limit or meter. */
export interface TableResponse {
  id: string;
  rules: string;
  title: string;
  seats: number;
  players: Record<string, string>;
  automatic: number[];
  /** Whether automatic players come to this table. */
  attended: boolean;
  round: number;
  /** Whether a dealer turns over the cards of a real deck. */
  real_cards: boolean;
  ante_min: string | null;
  ante_max: string | null;
  meter: string | null;
  /** Notices required beside the meter's figure (R83). */
  notices: string[];
  /** A suggested buy-in. */
  buy_in: string;
  /** Why nothing is dealt; empty while cards are dealt. */
  waits?: string;
  /** Whether the table waits for a decision of yours. */
  your_turn?: boolean;
}

/**
 * The expected win on the stakes placed, if every hand had been played perfectly; mistakes are the house's gain.
 * `low` to `high` is a 95 % band, by a normal distribution and as if hands were independent; hands of one round
 * share a board, and vary more. `within` counts only once the table is `judged`, after `judged_from` rounds.
 */
export interface TableTheory {
  taken: TakingsResponse;
  expected: string;
  standard_deviation: string;
  low: string;
  high: string;
  within: boolean;
  judged: boolean;
  judged_from: number;
  wagers: Record<string, WagerTheory>;
}

/**
 * `win` is the house's, without what a pool paid or a meter received. `hold` is the win divided by the drop;
 * null if nobody bought in.
 */
export interface TakingsResponse {
  floor: string;
  table: string;
  rounds: number;
  drop: string;
  cashed_out: string;
  handle: string;
  win: string;
  hold: Exact | null;
  contributed: string;
  corrected: string;
  wagers: Record<string, WagerTakingsView>;
}

/**
 * The amounts in cents from which a win, a seat's wagers in one round, and cash in or out are large. They are
 * significant events, and large cash movements need a second person.
 */
export interface ThresholdsResponse {
  win: number;
  wager: number;
  transaction: number;
}

/** A ticket, and the address of the socket that it opens. */
export interface TicketResponse {
  ticket: string;
  socket: string;
}

/**
 * `expected` and `recorded` are only for those who see the books: whoever counts the tray must not know what
 * should be in it.
 */
export interface TrayShift {
  number: number;
  opening: string;
  fills: string;
  credits: string;
  expected: string | null;
  recorded: string | null;
}

/** A decision with the value of every option; `best` and `chosen` are indices into `options`. */
export interface ValuedHand {
  street: string;
  kind: string;
  kind_words: string;
  rules: string;
  hole: string;
  board: string;
  options: OptionValue[];
  best: number;
  chosen: number | null;
  explanation: string;
  verdict: string;
  showdown: ShowdownChances | null;
  /** The values were shown before the decision. */
  told: boolean;
  at: string;
  place: string;
}

/** `refused` says what is wrong with the cards; the player may still be choosing them. */
export interface ValuesResponse {
  ready: boolean;
  hand: ValuedHand | null;
  refused?: string;
}

export type Wager = "ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive";

export interface WagerTakingsView {
  hands: number;
  handle: string;
  win: string;
  award: string;
}

export interface WagerTheory {
  house_edge: Exact;
  expected: string;
  standard_deviation: string;
}

export interface WalletMoveResponse {
  number: number;
  amount: string;
  reason: string;
  table: string;
  by: string;
  at: string;
}

export interface WalletResponse {
  wallet: string;
}

export interface TablePart {
  id: string;
  rules: string;
  title: string;
  seats: number;
  cards: "house" | "entered";
  in_turn?: boolean;
}

export interface WagerPart {
  key: string;
  label: string;
  short: string;
  spot: number[];
  side?: boolean;
  later?: boolean;
  with?: string;
  price?: number;
  min?: number;
  max?: number;
  step?: number;
  light?: boolean;
  shortcut?: string;
}

export interface MadeHand {
  name: string;
  best: string;
}

export interface MeterPart {
  shows: number;
  frozen?: string;
  prize: string;
  notices: string[];
}

export interface TabulatorPart {
  lights: Record<string, number[]>;
  counts: Record<string, number>;
  down?: string;
}

export interface VoidedPart {
  clause: string;
  house_rule?: boolean;
  settles: string[];
}

export interface RoundPart {
  number: number;
  phase: string;
  text: string;
  open?: boolean;
  dealt?: boolean;
  over?: boolean;
  board?: string;
  board_down?: number;
  dealer?: string;
  dealer_hand?: MadeHand;
  unqualified?: boolean;
  all_6?: string;
  resolved?: number[];
  void?: string;
  void_text?: string;
  voided?: VoidedPart;
}

export interface DecisionPart {
  action: "raise" | "check" | "fold" | "owes" | "hidden";
  text: string;
  street?: string;
  multiple?: number;
  amount?: number;
}

/** A wagering seat as everybody sees it. */
export interface SeatPart {
  stakes: Record<string, number>;
  coupons?: Record<string, number>;
  hole?: string;
  decision?: DecisionPart;
  hand?: MadeHand;
  void?: string;
  void_text?: string;
  voided?: VoidedPart;
}

/** How one wager settled: `pays` is what the house or the pool adds to what `returns`. */
export interface LinePart {
  wager: string;
  stake: number;
  result: string;
  net: number;
  pays: number;
  returns: number;
  why: string;
  clause: string;
  outcome: string;
  table?: string;
  award?: number;
  gesture?: string;
}

export interface ResultPart {
  result: string;
  net: number;
  lines: LinePart[];
  special?: string;
}

export interface NextHandPart {
  result: string;
  net: number;
  lines: LinePart[];
  special?: string;
  seat: number;
}

export interface ClockPart {
  until: number;
  of: number;
}

export interface ClocksPart {
  bets?: ClockPart;
  seats?: Record<string, ClockPart>;
}

export interface WhyPart {
  why: string;
}

export interface CouponPart {
  coupon: number;
  player: string;
  wager: string;
  amount: number;
  expires: string;
}

/** A Raise that the rules allow and the seat's chips do not. */
export interface BeyondPart {
  multiple: number;
  label: string;
  amount: number;
}

/** What one seat sees beside what everybody sees. */
export interface YouPart {
  seat: number;
  chips: number;
  hole?: string;
  decision?: DecisionPart;
  reads?: MadeHand;
  draws?: string[];
  beyond?: BeyondPart[];
  coupons?: CouponPart[];
  clock?: ClockPart;
}

export interface LastHandPart {
  seat: number;
  category: string;
  result: string;
  award?: number;
}

export interface LastPart {
  number: number;
  dealer: string;
  unqualified?: boolean;
  hands: LastHandPart[];
}

/** A command that the viewer may send as it is. */
export interface MayItem {
  command: Record<string, any>;
  label: string;
  hint?: string;
  amount?: number;
  keys?: string[];
}

export interface Option {
  set: Record<string, any>;
  label: string;
}

export interface Field {
  name: string;
  label: string;
  kind: "text" | "date" | "cents" | "micros" | "whole" | "yes" | "choice" | "counts" | "stakes" | "pool";
  options?: Option[];
  min?: number;
  max?: number;
  value?: number;
}

/** A command with fields to fill in. */
export interface FormPart {
  command: Record<string, any>;
  label: string;
  fields: Field[];
  sheet?: string;
  two_persons?: boolean;
}

/** The next step. With `can`, `ask` with its `key` as `due` does it. */
export interface DuePart {
  step: string;
  key: string;
  text: string;
  seats?: number[];
  places?: string[];
  can?: boolean;
  empty?: boolean;
  sheet?: string;
}

export interface DeskPart {
  due: DuePart;
  deals: "house" | "hand" | "entered";
  attend: ("pause" | "resume" | "take_over" | "hand_back")[];
  notice?: string;
  owing?: number[];
  coupons?: CouponPart[];
}
