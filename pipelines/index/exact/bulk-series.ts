import type { Micros } from '../../../primitives/instants.ts'
import { ticksIn } from '../../../primitives/ranges.ts'
import { QUALITY_STATES } from '../../../vocabulary/index-level.ts'
import type { TickResult } from '../calculate.ts'
import type { LinkRecord } from '../series.ts'
import type { IndexVersion } from '../version.ts'
import { CONFIDENCE_SCALE } from './confidence-meter.ts'
import { LEVEL_SCALE } from './level-rounder.ts'
import { COVERAGE_SCALE, printUnits } from './units.ts'

/** One tick as published. */
export type BulkTick = Pick<
  TickResult,
  'tick_at' | 'version' | 'source_cutoff_at' | 'level' | 'quality_state' | 'coverage_ratio' | 'confidence'
>

/** A whole replay as columns: levels in units of 1e-4 (NaN = none), coverage in 1e-6, confidence in 1e-4, states by code. */
export class BulkSeries {
  readonly versions: readonly IndexVersion[]
  readonly links: LinkRecord[] = []
  readonly length: number
  readonly tick_at: Float64Array
  readonly version: Uint16Array
  readonly level: Float64Array
  readonly source_cutoff_at: Float64Array
  readonly state: Uint8Array
  readonly coverage: Int32Array
  readonly confidence: Int32Array

  constructor(versions: readonly IndexVersion[], length: number) {
    this.versions = versions
    this.length = length
    this.tick_at = new Float64Array(length)
    this.version = new Uint16Array(length)
    this.level = new Float64Array(length)
    this.source_cutoff_at = new Float64Array(length)
    this.state = new Uint8Array(length)
    this.coverage = new Int32Array(length)
    this.confidence = new Int32Array(length)
  }

  /** Returns one tick as published, built on request. */
  tick(i: number): BulkTick {
    const level = this.level[i]!
    const cutoff = this.source_cutoff_at[i]!
    return {
      tick_at: this.tick_at[i]!,
      version: this.versions[this.version[i]!]!,
      source_cutoff_at: Number.isNaN(cutoff) ? null : cutoff,
      level: Number.isNaN(level) ? null : printUnits(level, LEVEL_SCALE),
      quality_state: QUALITY_STATES[this.state[i]!]!,
      coverage_ratio: printUnits(this.coverage[i]!, COVERAGE_SCALE),
      confidence: printUnits(this.confidence[i]!, CONFIDENCE_SCALE),
    }
  }
}

/** Returns the ticks of a version before `to`: the first one and their number. */
export function versionTicks(version: IndexVersion, to: Micros): { readonly first: Micros; readonly count: number } {
  const end = Math.min(to, version.effective_to ?? to)
  const first = ticksIn({ from: version.effective_from, to: end }, version.frequency).next().value
  return first === undefined
    ? { first: version.effective_from, count: 0 }
    : { first, count: Math.ceil((end - first) / version.frequency) }
}
