import type { Decimal } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { QUALITY_STATES } from '../../../vocabulary/index-level.ts'
import type { BulkSeries } from '../../index/exact/bulk-series.ts'
import { CONFIDENCE_SCALE } from '../../index/exact/confidence-meter.ts'
import type { TickFacts } from '../../index/exact/exact-tick-facts.ts'
import { LEVEL_SCALE } from '../../index/exact/level-rounder.ts'
import { COVERAGE_SCALE, STATE } from '../../index/exact/units.ts'

/**
 * Ticks of a replay as columns of whole units: levels in 1e-4 (NaN: none), coverage in 1e-6, confidence in 1e-4. A level is at most
 * 1e15 units (base_value and gearing are bounded), so a Float64 holds it exactly.
 */
export type LevelColumns = Pick<BulkSeries, 'length' | 'tick_at' | 'level' | 'state' | 'coverage' | 'confidence'>

/** Columns with the link factor of their last tick; null: there is none yet. */
export type ReplayedColumns = LevelColumns & { readonly link_factor: Decimal | null }

/** Reports whether a tick shows a level of an earlier one. */
export function isStale({ state }: LevelColumns, i: number): boolean {
  return state[i] === STATE.stale
}

/** Fields of a tick that an impact compares. */
type ComparedFacts = Pick<
  TickFacts,
  'tick_at' | 'level' | 'quality_state' | 'coverage_ratio' | 'confidence' | 'link_factor'
>

/** Returns the ticks of any engine as columns, from the strings that it prints. Nothing of a tick is kept, so a year fits in memory. */
export function columnsOf(ticks: Iterable<ComparedFacts>): ReplayedColumns {
  const [tick_at, level, state]: [number[], number[], number[]] = [[], [], []]
  const [coverage, confidence]: [number[], number[]] = [[], []]
  const units = (text: string, scale: number) => Number(toScaled(text, scale))
  let link_factor: Decimal | null = null
  for (const tick of ticks) {
    link_factor = tick.link_factor
    tick_at.push(tick.tick_at)
    level.push(tick.level === null ? Number.NaN : units(tick.level, LEVEL_SCALE))
    state.push(QUALITY_STATES.indexOf(tick.quality_state))
    coverage.push(units(tick.coverage_ratio, COVERAGE_SCALE))
    confidence.push(units(tick.confidence, CONFIDENCE_SCALE))
  }
  return {
    length: tick_at.length,
    tick_at: Float64Array.from(tick_at),
    level: Float64Array.from(level),
    state: Uint8Array.from(state),
    coverage: Int32Array.from(coverage),
    confidence: Int32Array.from(confidence),
    link_factor,
  }
}

/** Returns the ticks in [from, to); ticks ascend. */
export function columnsIn(columns: LevelColumns, range: { readonly from: Micros; readonly to: Micros }): LevelColumns {
  const [start, end] = [firstFrom(columns, range.from), firstFrom(columns, range.to)]
  const { tick_at, level, state, coverage, confidence } = columns
  return {
    length: end - start,
    tick_at: tick_at.subarray(start, end),
    level: level.subarray(start, end),
    state: state.subarray(start, end),
    coverage: coverage.subarray(start, end),
    confidence: confidence.subarray(start, end),
  }
}

/** Returns the ordinal of the first tick at or after an instant. */
function firstFrom({ tick_at, length }: LevelColumns, at: Micros): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (tick_at[middle]! < at) low = middle + 1
    else high = middle
  }
  return low
}
