import Type, { type Static } from 'typebox'
import type { DecimalString } from '../../primitives/decimal.ts'
import { idPattern } from '../../primitives/id-form.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { RATING_COMPONENTS, type RatingComponent } from '../../vocabulary/rating.ts'
import type { AssessmentKind } from '../../vocabulary/review.ts'
import { type AllowedHosts, ageDays, type EvidenceItem, givenEvidence } from '../evidence/evidence-item.ts'
import { Amount, At, CLOSED, EvidenceForm, orNull, Share, Text, Whole } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'
import { refuseInstant } from '../evidence/refuse-instant.ts'
import { anew } from '../review/plan-records.ts'
import type { ReviewRow, ReviewSubject } from '../review/subject.ts'
import {
  dataQuality,
  liquidity,
  manipulationResistance,
  resolutionClarity,
  sourceReliability,
  venueOperationalRisk,
} from './components.ts'
import { RATING_PARAMETERS } from './methodology.ts'
import { type ComponentScores, rateComponents } from './rate.ts'
import { RATING_METHODOLOGY_REFERENCE } from './rating-record.ts'

const Kind = Type.Union([Type.Literal('analyst'), Type.Literal('committee')], { description: 'analyst or committee' })
const inputs = <P extends Type.TProperties>(fields: P) => orNull(Type.Object(fields, CLOSED))

/** A rating as a person submits it: measured inputs and evidence, never scores. null: unknown. */
const RatingFormSchema = Type.Object(
  {
    rating: Type.Object(
      {
        market_id: Type.String({ pattern: idPattern('mkt'), description: 'the id of a market' }),
        kind: Kind,
        observation_cutoff_at: At,
        effective_from: orNull(At),
        effective_to: orNull(At),
        rationale: Text,
      },
      CLOSED,
    ),
    components: Type.Object(
      {
        resolution_clarity: inputs({
          points: Type.Array(Amount, { minItems: 7, maxItems: 7, description: 'seven items of points' }),
          disputed_markets: Whole,
          resolved_markets: Whole,
        }),
        source_reliability: inputs({
          authority: Share,
          availability: Share,
          revision_rate: Share,
          independent_sources: Whole,
        }),
        liquidity: inputs({ spread: Amount, depth_usd: Amount, volume_usd: Amount }),
        manipulation_resistance: inputs({
          cost_to_move_usd: Amount,
          concentration: orNull(Share),
          top_trader_share: orNull(Share),
          wash_share: orNull(Share),
        }),
        data_quality: inputs({
          gap_share: Share,
          sequence_gap_share: Share,
          crossed_share: Share,
          p95_latency_ms: Amount,
        }),
        venue_operational_risk: inputs({
          uptime: Share,
          regulation: Share,
          settlement_delay_h: Amount,
          incidents_365d: Whole,
        }),
      },
      CLOSED,
    ),
    evidence: Type.Array(EvidenceForm),
  },
  CLOSED,
)

export type RatingForm = Static<typeof RatingFormSchema>

/** Reads a form. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function parseRatingForm(text: string, name: string): RatingForm {
  return readForm(RatingFormSchema, text, name)
}

export type Submission = {
  readonly actor_id: string
  readonly act_id: string
  readonly now: Micros
  readonly hosts: AllowedHosts
}

/**
 * Returns the record that a form proposes, under review: scored by the model's formulas, without the rule of two days.
 * @throws {ServiceError} VALIDATION_EVIDENCE_INVALID; VALIDATION_RANGE_INVALID, also for a cutoff in the future
 */
export function submittedRating(subject: ReviewSubject, form: RatingForm, submission: Submission): ReviewRow {
  const { actor_id, act_id, now, hosts } = submission
  const { rating } = form
  const cutoff = toMicros(rating.observation_cutoff_at, 'observation_cutoff_at')
  if (cutoff > now) refuseInstant('observation_cutoff_at', cutoff, `an instant not after now (${formatMicros(now)})`)
  const component_scores = scoresOf(form)
  const rule = { hosts, components: RATING_COMPONENTS, now: cutoff }
  const evidence = form.evidence.map((item) => givenEvidence(item, rule))
  const composite = rateComponents(component_scores, factsOf(evidence, cutoff), RATING_PARAMETERS)
  const from = rating.effective_from === null ? now : toMicros(rating.effective_from, 'effective_from')
  const to = rating.effective_to === null ? null : toMicros(rating.effective_to, 'effective_to')
  if (to !== null && to <= from) refuseInstant('effective_to', to, `an instant after ${formatMicros(from)}`)
  return anew(subject, {}, act_id, {
    market_id: rating.market_id,
    band: composite.band,
    score: composite.score,
    component_scores,
    outlook: 'stable',
    watch_status: 'none',
    confidence: composite.confidence,
    reason_codes: composite.reason_codes,
    rationale: rating.rationale,
    ...RATING_METHODOLOGY_REFERENCE,
    issuer: { kind: rating.kind as AssessmentKind, issuer_id: actor_id, model_version: null },
    evidence,
    effective_from: formatMicros(from),
    effective_to: to === null ? null : formatMicros(to),
    observation_cutoff_at: formatMicros(cutoff),
    review_state: 'under_review',
    proposed_by: actor_id,
    previous_band: null,
    previous_score: null,
  })
}

/** Computes the components of a form by the formulas of the methodology. @throws {ServiceError} VALIDATION_RANGE_INVALID */
function scoresOf({ components: given }: Pick<RatingForm, 'components'>): ComponentScores {
  const of = <T>(input: T | null, score: (known: T) => DecimalString) => (input === null ? null : score(input))
  return {
    resolution_clarity: of(given.resolution_clarity, (one) =>
      resolutionClarity({
        points: one.points,
        disputed_markets: +one.disputed_markets,
        resolved_markets: +one.resolved_markets,
      }),
    ),
    source_reliability: of(given.source_reliability, (one) =>
      sourceReliability({ ...one, independent_sources: +one.independent_sources }),
    ),
    liquidity: of(given.liquidity, liquidity),
    manipulation_resistance: of(given.manipulation_resistance, manipulationResistance),
    data_quality: of(given.data_quality, dataQuality),
    venue_operational_risk: of(given.venue_operational_risk, (one) =>
      venueOperationalRisk({ ...one, incidents_365d: +one.incidents_365d }),
    ),
  }
}

function factsOf(evidence: readonly EvidenceItem[], cutoff: Micros) {
  return evidence.map((item) => ({
    component: item.component as RatingComponent,
    tier: item.tier,
    age_days: ageDays(item, cutoff),
  }))
}
