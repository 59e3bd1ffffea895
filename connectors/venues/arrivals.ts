import type { PayloadItem } from '../archives/payloads/payload-item.ts'

/** Several reads and streams merged into one. */
export type Arrivals = AsyncIterable<PayloadItem> & {
  /** Merges one more source from now on. Has no effect if all others have ended already. */
  add(source: AsyncIterable<PayloadItem>): void
}

/**
 * Merges reads and streams in the order of arrival. A failure of one ends all.
 * @param sources each is asked for its next item as soon as its last one is taken
 */
export function arrivals(sources: readonly AsyncIterable<PayloadItem>[]): Arrivals {
  const open = new Map<Source, AsyncIterator<PayloadItem>>()
  const next = new Map<Source, Promise<Came>>()
  let joined = signalOf()
  const add = (source: Source) => {
    const iterator = source[Symbol.asyncIterator]()
    open.set(source, iterator)
    next.set(source, tagged(source, iterator))
    joined.raise()
  }
  for (const source of sources) add(source)
  return {
    add,
    async *[Symbol.asyncIterator]() {
      try {
        while (next.size > 0) {
          const arrival = await Promise.race([...next.values(), joined.raised])
          if (arrival === null) {
            joined = signalOf()
            continue
          }
          const { source, result } = arrival
          if (result.done === true) {
            next.delete(source)
            continue
          }
          next.set(source, tagged(source, open.get(source)!))
          yield result.value
        }
      } finally {
        // A source that waits for its next item cannot be returned; its owner closes it.
        for (const iterator of open.values()) iterator.return?.(undefined).catch(() => undefined)
      }
    },
  }
}

type Source = AsyncIterable<PayloadItem>
type Came = { readonly source: Source; readonly result: IteratorResult<PayloadItem> }

function tagged(source: Source, iterator: AsyncIterator<PayloadItem>): Promise<Came> {
  const arrival = iterator.next().then((result) => ({ source, result }))
  arrival.catch(() => undefined) // seen where the next one is chosen
  return arrival
}

function signalOf(): { readonly raised: Promise<null>; readonly raise: () => void } {
  let raise: () => void = () => undefined
  const raised = new Promise<null>((resolve) => {
    raise = () => resolve(null)
  })
  return { raised, raise }
}
