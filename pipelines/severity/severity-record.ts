import { FIRST_REVISION, type Revised } from '../../primitives/append-only.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { DecimalString } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { EvidenceTier, ReviewState } from '../../vocabulary/review.ts'
import {
  type AssessmentType,
  SCORED_LEVELS,
  SEVERITY_COMPONENTS,
  type SeverityComponent,
  type SeverityLevel,
} from '../../vocabulary/severity.ts'
import { type EvidenceItem, measuredEvidence } from '../evidence/evidence-item.ts'
import type { HazardRecord } from '../venues/record.ts'
import { type AssessedComponents, assess } from './assess.ts'
import { combineEvidence } from './combine-evidence.ts'
import { type ComponentEvidence, hazardEvidence, newsKey } from './hazard-evidence.ts'
import { SEVERITY_METHODOLOGY, SEVERITY_PARAMETERS } from './methodology.ts'

/** A Severity Assessment with the interface's fields and our own additions. Decimals are text. */
export type SeverityRecord = Revised & {
  readonly assessment_id: string
  readonly chain_id: string
  readonly event_id: string
  readonly assessment_type: AssessmentType
  readonly level: SeverityLevel
  readonly score: DecimalString | null
  readonly score_range: { readonly low: DecimalString; readonly high: DecimalString } | null
  readonly component_scores: Readonly<Record<SeverityComponent, DecimalString | null>>
  readonly confidence: DecimalString
  readonly reason_codes: readonly string[]
  readonly rationale: string | null
  readonly event_time_window: { readonly start: Instant; readonly end: Instant | null }
  readonly observation_cutoff_at: Instant | null
  readonly forecast_horizon_end: Instant | null
  readonly methodology_id: string
  readonly methodology_version: string
  readonly issuer: { readonly kind: string; readonly issuer_id: string; readonly model_version: string | null }
  readonly evidence: readonly EvidenceItem[]
  readonly effective_from: Instant
  readonly effective_to: Instant | null
  readonly review_state: ReviewState
  readonly proposed_by: string | null
  readonly act_id: string | null
  readonly news_hash: string | null
  readonly previous_level: SeverityLevel | null
  readonly previous_score: DecimalString | null
}

/** The assessment program, as named by `issuer` of a model record. */
export const SEVERITY_MODEL = { kind: 'model', issuer_id: 'tidemark', model_version: '1' } as const

/** Reference to the methodology in records. */
export const SEVERITY_METHODOLOGY_REFERENCE = {
  methodology_id: SEVERITY_METHODOLOGY.methodology_id,
  methodology_version: SEVERITY_METHODOLOGY.version,
} as const

/** Last approved assessment; null: there is none. */
export type LastApproved = { readonly level: SeverityLevel; readonly score: DecimalString | null } | null

export type ObservedInput = {
  readonly event_id: string
  readonly alert: HazardRecord
  readonly last: LastApproved
  readonly cutoff: Micros
}

/** Returns the hash of an alert's news: the same hash is the same assessment. */
export function newsHash(alert: HazardRecord): string {
  return contentHash(newsKey(alert))
}

/** Returns the model's observed assessment of an event by its alert, as of a cutoff. */
export function observedAssessment({ event_id, alert, last, cutoff }: ObservedInput): SeverityRecord {
  // The alert says that the event is ongoing at its reception; nothing is known about later.
  const evidence = hazardEvidence(alert, Math.min(cutoff, alert.received_at))
  const components = combineEvidence(evidence)
  const assessment = assess(components, tiersOf(evidence), SEVERITY_PARAMETERS)
  const waits = needsPerson(assessment.level, last)
  const news_hash = newsHash(alert)
  const at = formatMicros(cutoff)
  const chain_id = deriveId('ach', event_id, 'observed', news_hash, at)
  return {
    assessment_id: deriveId('asm', chain_id, 1),
    chain_id,
    ...FIRST_REVISION,
    event_id,
    assessment_type: 'observed',
    ...assessment,
    component_scores: componentScores(components),
    reason_codes: [...assessment.reason_codes, ...waits],
    rationale: null,
    event_time_window: windowOf(alert),
    observation_cutoff_at: at,
    forecast_horizon_end: null,
    ...SEVERITY_METHODOLOGY_REFERENCE,
    issuer: SEVERITY_MODEL,
    evidence: evidenceOf(alert, evidence),
    effective_from: at,
    effective_to: null,
    review_state: waits.length > 0 ? 'under_review' : 'approved',
    proposed_by: null,
    act_id: null,
    news_hash,
    previous_level: last?.level ?? null,
    previous_score: last?.score ?? null,
  }
}

/** Returns start and end of an event; an earthquake is over at once, and an unknown end is null. */
export function windowOf(alert: HazardRecord): { readonly start: Instant; readonly end: Instant | null } {
  const { started_at, ended_at, is_current, hazard_type } = alert
  const end = hazard_type === 'earthquake' ? started_at : is_current === true ? null : ended_at
  return { start: formatMicros(started_at), end: end === null ? null : formatMicros(end) }
}

/** Level change from which a person must approve. */
const CHANGE_LEVELS = 2

/**
 * Returns why a person must approve: SEV-4, SEV-5 and any change of two levels; empty if nobody must. An assessment that
 * becomes UNKNOWN may stand for SEV-0: after SEV-2 or worse that may be a change of two levels, and readers keep the level
 * until a person has approved.
 */
export function needsPerson(level: SeverityLevel, last: LastApproved): string[] {
  const rank = (of: SeverityLevel) => (of === 'UNKNOWN' ? null : SCORED_LEVELS.indexOf(of))
  const [now, before] = [rank(level), last === null ? null : rank(last.level)]
  const change = before === null ? 0 : Math.abs((now ?? 0) - before)
  return [
    ...(now !== null && now >= 4 ? ['LEVEL_NEEDS_APPROVAL'] : []),
    ...(change >= CHANGE_LEVELS ? ['CHANGE_NEEDS_APPROVAL'] : []),
  ]
}

function tiersOf(evidence: readonly ComponentEvidence[]): EvidenceTier[] {
  return evidence.map(({ tier }) => tier)
}

/** Returns the published scores of components. */
export function componentScores(
  components: AssessedComponents,
): Readonly<Record<SeverityComponent, DecimalString | null>> {
  const entries = SEVERITY_COMPONENTS.map((name) => [name, components[name]?.value ?? null])
  return Object.fromEntries(entries) as Record<SeverityComponent, DecimalString | null>
}

/** Returns one item per component that the alert mentions, with raw values, units and source beside the derived value. */
function evidenceOf(alert: HazardRecord, evidence: readonly ComponentEvidence[]): EvidenceItem[] {
  const { venue_id, source_event_id, source_version_id, alert_level, alert_score } = alert
  const { population_value, population_unit, severity_value, severity_unit } = alert
  const raw = { venue_id, source_event_id, source_version_id, alert_level, alert_score }
  const sizes = { population_value, population_unit, severity_value, severity_unit }
  return evidence.map(({ component, tier, value, low, high }) =>
    measuredEvidence({
      kind: 'hazard_alert',
      component,
      tier,
      source_uri: alert.source_url ?? `urn:tidemark:hazard:${venue_id}:${source_event_id}`,
      observed_at: alert.received_at,
      figures: { ...raw, ...sizes, component, value, low, high },
    }),
  )
}
