/** Returns the milliseconds of each piece of work by round; the pieces take turns, so that a busy machine slows all alike. */
export async function interleaved<K extends string>(
  rounds: number,
  work: Readonly<Record<K, () => Promise<unknown>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(work) as K[]
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const started = performance.now()
      await work[name]()
      taken[name].push(performance.now() - started)
    }
  }
  return taken
}

/** Returns the sides in the order of a round, reversed every other round, so that none is always first. */
export function inTurn<T>(sides: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? sides : [...sides].reverse()
}

/** Returns the middle one of an odd number of values. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}

/** Rounds a figure to its meaningful digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** Returns median and 99th percentile of some values. */
export function spread(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => rounded(sorted[Math.floor((sorted.length - 1) * share)]!)
  return { p50: at(0.5), p99: at(0.99) }
}
