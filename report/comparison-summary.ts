import type { ComparedTick, VersionComparison } from '../operations/replay/compare-versions.ts'
import { type InputDifference, inputDifferences } from '../pipelines/index/input-differences.ts'
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
  /** Current published level; null: none, or the sides are of two indexes. */
  readonly published_level: string | null
  /** K of both sides; null: the side has none yet. */
  readonly link_factor: { readonly before: string | null; readonly after: string | null }
  /** Constituents with both sides' weight, value and contribution; null: a side has no level of its own at the tick. */
  readonly parts: readonly InputDifference[] | null
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
  /** Last compared tick; null: there is none. */
  readonly last_tick_at: Instant | null
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
  #last_tick_at: Instant | null = null
  readonly #keeps_changes: boolean

  /** @param keeps_changes false: `changes` stays empty, for who prints each differing tick when it is compared */
  constructor({ left, right }: Pick<VersionComparison, 'left' | 'right'>, keeps_changes = true) {
    this.#keeps_changes = keeps_changes
    this.#sides = {
      left: new ReplaySummarizer({ subject: left, ...NOT_PUBLISHED }),
      right: new ReplaySummarizer({ subject: right, ...NOT_PUBLISHED }),
    }
  }

  add(tick: ComparedTick): void {
    this.#count += 1
    this.#last_tick_at = tick.tick_at
    if (tick.left !== null) this.#sides.left.add(tick.left)
    if (tick.right !== null) this.#sides.right.add(tick.right)
    this.#thinner.add(tick)
    this.#noteCounts(tick)
    if (tick.equal) return
    if (this.#keeps_changes) this.#changes.push(differentTick(tick))
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
      last_tick_at: this.#last_tick_at,
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

/** Returns a tick that differs, with the parts of its difference. */
export function differentTick({ left, right, published, ...tick }: ComparedTick): DifferentTick {
  const side = (one: ComparedTick['left']): TickSide | null =>
    one === null ? null : { level: one.line.level, quality_state: one.line.quality_state }
  const { tick_at, difference, basis_points } = tick
  return {
    ...{ tick_at, before: side(left), after: side(right), difference, basis_points },
    published_level: published?.level ?? null,
    link_factor: { before: left?.linkFactor() ?? null, after: right?.linkFactor() ?? null },
    parts: partsOf({ left, right }),
  }
}

/** Returns the constituents of a compared tick; null: a side has no level of its own. */
export function partsOf({ left, right }: Pick<ComparedTick, 'left' | 'right'>): readonly InputDifference[] | null {
  return inputDifferences(left?.inputs() ?? [], right?.inputs() ?? [])
}
