import type { DecimalString } from '../../primitives/decimal.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { Side } from '../../vocabulary/order.ts'
import { tradeChain } from './trade-revisions.ts'

/** A report of a trade: its terms, and the id under which the trade was reported first. */
export type TradeReport = {
  readonly venue_id: string
  readonly source_market_id: string
  readonly source_trade_id: string
  /** null: stored before reports were matched. */
  readonly first_source_trade_id: string | null
  readonly outcome_id: string
  readonly price: DecimalString
  readonly quantity: DecimalString
  readonly aggressor_side: Side | null
  readonly source_at: Micros
}

/** Longest time of a settled report before and after the stream's: it is in whole seconds, and the instant of settlement. */
export const MATCH_WINDOW = { before: MICROS_PER_SECOND, after: 5 * MICROS_PER_SECOND } as const

/** Feeds of a venue that report one trade under different ids, by the prefix of the id. */
const FEEDS: Readonly<Record<string, Readonly<Record<string, Feed>>>> = {
  polymarket: { tape: 'stream', fill: 'settled' },
}
type Feed = 'stream' | 'settled'

/** Returns the feed of a report; null: the venue's ids are the same in every feed. */
function feedOf({ venue_id, source_trade_id }: Pick<TradeReport, 'venue_id' | 'source_trade_id'>): Feed | null {
  return FEEDS[venue_id]?.[source_trade_id.split('_')[0]!] ?? null
}

/** Returns whether a venue reports trades under different ids, so that its reports must be matched. */
export function isMatched(venue_id: string): boolean {
  return FEEDS[venue_id] !== undefined
}

/** A report that may be matched, until it is. */
type Candidate = { readonly report: TradeReport; readonly feed: Feed; partner: Candidate | null }

/**
 * Decides which reports are about one trade. A report matches one of the other feed with the same market, outcome, price and
 * quantity, a side that is equal or not stated in one of them, and an instant within MATCH_WINDOW. Reports are matched in the order of
 * their instants, each with the earliest one that is left. Matches are one to one, so two reports of one feed are always two trades.
 * Decisions about stored reports stay.
 * @param known stored reports, oldest publication first
 * @param batch new reports in the order in which they will be published; one may be known already, or occur again
 * @returns the id under which the trade of each report was reported first, by tradeChain of the report
 */
export function matchTrades(known: readonly TradeReport[], batch: readonly TradeReport[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const candidates = new Map<string, Candidate[]>()
  const [stored, arrived] = [newCandidates(known, first), newCandidates(batch, first)]
  for (const one of [...stored, ...arrived]) keep(candidates, one)
  for (const one of stored) restorePartner(one, candidates)
  const undecided = [...stored.filter(({ report }) => report.first_source_trade_id === null), ...arrived]
  for (const one of inTimeOrder(undecided)) {
    if (one.partner === null) pair(one, earliest(one, candidates))
  }
  // Both lists are in the order of publication, and what is stored was published before.
  for (const { report, partner } of [...stored, ...arrived]) {
    const [own, other] = [chainOf(report), partner === null ? null : chainOf(partner.report)]
    if (!first.has(own)) first.set(own, (other === null ? undefined : first.get(other)) ?? report.source_trade_id)
  }
  return first
}

/** Returns one candidate for each trade id; a report that no other feed can repeat gets its id at once. */
function newCandidates(reports: readonly TradeReport[], first: Map<string, string>): Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (const report of reports) {
    const chain = chainOf(report)
    const feed = feedOf(report)
    const { first_source_trade_id: stated } = report
    if (stated !== null && !first.has(chain)) first.set(chain, stated)
    if (feed === null) first.set(chain, first.get(chain) ?? report.source_trade_id)
    else if (!candidates.has(chain) && (stated !== null || !first.has(chain))) {
      candidates.set(chain, { report, feed, partner: null })
    }
  }
  return [...candidates.values()]
}

function restorePartner(one: Candidate, candidates: ReadonlyMap<string, readonly Candidate[]>): void {
  const { first_source_trade_id: stated, source_trade_id } = one.report
  if (stated === null || stated === source_trade_id) return
  pair(one, alike(one, candidates).find(({ report }) => report.source_trade_id === stated) ?? null)
}

function pair(one: Candidate, other: Candidate | null): void {
  one.partner = other
  if (other !== null) other.partner = one
}

/** Returns the earliest free report of the other feed that may be about the same trade; null: none. */
function earliest(one: Candidate, candidates: ReadonlyMap<string, readonly Candidate[]>): Candidate | null {
  const free = alike(one, candidates).filter((other) => {
    return other.feed !== one.feed && other.partner === null && isNear(one, other.report)
  })
  return inTimeOrder(free)[0] ?? null
}

function inTimeOrder(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((a, b) => a.report.source_at - b.report.source_at)
}

/** Returns the reports with equal terms in the report's interval of the window's length and in the ones beside it. */
function alike({ report }: Candidate, candidates: ReadonlyMap<string, readonly Candidate[]>): Candidate[] {
  const interval = intervalOf(report)
  return [-1, 0, 1].flatMap((step) => candidates.get(termsOf(report, interval + step)) ?? [])
}

function keep(candidates: Map<string, Candidate[]>, one: Candidate): void {
  const terms = termsOf(one.report, intervalOf(one.report))
  const known = candidates.get(terms)
  if (known === undefined) candidates.set(terms, [one])
  else known.push(one)
}

function intervalOf({ source_at }: TradeReport): number {
  return Math.floor(source_at / MATCH_WINDOW.after)
}

function termsOf({ venue_id, source_market_id, outcome_id, price, quantity }: TradeReport, interval: number): string {
  return [venue_id, source_market_id, outcome_id, price, quantity, interval].join('\u001f')
}

function chainOf({ venue_id, source_market_id, source_trade_id }: TradeReport): string {
  return tradeChain(venue_id, source_market_id, source_trade_id)
}

function isNear({ report, feed }: Candidate, other: TradeReport): boolean {
  const [settled, streamed] = feed === 'settled' ? [report, other] : [other, report]
  const delay = settled.source_at - streamed.source_at
  const [a, b] = [report.aggressor_side, other.aggressor_side]
  return -MATCH_WINDOW.before < delay && delay <= MATCH_WINDOW.after && (a === b || a === null || b === null)
}
