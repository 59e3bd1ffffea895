import type { Micros } from '../../primitives/instants.ts'
import { MICROS_PER_SECOND } from '../../primitives/instants.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'

/** Documents are given out again for so long, and of so many things. */
const LIMITS = { keep: 600 * MICROS_PER_SECOND, keys: 256 } as const

type Kept = { readonly at: Micros; readonly items: readonly PayloadItem[] }

/**
 * Documents that are asked for again and again while many pieces of one thing are read: what was read a short while ago is
 * given out as it was received then, so that it is one payload.
 */
export type DocumentMemory = {
  /** What `read` gives, or gave lately under this key. One that fails or is left early is not kept. */
  read(key: string, read: () => AsyncGenerator<PayloadItem, unknown>): AsyncGenerator<PayloadItem>
}

/** @param now microseconds since 1970 */
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
  }
}
