import type { Micros } from '../../../primitives/instants.ts'
import { ticksIn } from '../../../primitives/ranges.ts'
import type { LegData } from '../admission.ts'
import { type IndexGate, type LastLevel, OPEN_GATE } from '../calculate.ts'
import { type LinkRecord, versionsFrom } from '../series.ts'
import type { IndexSpec, IndexVersion, Leg } from '../version.ts'
import { Chain, type ExactMemory, type ExactOptions } from './chain.ts'
import type { Composition } from './composition.ts'
import { CONFIDENCE_SCALE } from './confidence-meter.ts'
import { SeriesTick } from './exact-tick-facts.ts'
import { LegSources } from './leg-sources.ts'
import { decideState, isPriced } from './quality.ts'
import { COVERAGE_SCALE, printUnits, roundQuotient, STATE, WEIGHTS_PER_COVERAGE } from './units.ts'

/** A tick of the exact engine; `links` as in `SeriesStep`. */
export type ExactStep = {
  readonly result: SeriesTick
  readonly links: readonly LinkRecord[]
  /** Returns the memory for the next tick; valid only until that one is requested. */
  readonly memory: () => ExactMemory
  /** Returns the newest admitted records of the legs, as `Chain.newest`; valid as long as `memory`. */
  readonly newest: Chain['newest']
}

/**
 * Computes all ticks of an index in order, over all its versions: the twin of `indexSeries` over scaled integers, with the same
 * strings and states (the argument is in rounding.ts, level-rounder.ts and confidence-meter.ts). Marks, outlier windows,
 * freshness, sums and states are whole numbers; decimals are used for link factors, for x of pools, sets and rolls, and
 * for fixings, and there the reference's own functions are used.
 * @param legs all records of each leg, before admission; prepared sources may be given instead
 * @param resume continues after a memory's tick; null: starts at the first tick
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export function* exactSeries(
  spec: IndexSpec,
  legs: LegSources | ((leg: Leg) => LegData),
  options: ExactOptions,
  resume: ExactMemory | null = null,
): Generator<ExactStep> {
  const chain = new Chain(spec, legs instanceof LegSources ? legs : new LegSources(legs), options, resume)
  const ticks = { chain, links: [], last_level: resume?.last_level ?? null }
  for (const version of versionsFrom(spec, resume)) {
    if (version.effective_from >= options.to) return
    const resumed = resume?.index_version_id === version.index_version_id
    if (!resumed) open(version, ticks)
    yield* ticksOf(version, resumed ? resume.tick_at + 1 : version.effective_from, ticks)
  }
}

type Run = { readonly chain: Chain; links: LinkRecord[]; last_level: LastLevel | null }

function open(version: IndexVersion, { chain, links }: Run): void {
  const opening = chain.open(version)
  if (opening !== null) links.push(opening)
}

function* ticksOf(version: IndexVersion, from: Micros, run: Run): Generator<ExactStep> {
  const { chain } = run
  const { options } = chain
  const memory_of = version.index_version_id
  let composition: Composition | null = null
  const end = Math.min(options.to, version.effective_to ?? options.to)
  for (const tick of ticksIn({ from, to: end }, version.frequency)) {
    composition ??= chain.begin(version)
    composition.advance(tick, chain.fixings(version, tick))
    if (chain.k === null && isPriced(composition.figures, composition.p))
      run.links.push(chain.base(version, composition.share(), tick))
    const result = conclude(run, composition, tick, options.gate?.(tick) ?? OPEN_GATE)
    yield {
      result,
      links: run.links,
      memory: () => chain.memory(tick, memory_of, run.last_level),
      newest: () => chain.newest(),
    }
    run.links = []
  }
}

/** Computes level, ratios and state (steps 6 and 7). */
function conclude(run: Run, composition: Composition, cutoff: Micros, gate: IndexGate): SeriesTick {
  const { figures, inputs, meter, p, version, fixing_failed } = composition
  const estimate = meter.estimate(cutoff)
  const counted = fixing_failed ? { ...figures, indicative: 1 } : figures
  const state = decideState(counted, p, gate, meter.isLow(estimate, inputs, cutoff))
  if (state !== STATE.suspended && state !== STATE.stale) {
    const level = run.chain.rounder!.text(figures.numerator.value(), figures.used)
    run.last_level = { level, source_cutoff_at: cutoff }
  }
  const numbers = {
    tick_at: cutoff,
    version,
    state,
    level: state === STATE.suspended ? null : run.last_level,
    coverage_ratio: printUnits(roundQuotient(figures.covered, WEIGHTS_PER_COVERAGE), COVERAGE_SCALE),
    confidence: printUnits(meter.units(estimate, inputs, cutoff), CONFIDENCE_SCALE),
    link_factor: run.chain.k,
    fixing_failed,
  }
  return new SeriesTick(numbers, inputs)
}
