/** Reads of history that one request may have in the queue at once; a queue of a caller holds far more. */
const READS_AT_ONCE = 8

/** Reads something of each item, a few at a time, so that no request fills the queue of its caller by itself. */
export async function readInSteps<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let n = 0; n < items.length; n += READS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(n, n + READS_AT_ONCE).map(read))))
  return results
}
