import type { Micros } from '../../../primitives/instants.ts'
import { OPEN_GATE } from '../calculate.ts'
import type { LinkRecord } from '../series.ts'
import { BulkBlock, C_SETTLED, type Reading, type TickBlock } from './bulk-block.ts'
import type { BulkSeries } from './bulk-series.ts'
import type { Chain } from './chain.ts'
import type { Composition } from './composition.ts'
import { confidenceFormula } from './confidence.ts'
import { CONFIDENCE_SCALE, confidenceTolerance } from './confidence-meter.ts'
import { compare34, type Decimal34, fromUnits, ONE34, parse34, toUnits } from './decimal34.ts'
import { LegSweep } from './leg-sweep.ts'
import { shareOf } from './numerator.ts'
import { decideState, isPriced, type StateFigures } from './quality.ts'
import { isBelowFiltered, roundFiltered } from './rounding.ts'
import { takePairedRows } from './take-rows.ts'
import { C_ONE, roundQuotient, STATE, WEIGHT_ONE, WEIGHTS_PER_COVERAGE } from './units.ts'

/** State carried from version to version: links, the write offset and the last level. */
export type BulkRun = {
  readonly chain: Chain
  readonly series: BulkSeries
  /** Links of versions that ended before their first tick; they belong to the next tick. */
  readonly pending_links: LinkRecord[]
  written: number
  last_level: number
  last_cutoff: Micros
}

const NOTHING_LACKING: StateFigures = {
  used: WEIGHT_ONE,
  covered: WEIGHT_ONE,
  fallback: 0,
  missing: 0,
  live: 0,
  dispersed: 0,
  indicative: 0,
}

/** Sweeps and blocks of one version. */
export class BulkVersion {
  readonly #run: BulkRun
  readonly #composition: Composition
  readonly #version_ordinal: number
  readonly #sweeps: readonly LegSweep[]
  /** Index of each constituent's leg. */
  readonly #reads: readonly number[]
  readonly #block: BulkBlock
  readonly #figures: { -readonly [K in keyof StateFigures]: StateFigures[K] }
  readonly #confidence_scale: number
  readonly #minimum: Decimal34
  readonly #minimum_units: number

  constructor(run: BulkRun, composition: Composition, version_ordinal: number) {
    const { legs, ordinals, version, p } = composition
    this.#run = run
    this.#composition = composition
    this.#version_ordinal = version_ordinal
    this.#reads = version.constituents.map((c) => ordinals.get(c.legs[0]!.key)!)
    const { sources } = run.chain
    this.#sweeps = legs.map(
      (leg, i) => new LegSweep(leg, i, sources.booksOf(leg.source, p.s_tight), this.#readingOf(i), p),
    )
    this.#block = new BulkBlock(legs.length)
    this.#figures = { used: 0, covered: 0, fallback: 0, missing: 0, live: 0, dispersed: 0, indicative: 0 }
    this.#confidence_scale = 10 ** CONFIDENCE_SCALE / (WEIGHT_ONE * C_ONE) / p.max_carry
    this.#minimum = parse34(p.min_confidence.toFixed())
    this.#minimum_units = Number(p.min_confidence.toFixed()) * 10 ** CONFIDENCE_SCALE
  }

  replay(ticks: TickBlock): void {
    this.#block.clear()
    for (let i = 0; i < this.#sweeps.length; i += 2) this.#sweep(this.#sweeps[i]!, this.#sweeps[i + 1] ?? null, ticks)
    if (this.#block.even && this.#run.chain.k !== null) this.#concludeEven(ticks)
    else for (let i = 0; i < ticks.count; i++) this.#conclude(i, ticks.first + i * ticks.step)
  }

  /** Adds one or two legs to the block. */
  #sweep(one: LegSweep, two: LegSweep | null, ticks: TickBlock): void {
    const from = two === null ? 0 : this.#sweepPair(one, two, ticks)
    one.run(ticks, this.#block, from)
    two?.run(ticks, this.#block, from)
  }

  /** Adds two legs together while both have exactly one plain row per tick; returns the first tick not added. */
  #sweepPair(one: LegSweep, two: LegSweep, ticks: TickBlock): number {
    if (!one.isYoungAt(ticks.step) || !two.isYoungAt(ticks.step)) return 0
    const rows = one.rowsFrom(ticks)
    const others = two.rowsFrom(ticks)
    if (rows === null || others === null) return 0
    const to = takePairedRows(rows, others, ticks, this.#composition.p.max_carry, this.#block)
    one.took(rows, ticks, 0, to)
    two.took(others, ticks, 0, to)
    return to
  }

  /** Concludes the usual block: all weight is live on unlimited rules, so only level and confidence vary by tick. */
  #concludeEven({ first, step, count }: TickBlock): void {
    const block = this.#block
    const run = this.#run
    const composition = this.#composition
    const figures = this.#figures
    const { series, chain } = run
    const from = run.written
    Object.assign(figures, { ...NOTHING_LACKING, live: this.#reads.length })
    const state = decideState(figures, composition.p, OPEN_GATE, false)
    const low_state = decideState(figures, composition.p, OPEN_GATE, true)
    const rounder = chain.rounder!
    for (let i = 0; i < count; i++) {
      const cutoff = first + i * step
      const at = from + i
      const estimate = block.confidence[i]! * this.#confidence_scale
      const tolerance = confidenceTolerance(this.#reads.length, estimate)
      const low = isBelowFiltered(estimate, this.#minimum_units, tolerance, () => this.#isLow(i, cutoff))
      series.tick_at[at] = cutoff
      series.level[at] = rounder.units(block.numerator[i]!, WEIGHT_ONE)
      series.state[at] = low ? low_state : state
      series.confidence[at] = roundFiltered(estimate, tolerance, () => this.#confidenceUnits(i, cutoff))
    }
    series.source_cutoff_at.set(series.tick_at.subarray(from, from + count), from)
    series.version.fill(this.#version_ordinal, from, from + count)
    series.coverage.fill(WEIGHT_ONE / WEIGHTS_PER_COVERAGE, from, from + count)
    run.written = from + count
    run.last_level = series.level[run.written - 1]!
    run.last_cutoff = first + (count - 1) * step
  }

  /** Transfers the rows taken by the sweeps to the legs' memories, for the next version. */
  finish(): void {
    for (const sweep of this.#sweeps) sweep.settle(this.#composition.version.frequency)
  }

  #readingOf(leg: number): Reading {
    const { weights, version } = this.#composition
    let weight = 0
    let signed_weight = 0
    const readers = this.#reads.flatMap((read, i) => (read === leg ? [i] : []))
    for (const i of readers) {
      weight += weights[i]!
      signed_weight += version.constituents[i]!.normalization === 'inverse' ? -weights[i]! : weights[i]!
    }
    return { weight, signed_weight, readers: readers.length }
  }

  /** Concludes one tick (steps 6 and 7). */
  #conclude(i: number, cutoff: Micros): void {
    const block = this.#block
    const figures = this.#figures
    const run = this.#run
    const composition = this.#composition
    const { series, chain } = run
    const at = run.written
    run.written = at + 1
    figures.used = WEIGHT_ONE - block.unused[i]!
    figures.covered = WEIGHT_ONE - block.uncovered[i]!
    figures.fallback = block.fallback[i]!
    figures.missing = block.missing[i]!
    figures.live = this.#reads.length - block.idle[i]!
    figures.indicative = block.indicative[i]!
    if (chain.k === null && isPriced(figures, composition.p)) this.#base(i, cutoff)
    const estimate = block.confidence[i]! * this.#confidence_scale
    const tolerance = confidenceTolerance(this.#reads.length, estimate)
    const low = isBelowFiltered(estimate, this.#minimum_units, tolerance, () => this.#isLow(i, cutoff))
    const state = decideState(figures, composition.p, OPEN_GATE, low)
    const priced = state !== STATE.suspended && state !== STATE.stale
    if (priced) {
      run.last_level = chain.rounder!.units(block.numerator[i]!, figures.used)
      run.last_cutoff = cutoff
    }
    series.tick_at[at] = cutoff
    series.version[at] = this.#version_ordinal
    series.state[at] = state
    series.level[at] = state === STATE.suspended ? Number.NaN : run.last_level
    series.source_cutoff_at[at] = state === STATE.suspended ? cutoff : run.last_cutoff
    series.coverage[at] = roundQuotient(figures.covered, WEIGHTS_PER_COVERAGE)
    series.confidence[at] = roundFiltered(estimate, tolerance, () => this.#confidenceUnits(i, cutoff))
  }

  #isLow(i: number, cutoff: Micros): boolean {
    return compare34(this.#confidence(i, cutoff), this.#minimum) < 0
  }

  #confidenceUnits(i: number, cutoff: Micros): number {
    return Number(toUnits(this.#confidence(i, cutoff), CONFIDENCE_SCALE))
  }

  /** Evaluates the confidence formula at one tick. */
  #confidence(i: number, cutoff: Micros): Decimal34 {
    const composition = this.#composition
    const reads = this.#reads
    const block = this.#block
    const inputs = reads.map((leg, constituent) => {
      const { c, confirmed_at } = this.#sweeps[leg]!.resultAt(i, cutoff, block)
      const term = { pool_weight: ONE34, c, age: cutoff - confirmed_at, settled: c === C_SETTLED }
      return { w: fromUnits(composition.weights[constituent]!, 10), terms: c === 0 ? [] : [term] }
    })
    return confidenceFormula(inputs, composition.p.max_carry)
  }

  #base(i: number, cutoff: Micros): void {
    const s = shareOf(this.#block.numerator[i]!, this.#figures.used)
    this.#run.series.links.push(this.#run.chain.base(this.#composition.version, s, cutoff))
  }
}
