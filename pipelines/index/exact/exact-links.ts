import { type Decimal, formatDecimal, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { GAUGE_K } from '../calculate.ts'
import { formatLevel } from '../level.ts'
import { baseFactor, compositionStep, linkFactor } from '../link.ts'
import type { LinkRecord, SeriesOptions } from '../series.ts'
import type { IndexSpec, IndexVersion } from '../version.ts'

/** Returns the base of an index: K_1 = base_value / S, or the published one; 100 in gauge mode. */
export function baseLink(
  spec: IndexSpec,
  version: IndexVersion,
  s: Decimal | null,
  at: Micros,
  options: SeriesOptions,
): LinkRecord {
  const published = options.published_links?.get(version.index_version_id)
  const gauge = version.methodology.parameters.mode === 'gauge'
  const k = gauge ? GAUGE_K : (published ?? baseFactor(spec.base_value, s!, version.version))
  return {
    version,
    link_at: at,
    link_factor: k,
    previous_link_factor: null,
    level_at_link: s === null ? null : formatLevel(k, s),
    composition_step: null,
  }
}

/**
 * Returns a later version's link, from S of both compositions with the same admitted inputs (methodology index-1 §10).
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export function successorLink(
  version: IndexVersion,
  before: { readonly k: Decimal; readonly k_first: Decimal },
  s_old: Decimal | null,
  s_new: Decimal | null,
  options: SeriesOptions,
): LinkRecord {
  const { mode, link } = version.methodology.parameters
  const published = options.published_links?.get(version.index_version_id)
  const gauge = mode === 'gauge'
  const k = gauge ? GAUGE_K : (published ?? linkFactor(before.k, before.k_first, s_old, s_new, link, version.version))
  const stepped = gauge && s_old !== null && s_new !== null
  return {
    version,
    link_at: version.effective_from,
    link_factor: k,
    previous_link_factor: before.k,
    level_at_link: s_new === null ? null : formatLevel(k, s_new),
    composition_step: stepped ? formatDecimal(compositionStep(s_old, s_new), SCALE.level) : null,
  }
}
