import type { ComparedTick, VersionComparison } from '../operations/replay/compare-versions.ts'
import { Decimal } from '../primitives/decimal.ts'
import { type Instant, type Micros, toMicros } from '../primitives/instants.ts'
import { ReplaySummarizer, type ReplaySummary } from './replay-summary.ts'
import { Thinner } from './thinner.ts'

/** A tick on which the two replays differ, as `index diff --against --json` prints it. */
export type DifferentTick = {
  readonly tick_at: Instant
  readonly before: TickSide | null
  readonly after: TickSide | null
  readonly difference: string | null
  readonly basis_points: string | null
}
type TickSide = { readonly level: string | null; readonly quality_state: string }

export type ComparisonSummary = {
  readonly left: ReplaySummary
  readonly right: ReplaySummary
  readonly count: number
  readonly counts: {
    readonly equal: number
    readonly different_level: number
    readonly different_state: number
    readonly only_before: number
    readonly only_after: number
  }
  /** Every tick that is not equal. */
  readonly changes: readonly DifferentTick[]
  /** The ticks with the largest |difference|, the largest first; of equals the earliest. */
  readonly largest: readonly ComparedTick[]
  /** Every tick, or of a long comparison those that keep its extremes. */
  readonly ticks: readonly (ComparedTick & { readonly at: Micros })[]
  readonly thinned: boolean
}

const LARGEST = 10
const NOT_PUBLISHED = { published: new Map(), revisions: [] }

/** Collects the facts of a comparison tick by tick for the report and the document. */
export class ComparisonSummarizer {
  readonly #sides: { readonly left: ReplaySummarizer; readonly right: ReplaySummarizer }
  readonly #counts = { equal: 0, different_level: 0, different_state: 0, only_before: 0, only_after: 0 }
  readonly #changes: DifferentTick[] = []
  readonly #thinner = new Thinner<ComparedTick>([
    { of: ({ difference }) => difference, keep: 'both', gaps: true },
    { of: ({ left }) => left?.line.level ?? null, keep: 'both', gaps: false },
    { of: ({ right }) => right?.line.level ?? null, keep: 'both', gaps: false },
  ])
  #largest: ComparedTick[] = []
  #count = 0

  constructor({ left, right }: Pick<VersionComparison, 'left' | 'right'>) {
    this.#sides = {
      left: new ReplaySummarizer({ subject: left, ...NOT_PUBLISHED }),
      right: new ReplaySummarizer({ subject: right, ...NOT_PUBLISHED }),
    }
  }

  add(tick: ComparedTick): void {
    this.#count += 1
    if (tick.left !== null) this.#sides.left.add(tick.left)
    if (tick.right !== null) this.#sides.right.add(tick.right)
    this.#thinner.add(tick)
    this.#noteCounts(tick)
    if (tick.equal) return
    this.#changes.push(differentTick(tick))
    if (tick.difference !== null) this.#noteLargest(tick)
  }

  result(): ComparisonSummary {
    return {
      left: this.#sides.left.result(),
      right: this.#sides.right.result(),
      count: this.#count,
      counts: this.#counts,
      changes: this.#changes,
      largest: this.#largest,
      ticks: this.#thinner.items().map((tick) => ({ ...tick, at: toMicros(tick.tick_at) })),
      thinned: this.#thinner.thinned,
    }
  }

  #noteCounts({ left, right, equal, state_changed }: ComparedTick): void {
    if (equal) this.#counts.equal += 1
    if (right === null) this.#counts.only_before += 1
    if (left === null) this.#counts.only_after += 1
    if (left !== null && right !== null && left.line.level !== right.line.level) this.#counts.different_level += 1
    if (state_changed) this.#counts.different_state += 1
  }

  #noteLargest(tick: ComparedTick): void {
    const size = absolute(tick)
    if (size.isZero()) return
    if (this.#largest.length === LARGEST && size.lte(absolute(this.#largest.at(-1)!))) return
    const place = this.#largest.findIndex((known) => size.gt(absolute(known)))
    this.#largest.splice(place < 0 ? this.#largest.length : place, 0, tick)
    this.#largest = this.#largest.slice(0, LARGEST)
  }
}

function absolute({ difference }: ComparedTick): Decimal {
  return new Decimal(difference!).abs()
}

function differentTick({ tick_at, left, right, difference, basis_points }: ComparedTick): DifferentTick {
  const side = (tick: ComparedTick['left']): TickSide | null =>
    tick === null ? null : { level: tick.line.level, quality_state: tick.line.quality_state }
  return { tick_at, before: side(left), after: side(right), difference, basis_points }
}
