import type { Micros } from '../../../primitives/instants.ts'
import type { EventDetails, Payout } from '../record.ts'
import { emptyLadders, forgetLadders, type LadderKind, newRunner, type Runner } from './ladders.ts'

/** Texts of a market, from the payload that had them last. */
export type MarketTexts = {
  readonly name: string | null
  readonly market_type: string | null
  readonly event_id: string | null
  readonly event_name: string | null
  readonly category: string | null
  readonly rules: string | null
  readonly details: EventDetails
}

export const STREAM_STATUSES = ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'] as const
type StreamStatus = (typeof STREAM_STATUSES)[number]

/** Terms of a market as a whole, from its definition. */
export type MarketTerms = {
  readonly status: StreamStatus
  readonly is_in_play: boolean
  /** Bets on runners that win or lose as a whole, at odds: not on a margin, a line or a range. */
  readonly is_odds: boolean
  /** Odds on one winner among runners that are all listed: only then do all outcomes together pay exactly 1. */
  readonly is_one_of_all: boolean
  /** Runners that win, if all of them are listed; null: not stated. */
  readonly winner_count: number | null
  /** null if the market turns in play then. */
  readonly closes_at: Micros | null
  readonly settled_at: Micros | null
}

/** Settlement of a market, as last stated. */
export type Settlement = {
  readonly source_at: Micros
  readonly finality: 'proposed' | 'final'
  readonly payouts: readonly Payout[]
}

/** Facts of a market that later messages need. */
export type Market = {
  readonly id: string
  /** In the order of their first mention. */
  readonly runners: Map<string, Runner>
  texts: MarketTexts
  /** Scheduled; from the payload that had it last. */
  closes_at: Micros | null
  /** null: the stream has not defined the market, or its last definition was unreadable. */
  terms: MarketTerms | null
  settlement: Settlement | null
  /** True from an image of the market until a change of it is lost. */
  is_imaged: boolean
  /** The kind of ladder that books are made of; null until the stream has shown one: none is not an empty book. */
  ladder_kind: LadderKind | null
}

/** Markets seen so far, by id. */
export type Markets = Map<string, Market>

const NO_TEXTS: MarketTexts = {
  name: null,
  market_type: null,
  event_id: null,
  event_name: null,
  category: null,
  rules: null,
  details: { status: null, starts_at: null, ends_at: null, regions: null, timezone: null },
}

/** Returns the market of an id, added if it is new. */
export function marketOf(markets: Markets, id: string): Market {
  const known = markets.get(id)
  if (known !== undefined) return known
  const market: Market = {
    id,
    runners: new Map(),
    texts: NO_TEXTS,
    closes_at: null,
    terms: null,
    settlement: null,
    is_imaged: false,
    ladder_kind: null,
  }
  markets.set(id, market)
  return market
}

/** Returns the runner of a label, added if it is new. In a market with an image, one without levels has an empty book. */
export function runnerOf(market: Market, label: string): Runner {
  const known = market.runners.get(label)
  if (known !== undefined) return known
  const runner = newRunner(label)
  market.runners.set(label, runner)
  if (market.is_imaged) emptyLadders(runner)
  return runner
}

/** Discards all books: changes of any runner are lost, or no more will come. */
export function forgetBooks(market: Market): void {
  market.is_imaged = false
  for (const runner of market.runners.values()) forgetLadders(runner)
}

/** Merges texts: the later one of each kind; absent ones leave the former. */
export function mergeTexts(before: MarketTexts, later: MarketTexts): MarketTexts {
  return {
    name: later.name ?? before.name,
    market_type: later.market_type ?? before.market_type,
    event_id: later.event_id ?? before.event_id,
    event_name: later.event_name ?? before.event_name,
    category: later.category ?? before.category,
    rules: later.rules ?? before.rules,
    details: {
      ...before.details,
      starts_at: later.details.starts_at ?? before.details.starts_at,
      regions: later.details.regions ?? before.details.regions,
      timezone: later.details.timezone ?? before.details.timezone,
    },
  }
}
