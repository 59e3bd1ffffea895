import { createHash } from 'node:crypto'
import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { formatMicros, type Instant } from '../../../primitives/instants.ts'
import { QUALITY_STATES, type QualityState } from '../../../vocabulary/index-level.ts'
import { CONFIDENCE_SCALE } from '../../index/exact/confidence-meter.ts'
import { LEVEL_SCALE } from '../../index/exact/level-rounder.ts'
import { printUnits } from '../../index/exact/units.ts'
import { BASIS_POINT_SCALE, basisPointUnits, isLarger, type LargestMove, reaches } from './basis-points.ts'
import { Distribution, type Quantiles } from './distribution.ts'
import type { LevelColumns } from './level-columns.ts'

/** Columns of the data of an impact, one line a tick; an empty cell is no value. */
export const LEVEL_FIELDS = [
  'tick_at',
  'level_before',
  'level_after',
  'difference',
  'basis_points',
  'quality_state_before',
  'quality_state_after',
  'coverage_ratio_before',
  'coverage_ratio_after',
] as const

/** Numbers of ticks of two series, paired by tick_at. */
type TickCounts = {
  readonly compared: number
  readonly equal: number
  readonly only_before: number
  readonly only_after: number
  readonly level_on_both: number
  readonly level_only_before: number
  readonly level_only_after: number
  readonly different_level: number
  readonly different_state: number
}

/** States and ratios of one side. */
type SideFacts = {
  readonly states: readonly { readonly quality_state: QualityState; readonly ticks: number }[]
  readonly coverage_ratio: Quantiles | null
  readonly confidence: Quantiles | null
}

/** Two series of levels side by side. */
export type LevelDifferences = {
  readonly ticks: TickCounts
  /** (after - before) / before in basis points, over the ticks with a level on both sides and one above 0 before. */
  readonly basis_points: Quantiles | null
  /** The same without its sign. */
  readonly absolute_basis_points: Quantiles | null
  readonly largest: {
    readonly tick_at: Instant
    readonly level_before: DecimalString
    readonly level_after: DecimalString
  } | null
  readonly state_moves: readonly {
    readonly before: QualityState
    readonly after: QualityState
    readonly ticks: number
  }[]
  readonly before: SideFacts
  readonly after: SideFacts
}

/** Receives the lines of the data, some at a time. */
export type LineSink = (lines: string) => void

const NONE = -1

/**
 * Compares two series of the same index tick by tick. Ranges are added in ascending order; one long range and its parts give the
 * same result, because nothing of a range is rounded or averaged before the end.
 */
export class LevelComparison {
  readonly #lines: LineSink | null
  readonly #hash = createHash('sha256')
  readonly #counts: { -readonly [K in keyof TickCounts]: number } = {
    compared: 0,
    equal: 0,
    only_before: 0,
    only_after: 0,
    level_on_both: 0,
    level_only_before: 0,
    level_only_after: 0,
    different_level: 0,
    different_state: 0,
  }
  readonly #signed = new Distribution()
  readonly #absolute = new Distribution()
  readonly #before = new Side()
  readonly #after = new Side()
  readonly #moves = new Map<number, number>()
  #largest: (LargestMove & { readonly tick_at: number; readonly after: number }) | null = null
  /** Whether a level rose from 0, which has no ratio. */
  #left_zero = false
  #written = false

  /** @param lines receives the data; null: neither written nor hashed */
  constructor(lines: LineSink | null) {
    this.#lines = lines
  }

  /** Adds a range of ticks. */
  add(before: LevelColumns, after: LevelColumns): void {
    const lines: string[] = this.#written ? [] : [LEVEL_FIELDS.join(',')]
    this.#written = true
    for (let i = 0, j = 0; i < before.length || j < after.length; ) {
      const [a, b] = [before.tick_at[i] ?? Number.POSITIVE_INFINITY, after.tick_at[j] ?? Number.POSITIVE_INFINITY]
      const [left, right] = [a <= b ? i++ : NONE, b <= a ? j++ : NONE]
      this.#addTick(before, left, after, right)
      if (this.#lines !== null) lines.push(lineOf(Math.min(a, b), before, left, after, right))
      if (lines.length >= LINES_AT_ONCE) this.#write(lines)
    }
    if (this.#lines !== null) this.#write(lines)
  }

  /** Returns the SHA-256 of the data's lines. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Reports whether both series are the same to the last digit, and have levels to compare. */
  isIdentical(): boolean {
    const { compared, equal, level_on_both } = this.#counts
    return equal === compared && level_on_both > 0
  }

  /** Reports whether every tick has a level on both sides or on none, and every move is below a threshold in basis points. */
  isBelow(basis_points: DecimalString): boolean {
    const { only_before, only_after, level_only_before, level_only_after, level_on_both } = this.#counts
    const one_sided = only_before + only_after + level_only_before + level_only_after
    if (level_on_both === 0 || one_sided > 0 || this.#left_zero) return false
    return this.#largest === null || !reaches(this.#largest, basis_points)
  }

  result(): LevelDifferences {
    const largest = this.#largest
    const level = (units: number) => printUnits(units, LEVEL_SCALE)
    return {
      ticks: { ...this.#counts },
      basis_points: this.#signed.quantiles(BASIS_POINT_SCALE),
      absolute_basis_points: this.#absolute.quantiles(BASIS_POINT_SCALE),
      largest:
        largest === null
          ? null
          : {
              tick_at: formatMicros(largest.tick_at),
              level_before: level(largest.before),
              level_after: level(largest.after),
            },
      state_moves: [...this.#moves]
        .sort(([a], [b]) => a - b)
        .map(([pair, ticks]) => ({ before: stateAt(pair >> STATE_BITS), after: stateAt(pair & STATE_MASK), ticks })),
      before: this.#before.facts(),
      after: this.#after.facts(),
    }
  }

  #addTick(before: LevelColumns, i: number, after: LevelColumns, j: number): void {
    const counts = this.#counts
    counts.compared += 1
    if (i !== NONE) this.#before.add(before, i)
    if (j !== NONE) this.#after.add(after, j)
    if (i === NONE) counts.only_after += 1
    else if (j === NONE) counts.only_before += 1
    else this.#addPair(before, i, after, j)
  }

  #addPair(before: LevelColumns, i: number, after: LevelColumns, j: number): void {
    const counts = this.#counts
    const [from, to] = [before.level[i]!, after.level[j]!]
    const [has_before, has_after] = [!Number.isNaN(from), !Number.isNaN(to)]
    const same_level = has_before ? from === to : !has_after
    const same_state = before.state[i] === after.state[j]
    if (!same_level) counts.different_level += 1
    if (!same_state) {
      counts.different_state += 1
      const pair = (before.state[i]! << STATE_BITS) | after.state[j]!
      this.#moves.set(pair, (this.#moves.get(pair) ?? 0) + 1)
    }
    const same_ratios = before.coverage[i] === after.coverage[j] && before.confidence[i] === after.confidence[j]
    if (same_level && same_state && same_ratios) counts.equal += 1
    if (has_before && has_after) {
      counts.level_on_both += 1
      this.#addMove(before.tick_at[i]!, from, to)
    } else if (has_before) counts.level_only_before += 1
    else if (has_after) counts.level_only_after += 1
  }

  #addMove(tick_at: number, before: number, after: number): void {
    if (before <= 0) {
      if (after !== before) this.#left_zero = true
      return
    }
    const units = basisPointUnits(before, after)
    this.#signed.add(units)
    this.#absolute.add(Math.abs(units))
    if (before === after) return
    const move = { distance: Math.abs(after - before), before, after, tick_at }
    if (this.#largest === null || isLarger(move, this.#largest)) this.#largest = move
  }

  #write(lines: string[]): void {
    if (lines.length === 0) return
    const text = `${lines.splice(0).join('\n')}\n`
    this.#hash.update(text)
    this.#lines?.(text)
  }
}

const LINES_AT_ONCE = 4096
/** A pair of states in one number. */
const STATE_BITS = 4
const STATE_MASK = 2 ** STATE_BITS - 1

function stateAt(code: number): QualityState {
  return QUALITY_STATES[code]!
}

/** Counts of one side. */
class Side {
  readonly #states: number[] = QUALITY_STATES.map(() => 0)
  readonly #coverage = new Distribution()
  readonly #confidence = new Distribution()

  add({ state, coverage, confidence }: LevelColumns, i: number): void {
    const code = state[i]!
    this.#states[code] = this.#states[code]! + 1
    this.#coverage.add(coverage[i]!)
    this.#confidence.add(confidence[i]!)
  }

  facts(): SideFacts {
    const states = this.#states.map((ticks, code) => ({ quality_state: stateAt(code), ticks }))
    return {
      states: states.filter(({ ticks }) => ticks > 0),
      coverage_ratio: this.#coverage.quantiles(SCALE.coverage_ratio),
      confidence: this.#confidence.quantiles(CONFIDENCE_SCALE),
    }
  }
}

function lineOf(tick_at: number, before: LevelColumns, i: number, after: LevelColumns, j: number): string {
  const [from, to] = [i === NONE ? Number.NaN : before.level[i]!, j === NONE ? Number.NaN : after.level[j]!]
  const level = (units: number) => (Number.isNaN(units) ? '' : printUnits(units, LEVEL_SCALE))
  const both = !Number.isNaN(from) && !Number.isNaN(to)
  const state = (columns: LevelColumns, at: number) => (at === NONE ? '' : stateAt(columns.state[at]!))
  const coverage = (columns: LevelColumns, at: number) =>
    at === NONE ? '' : printUnits(columns.coverage[at]!, SCALE.coverage_ratio)
  return [
    formatMicros(tick_at),
    level(from),
    level(to),
    both ? printUnits(to - from, LEVEL_SCALE) : '',
    both && from > 0 ? printUnits(basisPointUnits(from, to), BASIS_POINT_SCALE) : '',
    state(before, i),
    state(after, j),
    coverage(before, i),
    coverage(after, j),
  ].join(',')
}
