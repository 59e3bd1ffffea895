import Type, { type Static } from 'typebox'
import { Count, closed, Id, Instant, orNull, Text } from '../scalars.ts'

/** An answer or a message of a venue, as it was received. */
const VenuePayload = Type.Object(
  {
    content_hash: Type.String({ description: 'SHA-256 of the body in UTF-8, as lower-case hex' }),
    endpoint: Text,
    request: orNull(Text, 'parameters of our request; null: the venue sent it by itself'),
    byte_count: Count,
    received_at: Instant,
    published_at: Instant,
    body: Type.Optional(Type.String({ description: 'with content_hash: the text, word for word' })),
  },
  { ...closed, title: 'VenuePayload' },
)

/** Payloads that a record of a venue was read from: those of the venue that were received at the instant of the record. */
export const ObservationPayloads = Type.Object(
  {
    observation_id: Id,
    market_id: Id,
    venue_id: Text,
    received_at: Instant,
    payloads: Type.Array(VenuePayload, {
      description: 'sorted by endpoint, request and content_hash; empty: none is stored, such as of our own markets',
    }),
    payloads_omitted: Type.Integer({ minimum: 0, description: 'further payloads of the instant' }),
  },
  { ...closed, title: 'ObservationPayloads' },
)
export type ObservationPayloads = Static<typeof ObservationPayloads>
