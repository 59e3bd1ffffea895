import type { LegData } from '../../../../../pipelines/index/admission.ts'
import { admissionOf } from '../../../../../pipelines/index/admit.ts'
import type { ExactOptions } from '../../../../../pipelines/index/exact/chain.ts'
import { exactSeries } from '../../../../../pipelines/index/exact/exact-series.ts'
import type { TickFacts } from '../../../../../pipelines/index/exact/exact-tick-facts.ts'
import { indexSeries, type LinkRecord } from '../../../../../pipelines/index/series.ts'
import type { IndexSpec } from '../../../../../pipelines/index/version.ts'
import { isServiceError } from '../../../../../primitives/errors.ts'
import { formatMicros } from '../../../../../primitives/instants.ts'

/** Legs by key. */
export type Legs = ReadonlyMap<string, LegData>

/** Every field of every tick and link of the reference, as one text a tick; the last one may be an error. */
export function referenceTexts(spec: IndexSpec, legs: Legs, options: ExactOptions): string[] {
  return textsOf(indexSeries(spec, admissionOf(legs, options.grace_override), options))
}

/** The same of the exact engine. */
export function exactTexts(spec: IndexSpec, legs: Legs, options: ExactOptions): string[] {
  return textsOf(exactSeries(spec, (leg) => legs.get(leg.key)!, options))
}

/** Lists are read only when the series has ended: they must not change as it goes on. */
function textsOf(series: Iterable<{ readonly result: TickFacts; readonly links: readonly LinkRecord[] }>): string[] {
  const steps: { readonly result: TickFacts; readonly links: readonly LinkRecord[] }[] = []
  let error: string | null = null
  try {
    for (const step of series) steps.push(step)
  } catch (caught) {
    if (!isServiceError(caught)) throw caught
    error = `${caught.code}: ${caught.message}`
  }
  const texts = steps.map(({ result, links }) => stepText(result, links))
  return error === null ? texts : [...texts, error]
}

/** Every field of one tick and its links. */
export function stepText(result: TickFacts, links: readonly LinkRecord[]): string {
  return JSON.stringify({
    tick_at: formatMicros(result.tick_at),
    version: result.version.version,
    level: result.level,
    source_cutoff_at: result.source_cutoff_at,
    quality_state: result.quality_state,
    coverage_ratio: result.coverage_ratio,
    confidence: result.confidence,
    link_factor: result.link_factor?.toFixed() ?? null,
    missing: result.missing_constituent_ids,
    excluded: result.excluded_inputs,
    inputs: result.input_observation_ids,
    reasons: result.reason_codes,
    links: links.map((link) => ({ ...link, version: link.version.version })),
  })
}
