import { printUnits } from '../../index/exact/units.ts'

/** Ranks in thousandths, by name; the lowest and the highest value are beside them. */
const RANKS = { p01: 10, p05: 50, p25: 250, p50: 500, p75: 750, p95: 950, p99: 990 } as const

/** Quantiles by nearest rank: each is a value that occurred, as text. */
export type Quantiles = Readonly<Record<'lowest' | keyof typeof RANKS | 'highest', string>>

/** Counts of whole numbers, from which every quantile is exact, whatever the order of the values. */
export class Distribution {
  readonly #counts = new Map<number, number>()
  #total = 0

  add(value: number): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
    this.#total += 1
  }

  /** Returns the quantiles with `scale` fraction digits; null without values. */
  quantiles(scale: number): Quantiles | null {
    if (this.#total === 0) return null
    const sorted = [...this.#counts].sort(([a], [b]) => a - b)
    const at = (rank: number) => printUnits(valueAt(sorted, rank), scale)
    const ranks = Object.entries(RANKS).map(([name, permille]) => [
      name,
      at(Math.ceil((this.#total * permille) / 1000)),
    ])
    return { lowest: at(1), ...Object.fromEntries(ranks), highest: at(this.#total) } as Quantiles
  }
}

/** Returns the value at a rank, from 1, of counted values in ascending order. */
function valueAt(sorted: readonly (readonly [value: number, count: number])[], rank: number): number {
  let passed = 0
  for (const [value, count] of sorted) {
    passed += count
    if (passed >= rank) return value + 0
  }
  return sorted.at(-1)![0]
}
