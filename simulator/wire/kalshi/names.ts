import { sha256Hex } from '../../../primitives/ids.ts'
import { utcDay } from '../../../primitives/instants.ts'
import type { EventPlan, MarketPlan, WorldPlan } from '../../world/plan.ts'

/** Kalshi's names of one market. Series, event and market tickers begin alike. */
export type MarketNames = {
  readonly ticker: string
  /** UUID of the websocket. */
  readonly market_id: string
  readonly event_ticker: string
  readonly series_ticker: string
}

/** Names every market of a plan, by ordinal. */
export function kalshiNames({ options, events, markets }: WorldPlan): readonly MarketNames[] {
  const year = utcDay(options.start).slice(2, 4)
  return markets.map((market) => {
    const event = events[market.event]!
    const series_ticker = `KX${event.code}`
    const event_ticker = `${series_ticker}-${year}`
    const market_id = uuidOf(options.seed, 'kalshi', 'market', market.ordinal)
    return { ticker: tickerOf(event, market, event_ticker), market_id, event_ticker, series_ticker }
  })
}

/** Derives a UUID from its parts. */
export function uuidOf(...parts: readonly (string | number)[]): string {
  const hex = sha256Hex(parts.join('\u001f'))
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

function tickerOf({ kind }: EventPlan, { label, index }: MarketPlan, event_ticker: string): string {
  if (kind === 'binary') return event_ticker
  if (kind === 'nested') return `${event_ticker}-${label.replace(/\D/g, '').slice(2)}`
  const initials = label
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  return `${event_ticker}-${initials}${index}`
}
