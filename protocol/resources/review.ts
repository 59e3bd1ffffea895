import Type, { type TSchema } from 'typebox'
import { ASSESSMENT_KINDS, DISPUTE_STATES, EVIDENCE_TIERS, REVIEW_STATES } from '../../vocabulary/review.ts'
import { closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'

/** Fields that every committee record shares: correction chain, issuer, evidence, times and review. */

const Issuer = Type.Object(
  { kind: texts(ASSESSMENT_KINDS), issuer_id: Text, model_version: orNull(Text) },
  { ...closed, title: 'Issuer' },
)

const EvidenceItem = Type.Object(
  {
    evidence_id: Id,
    kind: Text,
    source_uri: orNull(Text),
    observed_at: orNull(Instant),
    content_hash: orNull(Text),
    component: orNull(Text),
    tier: orNull(
      texts(EVIDENCE_TIERS, 'A official or measured, B an agency or several sources, C one source, D unverified'),
    ),
    measured: Type.Optional(
      orNull(
        Type.String({
          description:
            'expand=measured: the text whose SHA-256 is content_hash, if Tidemark measured it; null: a document published elsewhere',
        }),
      ),
    ),
  },
  { ...closed, title: 'EvidenceItem' },
)

const Override = Type.Object(
  {
    override_id: Id,
    authority: Text,
    reason_code: Text,
    narrative: Text,
    previous_value: orNull(Text),
    proposed_value: Text,
    starts_at: Instant,
    expires_at: orNull(Instant),
  },
  { ...closed, title: 'Override' },
)

const Dispute = Type.Object(
  {
    dispute_id: Id,
    state: texts(DISPUTE_STATES),
    filer: Text,
    basis: orNull(Text),
    decision: orNull(Text),
    filed_at: Instant,
    decided_at: orNull(Instant),
  },
  { ...closed, title: 'Dispute' },
)

const Withdrawal = Type.Object(
  { withdrawn_by: Text, reason: orNull(Text), withdrawn_at: Instant },
  { ...closed, title: 'Withdrawal' },
)

/** Ordinal in the correction chain; null if there is no record. */
export const REVISED_OR_NONE = {
  revision: orNull(
    Type.Integer({ minimum: 1, description: 'ordinal in the correction chain, from 1; null: no record' }),
  ),
  supersedes_id: orNull(Id),
  correction_reason: orNull(Text),
} as const

/** Reasons, and the methodology applied. */
export const REASONED = {
  confidence: orNull(Decimal),
  reason_codes: Type.Array(Text),
  rationale: orNull(Text),
  methodology_id: orNull(Id),
  methodology_version: orNull(Text),
  issuer: orNull(Issuer),
  evidence: Type.Array(EvidenceItem),
} as const

/** Period in force, and state of review. */
export const REVIEWED = {
  effective_from: orNull(Instant),
  effective_to: orNull(Instant),
  published_at: orNull(Instant),
  review_state: orNull(texts(REVIEW_STATES)),
  override: orNull(Override),
  dispute: orNull(Dispute),
  withdrawal: orNull(Withdrawal),
} as const

/** One score for each component; null if unknown, never zero. */
export const scoresOf = <const N extends readonly string[]>(names: N, title: string) => {
  const fields = Object.fromEntries(names.map((name) => [name, orNull(Decimal)])) as Record<
    N[number],
    ReturnType<typeof orNull<typeof Decimal>>
  >
  return Type.Object(fields, { ...closed, title })
}

/** Fields that every committee methodology shares; the hash covers the parameters and the text. */
export const METHODOLOGY_OF_RECORDS = {
  methodology_id: Id,
  version: Text,
  status: Text,
  name: orNull(Text),
} as const

export const METHODOLOGY_DOCUMENT = {
  document_uri: Type.String({
    description: 'path of this service that serves the document whose hash is content_hash',
  }),
  content_hash: Type.String({
    pattern: '^[a-z0-9-]+:[0-9a-f]+$',
    description: '<algorithm>:<digest> of the RFC 8785 form of {parameters, text_sha256}',
  }),
  published_at: Instant,
  supersedes_version: orNull(Text),
  parameters: Type.Record(Type.String(), Text, { description: 'every parameter of the formulas by its dotted name' }),
  text_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  document: Type.String({ description: 'the normative text (Markdown); text_sha256 is the hash of its bytes' }),
  text_uri: Type.String({
    description: 'path of this service that serves the normative text (Markdown), whose hash is text_sha256',
  }),
} as const satisfies Record<string, TSchema>
