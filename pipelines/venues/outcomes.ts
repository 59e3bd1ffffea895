/**
 * Rules by which a record of an input is read and gives no row of its own. A report counts every record under exactly one
 * outcome, so nothing disappears silently. docs/archives.md has one row per rule; test/pipelines/venues/outcomes.test.ts
 * compares both ways.
 */
export const IGNORE_RULES = {
  COMBINATION: 'Kalshi: a combination that users generate from other markets (multivariate events, tickers `KXMVE…`)',
  CONTEXT_ONLY: 'a series, event or token list without a market of its own: its facts go into the rows of its markets',
  DESCRIBED_BEFORE: 'Polymarket: a short description of a market that Gamma has described in full',
  WITHIN_MINUTE:
    'a change of a book between two stored states: a book is stored once a minute, a quote when its touch changes',
  UNCHANGED: 'best prices that repeat the ones before',
  IN_BOOK: 'Polymarket: best prices, or a change, that a whole book received before already contains',
  WAITS_FOR_MARKET:
    'Polymarket: a resolution whose market is described later in the same import, or never (UNKNOWN_MARKET)',
  CONNECTION: 'a message about the connection: heartbeat, acknowledgement, subscription, error',
  NO_MARKET_DATA: 'an answer about the exchange and not about a market: status, schedule, fees, milestones, tags',
  LAST_PRICE: 'Betfair: a last traded price (`ltp`) beside ladders; the trades of `trd` state prices with volumes',
  TRADED_TOTAL:
    'Betfair: totals (`tv`), which live and historic streams count differently, and `trd` of bets before the first image',
  STARTING_PRICE: 'Betfair: starting prices (`spn`, `spf`, `spb`, `spl`)',
  CUT_LADDER: 'Betfair: ladders that are cut to a depth (`batb`, `batl`, `bdatb`, `bdatl`) beside more telling ones',
  NO_PROBABILITY:
    'Manifold: a question without a probability, or a list entry of several answers that lists none of them',
  ANSWER_ALONE:
    'Manifold: an independent answer that is cancelled, or resolved while its market is open: a resolution ends a whole market',
  SHARES_UNSTATED:
    'Manifold: a resolution that pays each answer a share (MKT) and states no shares: the market is resolved, without payouts',
  ZERO_PRICE: 'a record whose only price is 0, in an import by which 0 means missing',
  REDEMPTION: 'Manifold: a redemption of opposite shares, which is neither a trade nor a price',
  NOTHING_STATED: 'a record without a value that is stored: no execution, no price, no change',
  NO_RECORDS: 'an answer, feed or message without any record in it',
  EMPTY_FILE: 'a file without content: get it again if it should have some',
  NOT_DATA: 'a file beside the data: LICENSE, README, NOTICE, SHA256SUMS, a name that begins with a point',
  OTHER_FILE:
    'a file of another kind than the archive reads: import it on its own, as `tidemark import --explain FILE` says',
  SECOND_COPY: 'a file that is also there under the same name in a compression that is preferred',
} as const satisfies Record<string, string>
export type IgnoreRule = keyof typeof IGNORE_RULES

/** Rules by which data that names a person's account is removed before anything is stored. */
export const REDACTION_RULES = {
  ACCOUNT_FIELDS:
    'Polymarket Data API: wallets, names and pictures beside trades; numbers become texts of the same digits',
  ACCOUNT_PARAMETERS: 'Polymarket Data API: the accounts that a request asked for',
  UNREADABLE_ACCOUNTS:
    'Polymarket Data API: the text of an answer that is not JSON, because its accounts cannot be separated',
  ACCOUNT_DATA: 'an answer or message about one account (orders, fills, positions): its text is not stored',
} as const satisfies Record<string, string>
export type RedactionRule = keyof typeof REDACTION_RULES

/**
 * Outcome of one record when it is read. `taken`: it gave records, which are stored or turn out to be duplicates; `repeated`: it
 * states again what this import has read already.
 */
export type Outcome = 'taken' | 'repeated' | 'redacted' | 'quarantined' | IgnoreRule

/** Type guard for the outcomes that are rules. */
export function isIgnored(outcome: Outcome): outcome is IgnoreRule {
  return Object.hasOwn(IGNORE_RULES, outcome)
}
