// Written by `make protocol` from the server's own schemas. Do not edit.

export interface AcceptInvitationRequest {
  token: string;
  password: string;
}

/** `wallet` is a player's money that is not on a table, in dollars; null for staff. */
export interface AccountResponse {
  name: string;
  role: Role;
  locked: boolean;
  wallet: string | null;
}

/** The command was carried out and stored, as entry `index` of the floor's log. */
export interface AnsweredMessage {
  type?: "answered";
  id: string;
  index: number;
}

/** Name and password of the second person, for commands that need two. */
export interface Approval {
  name: string;
  password: string;
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

/** Cents in or out. A supervisor approves large amounts, and any amount for an administrator. */
export interface CashRequest {
  /** Chosen by the client, new for every command, such as a UUID. */
  id: string;
  cents: number;
  note?: string;
  approval?: Approval | null;
}

/** A change of an account; `approval` as for a new one. */
export interface ChangeAccountRequest {
  approval?: Approval | null;
}

export interface ChangePasswordRequest {
  old: string;
  new: string;
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

/** The TOML text of a house's own rule book, and its file name if it has one. */
export interface CheckRulebookRequest {
  text: string;
  file?: string;
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

/** Like `OpenTableRequest`, but names that are not allowed are reported in `wrong`. */
export interface CheckTableRequest {
  floor: string;
  table: string;
  /**
   * Open a table: its rules (book, paytables, options), how seats act, and its meter. `rules` is the id of a
   * shipped book or the whole text of a book, never a path (`rules_from_record`). `meter` names an open meter to
   * link to; if it is empty, the table opens its own if it needs one.
   */
  command: { command: "OpenTable"; rules: string; paytables: [string, string][]; options: Record<string, boolean | number | string | null | (boolean | number | string | null)[] | Record<string, boolean | number | string | null | (boolean | number | string | null)[] | Record<string, boolean | number | string | null>>>; clockwise: boolean; meter: string; shuffle: "not_stated" | "operating_system" | "seed" | "sealed" | "entered"; };
  pace?: PaceSeconds | null;
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

/** The table, and when the coach speaks there from now on: before or after a decision. */
export interface CoachRequest {
  table: string;
  mode: "off" | "before" | "after";
}

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

/**
 * Without a password, the person gets an invitation to set one. For staff, `approval` is by a supervisor or
 * another administrator, once the house has one.
 */
export interface CreateAccountRequest {
  name: string;
  role: Role;
  password?: string | null;
  approval?: Approval | null;
}

/** The next step of a table. During the first three the dealer waits for others. */
export type DealerStep = "players" | "bets" | "decisions" | "open_round" | "close_bets" | "count_by_hand" | "correct_flag" | "enter_cards" | "deal" | "flop" | "turn_and_river" | "reveal" | "settle" | "resolve" | "close";

/** `paused` is the reason shown to everyone; empty lets the table go on. */
export interface DealingModeRequest {
  paused: string;
  by_hand: boolean;
}

/** The command was refused and changed nothing. `id` is null if the refused message had none. */
export interface DeclinedMessage {
  type?: "declined";
  id: string | null;
  code: string;
  message: string;
}

/** The supervisor who approves what demo staff may not do alone. */
export interface DemoApproverResponse {
  name: string;
  password: string;
}

/** Which member of the demo staff to become. */
export interface DemoStaffRequest {
  role: "dealer" | "supervisor" | "auditor" | "administrator";
}

export interface DisplayHistoryRequest {
  table: string;
  key: string;
}

export interface DisplayKeyRequest {
  key: string;
}

export interface DisplayLinkRequest {
  table: string;
}

/** Anyone with the key sees what the display shows. */
export interface DisplayLinkResponse {
  key: string;
}

/** The pages, one line each; every display shows them in turn. */
export interface DisplayPages {
  pages: string[];
}

export interface DoStepRequest {
  /** Chosen by the client, new for every command, such as a UUID. */
  id: string;
  key: string;
}

export interface DrillAnswerRequest {
  id: string;
  action: "raise" | "check" | "fold";
  multiple?: number | null;
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

export interface DrillRequest {
  /** A rule book, or a table by its name. */
  game: string;
  street?: "" | "pocket" | "flop" | "river";
  kind?: "" | Kind;
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

/** As in `OpenTable`: the id of a shipped rule book, with paytables and options. */
export interface EdgesRequest {
  rules: string;
  paytables: Record<string, string>;
  options: Record<string, any>;
}

export interface EdgesResponse {
  computing: boolean;
  /** Some could not be computed; ask again to try once more. */
  failed: boolean;
  edges: EdgeView[];
}

/**
 * The cards a dealer deals from a real deck, in the order of the deal (`AsKd 7h …`) or by place
 * (`board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`).
 */
export interface EnterCardsRequest {
  /** Chosen by the client, new for every command, such as a UUID. */
  id: string;
  text: string;
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

export type ExportFormat = "log" | "csv" | "json" | "notation";

/**
 * `field` is `floor`, `table` or a path such as `options.meter_seed`, `limits.ante.max` or `pace.betting`; empty
 * if the error is not about a single field.
 */
export interface FieldError {
  field: string;
  message: string;
}

/** The first start prints a link with this token; it works once, for a day. */
export interface FirstAdministratorRequest {
  token: string;
  name: string;
  password: string;
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
  in_play: boolean;
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

export interface HandKindView {
  id: string;
  words: string;
  streets: string[];
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

/** A kind of hand, on the street or streets where it can occur. */
export type Kind = "pocket_pair" | "ace" | "face" | "small" | "nothing" | "draw" | "board" | "pair" | "strong";

/** Name and password of an account. */
export interface LoginRequest {
  name: string;
  password: string;
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

/**
 * Open a table, with a supervisor's approval. A floor is opened with its first table. `meter` in the command
 * links the table to an open meter of the floor. `pace` overrides the house's usual pace.
 */
export interface OpenTableRequest {
  /** Chosen by the client, new for every command, such as a UUID. */
  id: string;
  /** Tables that share a meter are on one floor; any other table has its own. */
  floor: string;
  table: string;
  /**
   * Open a table: its rules (book, paytables, options), how seats act, and its meter. `rules` is the id of a
   * shipped book or the whole text of a book, never a path (`rules_from_record`). `meter` names an open meter to
   * link to; if it is empty, the table opens its own if it needs one.
   */
  command: { command: "OpenTable"; rules: string; paytables: [string, string][]; options: Record<string, boolean | number | string | null | (boolean | number | string | null)[] | Record<string, boolean | number | string | null | (boolean | number | string | null)[] | Record<string, boolean | number | string | null>>>; clockwise: boolean; meter: string; shuffle: "not_stated" | "operating_system" | "seed" | "sealed" | "entered"; };
  pace?: PaceSeconds | null;
  approval?: Approval | null;
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

/** Null returns the table to the house's usual pace. */
export interface PaceRequest {
  seconds: PaceSeconds | null;
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

/** Cards in the order of the deal, `QhJh…`, or by place, `board=…, seat 1=…, dealer=…`. */
export interface PreviewCardsRequest {
  text: string;
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

/** How a seat's hand ended against the dealer's, whatever its wagers won or lost together. */
export type SeatResult = "win" | "lose" | "push" | "fold" | "void";

/** The running servers of the house, and the floors they own. */
export interface ServersResponse {
  /** The server that answered. */
  here: string;
  /** Whether the house can have only this one server. */
  alone: boolean;
  servers: string[];
  floors: FloorView[];
}

export interface ShowdownChances {
  win: ExactNumber;
  tie: ExactNumber;
  lose: ExactNumber;
}

/** How well the automatic players play. */
export type Skill = "not_asked" | "warming_up" | "solved" | "plain";

/** The result of spreading floors. Floors in play were not moved; spread again later. */
export interface SpreadResponse {
  moved: string[];
  /** Floors with an open round, which were not moved. */
  in_play: string[];
  /** How many servers share the floors. */
  servers: number;
}

/**
 * A command; sending it again with the same id changes nothing. Names of people in it (`dealer`, `supervisor`,
 * `approvals`, `by`) may be left empty: the server fills in the sender and the approver.
 */
export interface SubmitCommandRequest {
  /** Chosen by the client, new for every command, such as a UUID. */
  id: string;
  command: 
    | { command: "PlaceBets"; seat: number; stakes: Partial<Record<"ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive", number>>; coupons: Partial<Record<"ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive", number>>; }
    | { command: "WithdrawBets"; seat: number; }
    | { command: "Check"; seat: number; }
    | { command: "Raise"; seat: number; multiple: number; }
    | { command: "Fold"; seat: number; }
    | { command: "CloseBets"; }
    | { command: "DealCards"; deck: string; }
    | { command: "Proceed"; }
    | { command: "ReportIrregularity"; cause: "dealer_card_exposed" | "card_found_face_up" | "player_card_count" | "dealer_card_count" | "player_card_exposed" | "early_board_card" | "board_card_count" | "foul_deck" | "missed_raise" | "folded_card_exposed"; dealer: string; supervisor: string; seat: number | null; resolution: "void" | "correct" | "play_on"; note: string; }
    | { command: "TimeOut"; seat: number; waited: number | null; }
    | { command: "ExtendTime"; seat: number; seconds: number; }
    | { command: "OpenTable"; rules: string; paytables: [string, string][]; options: Record<string, boolean | number | string | null | (boolean | number | string | null)[] | Record<string, boolean | number | string | null | (boolean | number | string | null)[] | Record<string, boolean | number | string | null>>>; clockwise: boolean; meter: string; shuffle: "not_stated" | "operating_system" | "seed" | "sealed" | "entered"; }
    | { command: "CloseTable"; reason: string; by: string; }
    | { command: "Sit"; seat: number; player: string; }
    | { command: "SitGuest"; seat: number; name: string; same_as: number; }
    | { command: "Leave"; seat: number; }
    | { command: "BuyIn"; seat: number; amount: number; }
    | { command: "CashOut"; seat: number; amount: number; }
    | { command: "IssueCoupon"; player: string; wager: "ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive"; amount: number; expires: string; approvals: [string, string]; }
    | { command: "CancelCoupon"; coupon: number; reason: string; approvals: [string, string]; }
    | { command: "OpenRound"; }
    | { command: "CorrectPayout"; seat: number; amount: number; reason: string; dealer: string; supervisor: string; player: string; round: number; }
    | { command: "SetBonusCell"; key: string; outcome: string; pay: string; reason: string; approvals: [string, string]; }
    | { command: "SealShuffle"; commitment: string; }
    | { command: "AddSeed"; seat: number; text: string; }
    | { command: "OpenShuffle"; server_seed: string; }
    | { command: "ReportLostSeal"; reason: string; approvals: [string, string]; }
    | { command: "CorrectMeter"; amount: number; reason: string; approvals: [string, string]; }
    | { command: "FreezeMeter"; reason: string; }
    | { command: "PlanMeterClosing"; date: string; approval: string; to: string; place: "this_floor" | "other_floor" | "outside"; floor: string; }
    | { command: "TransferPool"; to: string; approvals: [string, string]; }
    | { command: "ReceivePool"; sender: string; amount: number; approval: string; approvals: [string, string]; }
    | { command: "SetBonusPrize"; prize: number; reason: string; by: string; }
    | { command: "EndBonus"; reason: string; by: string; }
    | { command: "ReadSensor"; seat: number; wager: "ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive"; chip: boolean; }
    | { command: "CorrectFlag"; seat: number; wager: "ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive"; wagered: boolean; reason: string; dealer: string; supervisor: string; }
    | { command: "ReportEquipmentDown"; reason: string; }
    | { command: "CountByHand"; counts: Partial<Record<"ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive", number>>; }
    | { command: "RestoreEquipment"; approvals: [string, string]; }
    | { command: "SetDealing"; paused: string; by_hand: boolean; }
    | { command: "SetPace"; pace: { open: number; betting: number; all_in: number; deal: number; card: number; resolve: number; close: number; by: string; at: string; } | null; }
    | { command: "SetThresholds"; win: number; wager: number; transaction: number; };
  approval?: Approval | null;
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

/** All three thresholds, with a supervisor's approval. */
export interface ThresholdsRequest {
  win: number;
  wager: number;
  transaction: number;
  approval?: Approval | null;
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

/** Restricts the socket to one table and viewer. Without it, the socket may do whatever its person may. */
export interface TicketRequest {
  table: string;
  viewer: string;
}

export interface TicketResponse {
  ticket: string;
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

/** Two hole cards, and zero, three or five board cards. */
export interface ValuesRequest {
  /** A rule book, or a table by its name. */
  game: string;
  hole: string;
  board?: string;
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
