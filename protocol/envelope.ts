import Type, { type TOptional, type TSchema } from 'typebox'
import { Receipt } from './resources/proof.ts'
import { Count, closed, Id, Instant, orNull, Sequence, Text } from './scalars.ts'

/** Version of the response schemas; additive changes raise the minor part. */
export const SCHEMA_VERSION = '1.0'

/** Cursor from which the private stream continues after this response. */
const StreamCursor = Type.Object(
  { epoch: Text, seq: Sequence },
  {
    ...closed,
    title: 'StreamCursor',
    description: 'epoch changes only if history is lost; seq is an engine_sequence',
  },
)

export const Meta = Type.Object(
  {
    request_id: Text,
    published_at: Type.String({
      ...Instant,
      description:
        'instant of this response, never before as_of; the same request as of it gives the answer of a current read again',
    }),
    schema_version: Text,
    as_of: Type.Optional(
      Type.String({ ...Instant, description: 'instant that the response describes, if one was requested' }),
    ),
    max_age_ms: Type.Optional(
      Type.Integer({ minimum: 0, description: 'age from which a current value counts as stale' }),
    ),
    correction_chain: Type.Optional(
      Type.Array(Id, { description: "ids of all revisions of the record's chain, first to last" }),
    ),
    stale: Type.Optional(
      Type.Boolean({
        description: 'true: the service is behind its warehouse, or a current value is older than max_age_ms',
      }),
    ),
    stale_since: Type.Optional(orNull(Instant)),
    stream_cursor: Type.Optional(StreamCursor),
    receipt: Type.Optional(Receipt),
  },
  { ...closed, title: 'Meta' },
)

export const Page = Type.Object({ next_cursor: orNull(Text), has_more: Type.Boolean() }, { ...closed, title: 'Page' })

/** One fault of a rejected request: the field, the value seen, and the accepted values. */
export const FieldViolation = Type.Object(
  { field: Text, code: Text, message: Text, value: Type.Optional(orNull(Text)) },
  { ...closed, title: 'FieldViolation' },
)

/** Details of a signature error beside its message; all derive from what the caller sent. */
export const SIGNATURE_FACTS = [
  'digest',
  'domain_separator',
  'expected_signer',
  'recovered_signer',
  'first_differing_field',
  'expected_value',
  'signed_value',
  'signed_domain_separator',
  'contents_hash',
  'contract_result',
] as const
const signature_facts = Object.fromEntries(SIGNATURE_FACTS.map((name) => [name, Type.Optional(Text)])) as Record<
  (typeof SIGNATURE_FACTS)[number],
  TOptional<typeof Text>
>

export const ErrorObject = Type.Object(
  {
    code: Text,
    message: Text,
    retryable: Type.Boolean(),
    request_id: Text,
    field_violations: Type.Optional(Type.Array(FieldViolation)),
    retry_after_ms: Type.Optional(Count),
    server_time_ms: Type.Optional(Count),
    ...signature_facts,
  },
  { ...closed, title: 'Error' },
)

/** Response to every rejected request. */
export const ErrorEnvelope = Type.Object({ error: ErrorObject }, { ...closed, title: 'ErrorEnvelope' })

/** Error response with the projection it is about: a rejected order, or the latest state of one that has changed since. */
export const refusedWith = <T extends TSchema>(data: T) => Type.Object({ error: ErrorObject, data, meta: Meta }, closed)

export const single = <T extends TSchema>(data: T) => Type.Object({ data, meta: Meta }, closed)
export const collection = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), page: Page, meta: Meta }, closed)
