import { useRef } from 'preact/hooks'
import type { CandleInterval } from '../../vocabulary/market.ts'
import { wholeBuckets } from '../charts/intervals.ts'
import { barsOf } from '../charts/series.ts'
import type { TimeWindow } from '../charts/window.ts'
import type { Api } from '../data/api-client.ts'
import { type Loaded, useCell, useLoaded, useNow } from '../data/hooks.ts'
import { instantOf } from '../data/instant-text.ts'
import { gaps, liveApi } from '../data/live.ts'
import type { KnownBars } from './market-layers.ts'
import { listMarketCandles } from './reads.ts'

/** Candles of one field of an outcome, and the instants of knowledge to compare. */
export type BarsAsked = {
  readonly market_id: string
  readonly outcome_id: string
  readonly field: string
  readonly interval: CandleInterval
  readonly window: TimeWindow
  readonly compared: { readonly from: string; readonly to: string } | null
}

/** Only the service computes candles; the open one is read again as often. */
const AGAIN_MS = 60_000

/** Reads the candles of a window; while another window is read, those of the last one stay. */
export function useMarketBars(api: Api, asked: BarsAsked): Loaded<KnownBars> & { readonly is_reading: boolean } {
  const { market_id, outcome_id, field, interval, compared } = asked
  const window = wholeBuckets(asked.window, interval)
  const missed = useCell(gaps)
  const now = useNow(AGAIN_MS)
  const query = {
    ...{ outcome_id, field, interval },
    start_time: instantOf(window.from * 1000),
    end_time: instantOf(window.to * 1000),
  }
  const series = JSON.stringify([market_id, outcome_id, field, compared, api.as_of])
  const is_live = api.as_of === null && compared === null
  const read = useLoaded<KnownBars>(
    `bars ${series} ${JSON.stringify(query)}`,
    async (signal) => {
      const later = compared === null ? api : liveApi(compared.to)
      const readOf = async (one: Api) => barsOf(await listMarketCandles(one, market_id, query, signal))
      const earlier = compared === null ? null : readOf(liveApi(compared.from))
      return { bars: await readOf(later), earlier: await earlier }
    },
    is_live ? `${missed} ${now}` : 0,
  )
  const kept = useRef<{ readonly series: string; readonly read: Loaded<KnownBars> } | null>(null)
  if (read.state === 'ready') kept.current = { series, read }
  const is_reading = read.state === 'loading'
  if (is_reading && kept.current?.series === series) return { ...kept.current.read, is_reading }
  return { ...read, is_reading }
}
