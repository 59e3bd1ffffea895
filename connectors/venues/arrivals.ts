import type { PayloadItem } from '../archives/payloads/payload-item.ts'

/**
 * What several reads and streams give, in the order in which it arrives. One that fails ends all.
 * @param sources at least one; each is asked for its next item as soon as its last one is taken
 */
export async function* arrivals(sources: readonly AsyncIterable<PayloadItem>[]): AsyncGenerator<PayloadItem> {
  const open = new Map(sources.map((source) => [source, source[Symbol.asyncIterator]()]))
  const next = new Map([...open].map(([source, iterator]) => [source, tagged(source, iterator)]))
  try {
    while (next.size > 0) {
      const { source, result } = await Promise.race(next.values())
      if (result.done === true) {
        next.delete(source)
        continue
      }
      next.set(source, tagged(source, open.get(source)!))
      yield result.value
    }
  } finally {
    // A source that is waiting for something to come cannot be returned; whoever opened it closes it.
    for (const iterator of open.values()) iterator.return?.(undefined).catch(() => undefined)
  }
}

type Source = AsyncIterable<PayloadItem>

function tagged(source: Source, iterator: AsyncIterator<PayloadItem>) {
  const came = iterator.next().then((result) => ({ source, result }))
  came.catch(() => undefined) // seen where the next one is chosen
  return came
}
