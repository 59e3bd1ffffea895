import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { WorldBatch, WorldEvent } from '../../world/events.ts'
import { HOUR } from '../../world/hour-bars.ts'
import type { BookMarket } from '../../world/market-state.ts'
import type { World } from '../../world/timeline.ts'
import type { Frame, Subscription, VenueWire } from '../venue-wire.ts'
import type { PolymarketEndpoint } from './endpoint.ts'
import {
  bookFrames,
  lastTradeFrame,
  marketResolvedFrame,
  newMarketFrame,
  priceChangeFrame,
  tickSizeFrames,
} from './frames.ts'
import { type MarketNames, polymarketNames } from './names.ts'
import { respondPolymarket } from './respond.ts'

const WS_MARKET = 'ws market' satisfies PolymarketEndpoint

/** Creates Polymarket's view of a world: Gamma, CLOB and Data API under one address, and the market channel. */
export function createPolymarketWire(world: World<BookMarket>): VenueWire {
  const names = polymarketNames(world.plan)
  return {
    subscribe: (now, markets) => subscribe(world, names, now, markets),
    marketOf: (token_id) => ordinalOf(names, token_id),
    respond: (request, now) => respondPolymarket({ world, names, now }, request),
    polls: [
      { every: 24 * HOUR, first: 0, requests: () => ['/events?limit=50&offset=0'] },
      {
        every: HOUR,
        first: MICROS_PER_SECOND,
        requests: () => ['/markets?limit=100&offset=0', ...bookRequests(world, names), '/trades?limit=500&offset=0'],
      },
      { every: HOUR, first: 2 * MICROS_PER_SECOND, requests: (now) => endedRequests(world, names, now) },
      { every: 6 * HOUR, first: HOUR + 60 * MICROS_PER_SECOND, requests: (now) => historyRequests(world, names, now) },
    ],
  }
}

function subscribe(
  world: World<BookMarket>,
  names: readonly MarketNames[],
  now: Micros,
  markets: ReadonlySet<number> | null,
): Subscription {
  let asked = markets
  const wanted = (ordinal: number) => asked?.has(ordinal) ?? true
  const frame = (at: Micros, text: string): Frame => ({ endpoint: WS_MARKET, channel: 'market', at, text })
  const booksOf = (at: Micros, of: (ordinal: number) => boolean) => {
    const open = world.markets.filter(({ stage, plan }) => stage === 'open' && of(plan.ordinal))
    return open.flatMap((market) => bookFrames(market, names[market.plan.ordinal]!).map((text) => frame(at, text)))
  }
  return {
    opening: booksOf(now, wanted),
    add: (at, added) => {
      const before = asked
      if (before === null) return []
      asked = new Set([...before, ...added])
      return booksOf(at, (one) => added.has(one) && !before.has(one))
    },
    frames: ({ events, market }: WorldBatch) => {
      if (!wanted(market)) return []
      const [state, own] = [world.markets[market]!, names[market]!]
      return events.flatMap((event) => textsOf(event, state, own).map((text) => frame(event.at, text)))
    },
  }
}

function ordinalOf(names: readonly MarketNames[], token_id: string): number | null {
  const found = names.findIndex(({ tokens }) => tokens.includes(token_id))
  return found < 0 ? null : found
}

function textsOf(event: WorldEvent, market: BookMarket, names: MarketNames): readonly string[] {
  switch (event.type) {
    case 'book_changed': {
      const text = priceChangeFrame(event, names)
      return event.repeated ? [text, text] : [text]
    }
    case 'traded':
      return [lastTradeFrame(event, names)]
    case 'grid_changed':
      return [...tickSizeFrames(event.from, event.to, event.at, names), ...bookFrames(market, names)]
    case 'stage_changed':
      return stageTexts(event, market, names)
    default:
      return []
  }
}

function stageTexts({ stage, at }: WorldEvent & { type: 'stage_changed' }, market: BookMarket, names: MarketNames) {
  if (stage === 'open') return [newMarketFrame(market, at, names), ...bookFrames(market, names)]
  const text = stage === 'final' ? marketResolvedFrame(market, at, names) : null
  return text === null ? [] : [text]
}

function bookRequests(world: World<BookMarket>, names: readonly MarketNames[]): string[] {
  const open = world.markets.filter(({ stage }) => stage === 'open')
  return open.flatMap(({ plan }) => names[plan.ordinal]!.tokens.map((token) => `/book?token_id=${token}`))
}

function endedRequests(world: World<BookMarket>, names: readonly MarketNames[], now: Micros): string[] {
  const ended = world.markets.filter(({ stage, stage_at }) => stage === 'final' && stage_at > now - HOUR)
  return ended.map(({ plan }) => `/markets/${names[plan.ordinal]!.condition_id}`)
}

/** Requests eight hours of each open market, so that two hours are read twice. */
function historyRequests(world: World<BookMarket>, names: readonly MarketNames[], now: Micros): string[] {
  const to = Math.floor(now / MICROS_PER_SECOND)
  const open = world.markets.filter(({ stage }) => stage === 'open')
  return open.map(({ plan }) => {
    const token = names[plan.ordinal]!.tokens[0]
    return `/prices-history?market=${token}&startTs=${to - 8 * 3_600}&endTs=${to}&fidelity=60`
  })
}
