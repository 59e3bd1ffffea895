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
/** An index that began later than so long after the start of the 24 hours has no change over 24 hours. */
const LATE_MS = 4 * BUCKET_MS

export type Day = {
  /** Its open is the level to compare with; null: there was none 24 hours before. */
  readonly base: Candle | null
  readonly points: readonly SparkPoint[]
}

/** The 24 hours up to the latest tick that was read, in quarters of an hour. */
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
