import type { Revised } from '../../primitives/append-only.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { formatDecimal, roundDecimal, SCALE } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { contributions, sourceIds, type TickResult } from './calculate.ts'
import type { EvaluatedConstituent } from './evaluate-constituent.ts'
import type { LegEvaluation } from './evaluate-leg.ts'
import { labelQuality } from './quality.ts'
import { recordHash } from './record-hash.ts'
import { reasonsOfTick } from './state-reasons.ts'
import type { Leg } from './version.ts'

/** Fields of a published observation besides the tick's calculation. */
export type Publication = Revised & { readonly index_id: string; readonly unit: string; readonly calculated_at: Micros }

/**
 * Builds the index observation of one tick as a row of `index_observation`, without the columns that the log adds.
 * observation_id derives from the run's idempotency key (methodology index-1 §16), so a retried run has the same id.
 */
export function buildObservation(result: TickResult, publication: Publication) {
  const { version } = result
  const input_digest = inputDigest(result)
  const key = [
    version.index_version_id,
    formatMicros(result.tick_at),
    version.methodology.version,
    input_digest,
    publication.revision,
    publication.correction_reason,
  ] as const
  const quality_state = labelQuality(result.quality_state, publication.revision)
  const priced = result.level !== null && result.source_cutoff_at === result.tick_at
  const observation = {
    observation_id: deriveId('iob', ...key),
    revision: publication.revision,
    supersedes_id: publication.supersedes_id,
    correction_reason: publication.correction_reason,
    index_id: publication.index_id,
    index_version_id: version.index_version_id,
    index_version: version.version,
    methodology_id: version.methodology.methodology_id,
    methodology_version: version.methodology.version,
    tick_at: formatMicros(result.tick_at),
    level: result.level,
    unit: publication.unit,
    calculated_at: result.source_cutoff_at === null ? null : formatMicros(publication.calculated_at),
    source_cutoff_at: result.source_cutoff_at === null ? null : formatMicros(result.source_cutoff_at),
    quality_state,
    underlying_quality_state: result.quality_state,
    coverage_ratio: result.coverage_ratio,
    confidence: result.confidence,
    link_factor: result.link_factor === null ? null : formatDecimal(result.link_factor, SCALE.link_factor),
    reason_codes: reasonsOfTick(result, quality_state, publication.correction_reason),
    missing_constituent_ids: result.missing_constituent_ids,
    excluded_inputs: result.excluded_inputs,
    input_observation_ids: result.input_observation_ids,
    calculation_run_id: deriveId('run', ...key),
    input_digest,
    inputs: inputRecords(result, priced),
  }
  return { ...observation, record_hash: recordHash(observation) }
}

export type BuiltObservation = ReturnType<typeof buildObservation>
export type InputRecord = BuiltObservation['inputs'][number]

/** Hashes the inputs of a tick: an unchanged hash needs no correction. */
function inputDigest(result: TickResult): string {
  return contentHash({
    level: result.level,
    source_cutoff_at: result.source_cutoff_at,
    quality_state: result.quality_state,
    link_factor: result.link_factor?.toFixed() ?? null,
    reason_codes: result.reason_codes,
    excluded: result.excluded_inputs,
    inputs: result.constituents.map((c) => [
      c.constituent.constituent_id,
      c.x?.toFixed() ?? null,
      c.freshness,
      c.mark_rule,
      sourceIds(c),
    ]),
  })
}

function inputRecords(result: TickResult, priced: boolean) {
  const shares = contributions(result)
  return result.constituents.map((c, i) => inputRecord(result, c, priced ? shares[i]! : null, priced))
}

function inputRecord(result: TickResult, c: EvaluatedConstituent, contribution: string | null, priced: boolean) {
  const { constituent, x } = c
  const own = constituent.legs[constituent.own]!
  const applied =
    priced && x !== null ? formatDecimal(constituent.target_weight.div(result.used_weight), SCALE.weight) : null
  return {
    constituent_id: constituent.constituent_id,
    market_id: own.market_id,
    outcome_id: own.outcome_id,
    source_observation_id: sourceIds(c)[0] ?? null,
    target_weight: formatDecimal(constituent.target_weight, SCALE.weight),
    weight_applied: applied,
    normalization: constituent.normalization,
    raw_value: c.used[0] === undefined ? null : markValue(c.used[0].evaluation),
    normalized_value: x === null ? null : formatDecimal(x, SCALE.mark),
    freshness_class: c.freshness,
    mark_rule: c.mark_rule,
    exclusion_reason: exclusionReason(c),
    contribution,
    provisional: c.provisional,
    pending: c.pending,
    reason_codes: c.reasons,
    legs: c.used.map(({ leg, evaluation }) => legRecord(leg, evaluation)),
  }
}

function legRecord(leg: Leg, evaluation: LegEvaluation) {
  const mark = evaluation.mark!
  return {
    market_id: leg.market_id,
    outcome_id: leg.outcome_id,
    mark_rule: mark.rule,
    origin_rule: mark.origin_rule,
    value: markValue(evaluation),
    freshness_class: evaluation.freshness,
    source_at: formatMicros(mark.source_at),
    confirmed_at: formatMicros(mark.confirmed_at),
    mark_cutoff_at: formatMicros(mark.cutoff_at),
    source_observation_ids: mark.source_ids,
    window_observation_ids: evaluation.window_ids,
  }
}

function markValue(evaluation: LegEvaluation): string {
  return formatDecimal(roundDecimal(evaluation.mark!.value, SCALE.mark), SCALE.mark)
}

/** Returns why a constituent adds nothing, or why its newest mark was left out; null for an ordinary input. */
function exclusionReason(c: EvaluatedConstituent): string | null {
  if (c.pending) return 'OUTLIER_PENDING'
  return c.x === null ? (c.reasons[0] ?? 'MISSING') : null
}
