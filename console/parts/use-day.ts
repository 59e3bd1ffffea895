import type { Candle } from '../../protocol/resources/candle.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Api } from '../data/api-client.ts'
import { pixelNumber } from '../data/decimal-text.ts'
import { useLoaded } from '../data/hooks.ts'
import { instantOf, millisOf } from '../data/instant-text.ts'
import { listCandles } from '../data/reads.ts'
import type { SparkPoint } from './sparkline.ts'

const DAY_MS = 86_400_000
const BUCKET = 'PT15M'
const BUCKET_MS = 900_000
/** An index whose first candle starts later than this after the start of the 24 hours shows no change. */
const LATE_MS = 4 * BUCKET_MS

export type Day = {
  /** Candle whose open is compared with; null: no level 24 hours ago. */
  readonly base: Candle | null
  readonly points: readonly SparkPoint[]
}

/** Reads the 24 hours before the latest tick, in candles of 15 minutes. */
export function useDay(api: Api, index_id: string, latest: IndexObservation | null, again: number): Day {
  const end = latest === null ? null : Math.floor(millisOf(latest.tick_at) / BUCKET_MS) * BUCKET_MS
  const start = (end ?? 0) - DAY_MS
  const query = { interval: BUCKET, start_time: instantOf(start), end_time: instantOf((end ?? 0) + BUCKET_MS) }
  const key = end === null ? null : `day ${index_id} ${api.as_of} ${end}`
  const { data } = useLoaded(key, (signal) => listCandles(api, index_id, query, signal), again)
  const first = data?.[0]
  const base = first !== undefined && millisOf(first.bucket_start) - start <= LATE_MS ? first : null
  const points = (data ?? []).map(({ bucket_start, close }) => ({ x: millisOf(bucket_start), y: pixelNumber(close) }))
  return { base, points }
}
