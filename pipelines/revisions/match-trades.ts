import type { DecimalString } from '../../primitives/decimal.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { Side } from '../../vocabulary/order.ts'

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

/** How far a settled report's instant may be before and after that of the stream: it is in whole seconds, and the settlement's. */
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

/** Reports with equal terms that may be about one trade. */
type Alike = { readonly report: TradeReport; readonly feed: Feed; partner: string | null }

/**
 * Decides which reports are about one trade. A report matches one of the other feed with the same market, outcome, price and
 * quantity, a side that is equal or not stated in one of them, and an instant within MATCH_WINDOW; of several the nearest one, then
 * the earliest. Matches are one to one, so two reports of one feed are always two trades.
 */
export class TradeMatcher {
  readonly #alike = new Map<string, Alike[]>()
  readonly #first = new Map<string, string>()

  /** @param known stored reports, oldest publication first */
  constructor(known: Iterable<TradeReport>) {
    for (const report of known) this.firstIdOf(report)
  }

  /** Returns the id under which the report's trade was reported first: its own, unless another feed has reported it. */
  firstIdOf(report: TradeReport): string {
    const chain = chainOf(report, report.source_trade_id)
    const known = this.#first.get(chain)
    if (known !== undefined) return known
    const first = this.#match(report)
    this.#first.set(chain, first)
    return first
  }

  #match(report: TradeReport): string {
    const { source_trade_id, first_source_trade_id: stated } = report
    const feed = feedOf(report)
    if (feed === null) return stated ?? source_trade_id
    const alike = this.#alikeOf(report)
    const other = stated === null ? nearest(report, feed, alike) : partnerOf(stated, source_trade_id, alike)
    this.#keep({ report, feed, partner: other?.report.source_trade_id ?? null })
    if (other === null) return stated ?? source_trade_id
    other.partner = source_trade_id
    return other.report.source_trade_id
  }

  /** Reports with equal terms in the report's interval of the window's length and in the ones beside it. */
  #alikeOf(report: TradeReport): Alike[] {
    const interval = intervalOf(report)
    return [-1, 0, 1].flatMap((step) => this.#alike.get(termsOf(report, interval + step)) ?? [])
  }

  #keep(one: Alike): void {
    const terms = termsOf(one.report, intervalOf(one.report))
    const alike = this.#alike.get(terms)
    if (alike === undefined) this.#alike.set(terms, [one])
    else alike.push(one)
  }
}

function intervalOf({ source_at }: TradeReport): number {
  return Math.floor(source_at / MATCH_WINDOW.after)
}

function chainOf({ venue_id, source_market_id }: TradeReport, source_trade_id: string): string {
  return `${venue_id}\u001f${source_market_id}\u001f${source_trade_id}`
}

function termsOf({ venue_id, source_market_id, outcome_id, price, quantity }: TradeReport, interval: number): string {
  return [venue_id, source_market_id, outcome_id, price, quantity, interval].join('\u001f')
}

function partnerOf(stated: string, own: string, alike: readonly Alike[]): Alike | null {
  return stated === own ? null : (alike.find(({ report }) => report.source_trade_id === stated) ?? null)
}

function nearest(report: TradeReport, feed: Feed, alike: readonly Alike[]): Alike | null {
  const free = alike.filter((one) => one.feed !== feed && one.partner === null && isNear(report, feed, one.report))
  const distance = ({ report: { source_at } }: Alike) => Math.abs(source_at - report.source_at)
  const before = (a: Alike, b: Alike) => distance(a) - distance(b) || a.report.source_at - b.report.source_at
  return free.reduce<Alike | null>((best, one) => (best === null || before(one, best) < 0 ? one : best), null)
}

function isNear(report: TradeReport, feed: Feed, other: TradeReport): boolean {
  const [settled, streamed] = feed === 'settled' ? [report, other] : [other, report]
  const delay = settled.source_at - streamed.source_at
  const [a, b] = [report.aggressor_side, other.aggressor_side]
  return -MATCH_WINDOW.before < delay && delay <= MATCH_WINDOW.after && (a === b || a === null || b === null)
}
