import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { WorldBatch, WorldEvent } from '../../world/events.ts'
import { HOUR } from '../../world/hour-bars.ts'
import type { BookMarket } from '../../world/market-state.ts'
import type { World } from '../../world/timeline.ts'
import type { Frame, Subscription, VenueWire } from '../venue-wire.ts'
import type { KalshiEndpointName } from './endpoint.ts'
import {
  activatedFrame,
  addedFrame,
  deltaFrame,
  determinedFrame,
  type SID,
  settledFrame,
  snapshotFrame,
  subscribedFrame,
  tickerFrame,
  tradeFrame,
} from './frames.ts'
import { kalshiNames, type MarketNames } from './names.ts'
import { cutoffAt, respondKalshi } from './respond.ts'

const CHANNELS = ['orderbook_delta', 'ticker', 'trade', 'market_lifecycle_v2'] as const satisfies readonly Channel[]

/**
 * Creates Kalshi's view of a world: the trade API v2 and the four public channels of its websocket.
 * @param historical_after age beyond which only the historical endpoints serve data
 */
export function createKalshiWire(world: World<BookMarket>, historical_after?: Micros): VenueWire {
  const names = kalshiNames(world.plan)
  const open = () => world.markets.filter(({ stage }) => stage === 'open')
  const series = [...new Set(names.map(({ series_ticker }) => series_ticker))]
  return {
    subscribe: (now, markets) => subscribe(world, names, now, markets),
    marketOf: (ticker) => ordinalOf(names, ticker),
    respond: (request, now) => {
      const cutoff = cutoffAt(world.plan.options, historical_after, now)
      return respondKalshi({ world, names, now, cutoff }, request)
    },
    polls: [
      {
        every: 24 * HOUR,
        first: 0,
        requests: () => [
          '/historical/cutoff',
          '/events?limit=200',
          ...series.map((ticker) => `/series/${ticker}`),
          '/markets?limit=200&mve_filter=exclude',
        ],
      },
      {
        every: HOUR,
        first: HOUR + MICROS_PER_SECOND,
        requests: (now) => [
          '/markets?limit=200&mve_filter=exclude',
          ...open().map(({ plan }) => `/markets/${names[plan.ordinal]!.ticker}/orderbook`),
          `/markets/trades?limit=1000&min_ts=${Math.floor(now / MICROS_PER_SECOND) - 5_400}`,
        ],
      },
      {
        every: 6 * HOUR,
        first: HOUR + 60 * MICROS_PER_SECOND,
        requests: (now) => open().map(({ plan }) => candleRequest(names[plan.ordinal]!, now)),
      },
    ],
  }
}

/** Requests eight hours of hourly candles, so that two hours are read twice. */
function candleRequest({ series_ticker, ticker }: MarketNames, now: Micros): string {
  const to = Math.floor(now / MICROS_PER_SECOND)
  return `/series/${series_ticker}/markets/${ticker}/candlesticks?start_ts=${to - 8 * 3_600}&end_ts=${to}&period_interval=60`
}

function subscribe(
  world: World<BookMarket>,
  names: readonly MarketNames[],
  now: Micros,
  markets: ReadonlySet<number> | null,
): Subscription {
  let seq = 0
  const next = () => {
    seq += 1
    return seq
  }
  let asked = markets
  const wanted = (ordinal: number) => asked?.has(ordinal) ?? true
  const booksOf = (at: Micros, of: (ordinal: number) => boolean) => {
    const open = world.markets.filter(({ stage, plan }) => stage === 'open' && of(plan.ordinal))
    return open.map((market) => snapshot(market, names[market.plan.ordinal]!, at, next()))
  }
  const acknowledged = CHANNELS.map((channel): Frame => {
    return { endpoint: 'ws' satisfies KalshiEndpointName, channel, at: now, text: subscribedFrame(channel) }
  })
  return {
    opening: [...acknowledged, ...booksOf(now, wanted)],
    add: (at, added) => {
      const before = asked
      if (before === null) return []
      asked = new Set([...before, ...added])
      const confirmed = frame('ws orderbook_delta', at, addedFrame(next()))
      return [
        { ...confirmed, endpoint: 'ws' satisfies KalshiEndpointName },
        ...booksOf(at, (one) => added.has(one) && !before.has(one)),
      ]
    },
    frames: ({ events, market }: WorldBatch) => {
      if (!wanted(market)) return []
      const [state, own] = [world.markets[market]!, names[market]!]
      return [...events.flatMap((event) => framesOf(event, state, own, next)), ...tickerAfter(events, state, own)]
    },
  }
}

function ordinalOf(names: readonly MarketNames[], ticker: string): number | null {
  const found = names.findIndex((one) => one.ticker === ticker)
  return found < 0 ? null : found
}

function framesOf(event: WorldEvent, market: BookMarket, names: MarketNames, next: () => number): readonly Frame[] {
  const { at } = event
  switch (event.type) {
    case 'book_changed':
      return [frame('ws orderbook_delta', at, deltaFrame(event, names, next()))]
    case 'traded': {
      const trade = frame('ws trade', at, tradeFrame(event, names))
      // Trades have ids, so a message sent twice is one trade.
      const again = event.trade.number % 200 === 1 ? [trade] : []
      return [trade, ...again]
    }
    case 'stage_changed':
      return stageFrames(event, market, names, next)
    default:
      return []
  }
}

/** Returns the ticker after all events, if something traded. */
function tickerAfter(events: readonly WorldEvent[], market: BookMarket, names: MarketNames): readonly Frame[] {
  const at = events.at(-1)?.at
  if (at === undefined || !events.some(({ type }) => type === 'traded')) return []
  return [frame('ws ticker', at, tickerFrame(market, at, names))]
}

function stageFrames(
  { stage, at }: WorldEvent & { type: 'stage_changed' },
  market: BookMarket,
  names: MarketNames,
  next: () => number,
): readonly Frame[] {
  const life = (text: string) => frame('ws market_lifecycle_v2', at, text)
  const { proposed_payout, final_payout } = market
  if (stage === 'open') return [life(activatedFrame(market, names)), snapshot(market, names, at, next())]
  if (stage === 'proposed') return [life(determinedFrame(proposed_payout ?? 0, at, names))]
  if (stage !== 'final') return []
  const again = final_payout === proposed_payout ? [] : [life(determinedFrame(final_payout ?? 0, at, names))]
  return [...again, life(settledFrame(at, names))]
}

function snapshot(market: BookMarket, names: MarketNames, at: Micros, seq: number): Frame {
  return frame('ws orderbook_snapshot', at, snapshotFrame(market, names, seq))
}

type Channel = keyof typeof SID

/** Whole books come on the channel of their changes. */
function frame(endpoint: `ws ${Channel | 'orderbook_snapshot'}` & KalshiEndpointName, at: Micros, text: string): Frame {
  const type = endpoint.slice('ws '.length)
  return { endpoint, channel: type === 'orderbook_snapshot' ? 'orderbook_delta' : type, at, text }
}
