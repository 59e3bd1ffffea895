import { FIRST_REVISION, type Revised } from '../../primitives/append-only.ts'
import type { DecimalString } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Instant, type Micros, utcDay } from '../../primitives/instants.ts'
import type { Band, RatingComponent } from '../../vocabulary/rating.ts'
import type { AssessmentKind, ReviewState } from '../../vocabulary/review.ts'
import type { EvidenceItem } from '../evidence/evidence-item.ts'
import { ageDays } from '../evidence/evidence-item.ts'
import { RATING_METHODOLOGY, RATING_PARAMETERS } from './methodology.ts'
import { type ComponentScores, rateComponents } from './rate.ts'
import { type Outlook, outlookOf, type RatingPast, stableBand, type WatchStatus, watchOf } from './stability.ts'

/** Issuer of a record. */
type Issuer = {
  readonly kind: AssessmentKind
  readonly issuer_id: string
  readonly model_version: string | null
}

/** A Market Rating with the interface's fields and our own additions. Decimals are text. */
export type RatingRecord = Revised & {
  readonly rating_id: string
  readonly chain_id: string
  readonly market_id: string
  readonly band: Band
  readonly score: DecimalString | null
  readonly component_scores: ComponentScores
  readonly outlook: Outlook
  readonly watch_status: WatchStatus
  readonly confidence: DecimalString
  readonly reason_codes: readonly string[]
  readonly rationale: string | null
  readonly methodology_id: string
  readonly methodology_version: string
  readonly issuer: Issuer
  readonly evidence: readonly EvidenceItem[]
  readonly effective_from: Instant
  readonly effective_to: Instant | null
  readonly observation_cutoff_at: Instant
  readonly review_state: ReviewState
  readonly proposed_by: string | null
  readonly act_id: string | null
  readonly day_band: Band | null
  readonly previous_band: Band | null
  readonly previous_score: DecimalString | null
}

/** The rating program, as named by `issuer` of a model record. */
const RATING_MODEL: Issuer = { kind: 'model', issuer_id: 'tidemark', model_version: '1' }

export type Rated = {
  readonly market_id: string
  readonly components: ComponentScores
  readonly evidence: readonly EvidenceItem[]
  readonly past: RatingPast & { readonly previous_band: Band | null; readonly previous_score: DecimalString | null }
  readonly cutoff: Micros
}

/** Returns the model's rating of a market for the UTC day of a cutoff; one per market and day. */
export function modelRating({ market_id, components, evidence, past, cutoff }: Rated): RatingRecord {
  const facts = evidence.map((item) => ({
    component: item.component as RatingComponent,
    tier: item.tier,
    age_days: ageDays(item, cutoff),
  }))
  const composite = rateComponents(components, facts, RATING_PARAMETERS)
  const band = stableBand(composite, past, RATING_PARAMETERS)
  const held = band !== composite.band ? ['UPGRADE_HELD'] : []
  const chain_id = deriveId('rch', market_id, 'model', utcDay(cutoff))
  const at = formatMicros(cutoff)
  return {
    rating_id: deriveId('rat', chain_id, 1),
    chain_id,
    ...FIRST_REVISION,
    market_id,
    band,
    score: composite.score,
    component_scores: components,
    outlook: outlookOf(composite.score, past.score_30d, RATING_PARAMETERS),
    watch_status: watchOf(band, composite.score, past.score_30d, RATING_PARAMETERS),
    confidence: composite.confidence,
    reason_codes: [...composite.reason_codes, ...held],
    rationale: null,
    ...RATING_METHODOLOGY_REFERENCE,
    issuer: RATING_MODEL,
    evidence,
    effective_from: at,
    effective_to: null,
    observation_cutoff_at: at,
    review_state: 'approved',
    proposed_by: null,
    act_id: null,
    day_band: composite.band,
    previous_band: past.previous_band,
    previous_score: past.previous_score,
  }
}

/** Reference to the methodology in records. */
export const RATING_METHODOLOGY_REFERENCE = {
  methodology_id: RATING_METHODOLOGY.methodology_id,
  methodology_version: RATING_METHODOLOGY.version,
} as const
