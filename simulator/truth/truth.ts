import { formatMicros } from '../../primitives/instants.ts'
import { fixedPrice, fixedSize, plainScaled } from '../wire/decimal-text.ts'
import { kalshiNames } from '../wire/kalshi/names.ts'
import { manifoldContracts } from '../wire/manifold/contracts.ts'
import { polymarketNames } from '../wire/polymarket/names.ts'
import type { Ladder, Level } from '../world/ladder.ts'
import type { BookMarket, MarketLife, PoolMarket } from '../world/market-state.ts'
import type { VenueId } from '../world/options.ts'
import type { World } from '../world/timeline.ts'
import type { TradeTally } from './trade-tally.ts'

/** True state of a venue, to check what was derived from its payloads. */
export type VenueTruth = {
  readonly venue_id: VenueId
  readonly outages: readonly { readonly from: string; readonly to: string }[]
  readonly trades: TradeTally
  readonly markets: readonly MarketTruth[]
}

/** Prices with four decimals, sizes with two; levels of YES, best first. */
export type MarketTruth = {
  /** The venue's id of it; on Manifold the contract's id. */
  readonly source_market_id: string
  /** The venue's label of YES. */
  readonly outcome: string
  readonly question: string
  readonly event: number
  readonly kind: string
  readonly fate: string
  readonly stage: string
  readonly stage_at: string
  /** Payout of YES; null = not final. */
  readonly payout: string | null
  /** First proposed payout; null = none yet. */
  readonly proposed_payout: string | null
  readonly was_disputed: boolean
  readonly trades_count: number
  readonly book: { readonly bids: readonly LevelTruth[]; readonly asks: readonly LevelTruth[] } | null
  readonly probability: string | null
}

type LevelTruth = readonly [price: string, size: string]

type Names = { readonly source_market_id: string; readonly outcome: string }

/** Returns the truth about a venue with order books at the end of the world. */
export function bookTruth(world: World<BookMarket>, trades: TradeTally): VenueTruth {
  const names =
    world.venue_id === 'kalshi'
      ? kalshiNames(world.plan).map(({ ticker }) => ticker)
      : polymarketNames(world.plan).map(({ condition_id }) => condition_id)
  const markets = world.markets.map((market, ordinal) => ({
    ...lifeOf(world, market, { source_market_id: names[ordinal]!, outcome: 'YES' }),
    book: ladderTruth(market.ladder),
    probability: null,
  }))
  return { ...venueOf(world, trades), markets }
}

/** Returns the truth about Manifold at the end of the world. */
export function poolTruth(world: World<PoolMarket>, trades: TradeTally): VenueTruth {
  const markets = manifoldContracts(world).flatMap(({ id, event, answers }) =>
    answers.map((answer) => ({
      ...lifeOf(world, answer.market, {
        source_market_id: id,
        outcome: event.kind === 'binary' ? 'YES' : answer.id,
      }),
      book: null,
      probability: plainScaled(answer.market.probability, 15),
    })),
  )
  return { ...venueOf(world, trades), markets }
}

function venueOf({ venue_id, outages }: World, trades: TradeTally) {
  return {
    venue_id,
    outages: outages.map(({ from, to }) => ({ from: formatMicros(from), to: formatMicros(to) })),
    trades,
  }
}

function lifeOf({ plan }: World, market: MarketLife, names: Names) {
  const event = plan.events[market.plan.event]!
  const payout = (value: number | null) => (value === null ? null : fixedPrice(value))
  return {
    ...names,
    question: market.plan.question,
    event: event.ordinal,
    kind: event.kind,
    fate: event.fate,
    stage: market.stage,
    stage_at: formatMicros(market.stage_at),
    payout: payout(market.final_payout),
    proposed_payout: payout(market.proposed_payout),
    was_disputed: market.was_disputed,
    trades_count: market.trades_count,
  }
}

function ladderTruth({ bids, asks }: Ladder) {
  const list = (levels: readonly Level[]) =>
    levels.map(({ price, size }): LevelTruth => [fixedPrice(price), fixedSize(size)])
  return { bids: list(bids), asks: list(asks) }
}
