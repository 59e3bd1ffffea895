import type { Micros } from '../../primitives/instants.ts'
import { MICROS_PER_SECOND } from '../../primitives/instants.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'

/** Time a document is kept, and number of keys. */
const LIMITS = { keep: 600 * MICROS_PER_SECOND, keys: 256 } as const

type Kept = { readonly at: Micros; readonly items: readonly PayloadItem[] }

/**
 * Memory of documents that are requested repeatedly while many parts of one subject are read: a recent document is given again
 * with its first receipt, so it stays one payload.
 */
export type DocumentMemory = {
  /** Yields the items of `read`, or the recent ones under this key. A read that fails or is abandoned is not kept. */
  read(key: string, read: () => AsyncGenerator<PayloadItem, unknown>): AsyncGenerator<PayloadItem>
  /** Empties the memory: a kept answer may be one that cannot be read. */
  forget(): void
}

/** Creates an empty memory. @param now microseconds since 1970 */
export function createDocumentMemory(now: () => Micros): DocumentMemory {
  const kept = new Map<string, Kept>()
  return {
    async *read(key, read) {
      const known = kept.get(key)
      if (known !== undefined && now() - known.at < LIMITS.keep) {
        yield* known.items
        return
      }
      const items: PayloadItem[] = []
      for await (const item of read()) {
        items.push(item)
        yield item
      }
      kept.delete(key)
      kept.set(key, { at: now(), items })
      if (kept.size > LIMITS.keys) kept.delete(kept.keys().next().value!)
    },
    forget: () => kept.clear(),
  }
}
