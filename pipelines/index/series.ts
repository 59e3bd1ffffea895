import type { Decimal } from '../../primitives/decimal.ts'
import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ticksIn } from '../../primitives/ranges.ts'
import {
  type CalculationState,
  concludeTick,
  GAUGE_K,
  type IndexGate,
  NO_CALCULATION_STATE,
  OPEN_GATE,
  type TickResult,
} from './calculate.ts'
import { type Admitted, type Evaluation, evaluateVersion } from './evaluate.ts'
import { formatLevel } from './level.ts'
import { baseFactor, compositionStep, linkFactor } from './link.ts'
import type { IndexSpec, IndexVersion } from './version.ts'

/** Published link of a version: K, and in gauge mode the step of its composition. */
export type LinkRecord = {
  readonly version: IndexVersion
  readonly link_at: Micros
  readonly link_factor: Decimal
  readonly previous_link_factor: Decimal | null
  readonly level_at_link: string | null
  readonly composition_step: string | null
}

/**
 * One tick with the links made since the previous one: none, or that of the version that begins here, after those of
 * versions that ended before their first tick.
 */
export type SeriesStep = {
  readonly result: TickResult
  readonly links: readonly LinkRecord[]
  /** Memory needed by the next tick. */
  readonly memory: ReferenceMemory
}

/** Memory of a series after one tick; continuing from it equals computing every tick. Immutable. */
export type ReferenceMemory = Chain & { readonly tick_at: Micros; readonly index_version_id: string }

export type SeriesOptions = {
  /** Last instant, exclusive; the series always starts at the first tick, because state is causal. */
  readonly to: Micros
  readonly gate?: (tick: Micros) => IndexGate
  /** Published K by index_version_id; it overrides a recomputed one (closed under publication). */
  readonly published_links?: ReadonlyMap<string, Decimal>
}

/** Returns the admitted inputs at a cutoff; cutoffs do not decrease. The version's fixing schedule applies. */
export type Admission = (cutoff: Micros, version: IndexVersion) => Admitted

type Chain = { readonly state: CalculationState; readonly k: Decimal | null; readonly k_first: Decimal | null }

/**
 * Computes all ticks of an index in order, over all its versions: a replay computes them, the official series publishes them
 * (methodology index-1 §10, 11, 16). Pure: all inputs come from `admission`.
 * @param resume continues after a memory's tick; null: starts at the first tick
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export function* indexSeries(
  spec: IndexSpec,
  admission: Admission,
  options: SeriesOptions,
  resume: ReferenceMemory | null = null,
): Generator<SeriesStep> {
  let chain: Chain = resume ?? { state: NO_CALCULATION_STATE, k: null, k_first: null }
  let previous: IndexVersion | null = null
  let links: LinkRecord[] = []
  for (const version of versionsFrom(spec, resume)) {
    if (version.effective_from >= options.to) return
    const resumed = resume?.index_version_id === version.index_version_id
    const opening = resumed ? null : openVersion(spec, version, previous, chain, admission, options)
    if (opening !== null) {
      links.push(opening)
      chain = { ...chain, k: opening.link_factor, k_first: chain.k_first ?? opening.link_factor }
    }
    const from = resumed ? resume.tick_at + 1 : version.effective_from
    const end = Math.min(options.to, version.effective_to ?? options.to)
    for (const tick of ticksIn({ from, to: end }, version.frequency)) {
      const evaluation = evaluateVersion(chain.state, version, admission(tick, version))
      if (chain.k === null && isPriced(evaluation, version)) {
        const base = baseLink(spec, version, evaluation, options)
        links.push(base)
        chain = { ...chain, k: base.link_factor, k_first: base.link_factor }
      }
      const gate = options.gate?.(tick) ?? OPEN_GATE
      const { result, state } = concludeTick(evaluation, version, chain.k, chain.state.last_level, gate)
      chain = { k: chain.k, k_first: chain.k_first, state }
      yield { result, links, memory: { ...chain, tick_at: tick, index_version_id: version.index_version_id } }
      links = []
    }
    previous = version
  }
}

/** Returns the versions from a memory's on; all without a memory. */
export function versionsFrom(
  spec: IndexSpec,
  resume: { readonly index_version_id: string } | null,
): readonly IndexVersion[] {
  if (resume === null) return spec.versions
  const first = spec.versions.findIndex((version) => version.index_version_id === resume.index_version_id)
  invariant(first >= 0, `the index has no version ${resume.index_version_id} to continue in`)
  return spec.versions.slice(first)
}

/** Returns the link at a version's start: the base of the first one, else K carried over; null if the base must wait for data. */
function openVersion(
  spec: IndexSpec,
  version: IndexVersion,
  previous: IndexVersion | null,
  chain: Chain,
  admission: Admission,
  options: SeriesOptions,
): LinkRecord | null {
  if (previous === null || chain.k === null) {
    const evaluation = evaluateVersion(
      chain.state,
      version,
      admission(previous === null ? spec.base_date : version.effective_from, version),
    )
    return isPriced(evaluation, version) || version.methodology.parameters.mode === 'gauge'
      ? baseLink(spec, version, evaluation, options)
      : null
  }
  const at = version.effective_from
  const admitted = admission(at, version)
  const s_old = evaluateVersion(chain.state, previous, admitted).sums.s
  const s_new = evaluateVersion(chain.state, version, admitted).sums.s
  const { mode, link } = version.methodology.parameters
  const published = options.published_links?.get(version.index_version_id)
  const k =
    mode === 'gauge' ? GAUGE_K : (published ?? linkFactor(chain.k, chain.k_first!, s_old, s_new, link, version.version))
  const step =
    mode === 'gauge' && s_old !== null && s_new !== null
      ? formatDecimal(compositionStep(s_old, s_new), SCALE.level)
      : null
  return {
    version,
    link_at: at,
    link_factor: k,
    previous_link_factor: chain.k,
    level_at_link: s_new === null ? null : formatLevel(k, s_new),
    composition_step: step,
  }
}

function baseLink(spec: IndexSpec, version: IndexVersion, evaluation: Evaluation, options: SeriesOptions): LinkRecord {
  const { s } = evaluation.sums
  const published = options.published_links?.get(version.index_version_id)
  const gauge = version.methodology.parameters.mode === 'gauge'
  const k = gauge ? GAUGE_K : (published ?? baseFactor(spec.base_value, s!, version.version))
  return {
    version,
    link_at: evaluation.cutoff,
    link_factor: k,
    previous_link_factor: null,
    level_at_link: s === null ? null : formatLevel(k, s),
    composition_step: null,
  }
}

/** Returns whether a tick would have a level: enough usable weight, and something fresh or settled. */
function isPriced({ sums, constituents }: Evaluation, version: IndexVersion): boolean {
  const fresh = constituents.some((c) => c.freshness === 'fresh' || c.freshness === 'settled')
  return sums.s !== null && sums.usable_ratio.gte(version.methodology.parameters.quality.usable_min) && fresh
}
