/** Files that are copied at once: each waits for the disk. */
const AT_ONCE = 16

/**
 * Does the work of many items, some of them at once.
 * @returns the results in the order of the items
 * @throws the first error, once the work under way has ended
 */
export async function manyAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let failed = false
  const takeTurns = async () => {
    while (next < items.length && !failed) {
      const at = next++
      try {
        results[at] = await work(items[at]!)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const turns = await Promise.allSettled(Array.from({ length: AT_ONCE }, takeTurns))
  const rejected = turns.find((turn) => turn.status === 'rejected')
  if (rejected !== undefined) throw rejected.reason
  return results
}
