import {
  BATCH_LIMITS,
  type BatchLimits,
  batchPayloads,
  type PayloadBatch,
} from '../archives/payloads/batch-payloads.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'

export type ArrivalLimits = {
  /** The longest that something waits for more to come; null = until a batch is full or nothing more comes. */
  readonly linger_ms: number | null
  readonly limits?: BatchLimits
}

/**
 * What arrives, in batches of bounded size, none of which waits for longer than `linger_ms`. Where the source fails, what
 * came before is given out first.
 */
export async function* batchArrivals(
  items: AsyncIterable<PayloadItem>,
  { linger_ms, limits = BATCH_LIMITS }: ArrivalLimits,
): AsyncGenerator<PayloadBatch> {
  const arriving = items[Symbol.asyncIterator]()
  const state: Arriving = { next: settled(arriving), ended: false }
  try {
    while (!state.ended) yield* batchPayloads(untilLate(arriving, state, linger_ms), limits)
  } finally {
    // One that is waiting for something to come ends when whoever opened it closes it.
    if (!state.ended) arriving.return?.().catch(() => undefined)
  }
  if (state.failure !== undefined) throw state.failure
}

/** Never rejects: what fails while nobody waits is seen by who asks next. `at_ms`: when it came, by the process's clock. */
type Came = { readonly item: PayloadItem; readonly at_ms: number } | { readonly end: true; readonly failure?: unknown }
type Arriving = { next: Promise<Came>; ended: boolean; failure?: unknown }

async function settled(arriving: AsyncIterator<PayloadItem>): Promise<Came> {
  try {
    const { done, value } = await arriving.next()
    return done === true ? { end: true } : { item: value, at_ms: performance.now() }
  } catch (failure) {
    return { end: true, failure }
  }
}

/**
 * Items until `linger_ms` after the first one came, which may have been while the batch before was worked on: the item that is
 * under way then is the next batch's.
 */
async function* untilLate(
  arriving: AsyncIterator<PayloadItem>,
  state: Arriving,
  linger_ms: number | null,
): AsyncGenerator<PayloadItem[]> {
  let late: Promise<null> | null = null
  let timer: NodeJS.Timeout | null = null
  try {
    for (;;) {
      const came = await (late === null ? state.next : Promise.race([state.next, late]))
      if (came === null) return
      if ('end' in came) {
        state.ended = true
        state.failure = came.failure
        return
      }
      state.next = settled(arriving)
      if (linger_ms !== null) {
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
