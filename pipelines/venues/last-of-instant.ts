import type { Micros } from '../../primitives/instants.ts'

/**
 * Marks states that another one of their chain and instant replaces: only the last of an instant counts, because within a
 * microsecond nobody can tell them apart.
 * @param sorted by received_at, equal instants in the order of arrival
 * @param keys   the chain of each
 * @returns true for each state that another of its chain and instant follows
 */
export function overtakenInInstant(
  sorted: readonly { readonly received_at: Micros }[],
  keys: readonly string[],
): boolean[] {
  const overtaken = new Array<boolean>(sorted.length).fill(false)
  for (let from = 0; from < sorted.length; ) {
    const { received_at } = sorted[from]!
    let to = from + 1
    while (to < sorted.length && sorted[to]!.received_at === received_at) to += 1
    if (to - from > 1) markOvertaken(keys, from, to, overtaken)
    from = to
  }
  return overtaken
}

/** Both outcomes of a market come in one instant: two are compared directly, so no set is made for each pair. */
function markOvertaken(keys: readonly string[], from: number, to: number, overtaken: boolean[]): void {
  if (to - from === 2) {
    overtaken[from] = keys[from] === keys[from + 1]
    return
  }
  const later = new Set<string>()
  for (let i = to - 1; i >= from; i -= 1) {
    const key = keys[i]!
    if (later.has(key)) overtaken[i] = true
    else later.add(key)
  }
}
