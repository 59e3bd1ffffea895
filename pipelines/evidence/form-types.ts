import Type from 'typebox'
import { INSTANT_ALLOWED } from '../../primitives/instants.ts'
import { EVIDENCE_TIERS } from '../../vocabulary/review.ts'

/** Schema parts shared by the forms. */
export const CLOSED = { additionalProperties: false }
export const Text = Type.String({ minLength: 1, maxLength: 4000, description: 'text of 1 to 4000 characters' })
export const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$',
  description: '1 to 128 of [A-Za-z0-9_.:-], a letter or digit first',
})
export const Amount = Type.String({
  pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$',
  description: 'a decimal string that is not negative, such as 0.25',
})
export const Share = Type.String({
  pattern: '^(0(\\.\\d+)?|1(\\.0+)?)$',
  description: 'a decimal string from 0 to 1, such as 0.25',
})
export const Whole = Type.String({ pattern: '^(0|[1-9]\\d{0,8})$', description: 'a whole number from 0 to 999999999' })
export const At = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$',
  description: INSTANT_ALLOWED,
})
export const Tier = Type.Union(
  EVIDENCE_TIERS.map((tier) => Type.Literal(tier)),
  { description: 'A, B, C or D' },
)

/** A value, or null if it is unknown. */
export const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()], described(schema))

/** A document that supports a form. `content_hash` covers its bytes; `document` is a copy beside the form, for checking. */
export const EvidenceForm = Type.Object(
  {
    kind: Name,
    component: Name,
    tier: Tier,
    source_uri: Type.String({ pattern: '^https://[^\\s]+$', description: 'an https address' }),
    observed_at: At,
    content_hash: Type.String({
      pattern: '^sha256:[0-9a-f]{64}$',
      description: 'sha256: and 64 lower-case hex digits',
    }),
    document: Type.Optional(Text),
    note: Type.Optional(Text),
  },
  CLOSED,
)

function described(schema: Type.TSchema) {
  const { description } = schema as { readonly description?: string }
  return description === undefined ? {} : { description: `${description}, or null` }
}
