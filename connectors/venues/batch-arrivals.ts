import {
  BATCH_LIMITS,
  type BatchLimits,
  batchPayloads,
  type PayloadBatch,
} from '../archives/payloads/batch-payloads.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'

export type ArrivalLimits = {
  /** Longest time an item waits for others; null = until a batch is full or the source ends. */
  readonly linger_ms: number | null
  /** Returns the end of the batch of an item that arrives now, where several sources end theirs together. Absent: `linger_ms` later. */
  readonly tick?: (() => Promise<void>) | undefined
  readonly limits?: BatchLimits
}

/**
 * Groups arrivals in batches of bounded size; no batch waits longer than `linger_ms` or the next tick. If the source fails, everything
 * before the failure is given first.
 */
export async function* batchArrivals(
  items: AsyncIterable<PayloadItem>,
  { linger_ms, limits = BATCH_LIMITS, tick }: ArrivalLimits,
): AsyncGenerator<PayloadBatch> {
  const arriving = items[Symbol.asyncIterator]()
  const next = () => settled(arriving, tick)
  const state: Arriving = { next: next(), ended: false }
  try {
    while (!state.ended) yield* batchPayloads(untilLate(next, state, linger_ms), limits)
  } finally {
    // A source that waits for its next item ends when its owner closes it.
    if (!state.ended) arriving.return?.().catch(() => undefined)
  }
  if (state.failure !== undefined) throw state.failure
}

type Arrived = { readonly item: PayloadItem; readonly at_ms: number; readonly tick: Promise<void> | undefined }
/** Never rejects: a failure while nobody waits is seen by the next request. `at_ms`: arrival, by the process's clock. */
type Came = Arrived | { readonly end: true; readonly failure?: unknown }
type Arriving = { next: Promise<Came>; ended: boolean; failure?: unknown }

async function settled(arriving: AsyncIterator<PayloadItem>, tick: ArrivalLimits['tick']): Promise<Came> {
  try {
    const { done, value } = await arriving.next()
    return done === true ? { end: true } : { item: value, at_ms: performance.now(), tick: tick?.() }
  } catch (failure) {
    return { end: true, failure }
  }
}

/**
 * Yields items until `linger_ms` after the first one arrived, or until the tick after that, which may have been while the batch before
 * was processed. The item then under way belongs to the next batch.
 */
async function* untilLate(
  next: () => Promise<Came>,
  state: Arriving,
  linger_ms: number | null,
): AsyncGenerator<PayloadItem[]> {
  let late: Promise<null> | null = null
  let timer: NodeJS.Timeout | null = null
  try {
    for (;;) {
      const came: Came | null = await (late === null ? state.next : Promise.race([state.next, late]))
      if (came === null) return
      if ('end' in came) {
        state.ended = true
        state.failure = came.failure
        return
      }
      state.next = next()
      if (came.tick !== undefined) late ??= came.tick.then(() => null)
      else if (linger_ms !== null) {
        late ??= new Promise((resolve) => {
          timer = setTimeout(() => resolve(null), Math.max(0, linger_ms - (performance.now() - came.at_ms)))
        })
      }
      yield [came.item]
    }
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
}
