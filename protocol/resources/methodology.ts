import Type, { type Static } from 'typebox'
import { closed, Id, Instant, orNull, Text } from '../scalars.ts'

/** One version of an index methodology. document_uri serves the parameters and text that content_hash covers. */
export const Methodology = Type.Object(
  {
    methodology_id: Id,
    version: Text,
    status: Text,
    name: Text,
    document_uri: Type.String({
      description: 'path of this service that serves the document whose hash is content_hash',
    }),
    content_hash: Type.String({ pattern: '^[a-z0-9-]+:[0-9a-f]+$', description: '<algorithm>:<digest>' }),
    published_at: Instant,
    supersedes_version: orNull(Text),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'every parameter of the calculation; content_hash covers them and text_sha256 (RFC 8785)',
    }),
    text_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    text_uri: Type.String({
      description: 'path of this service that serves the normative text (Markdown), whose hash is text_sha256',
    }),
  },
  { ...closed, title: 'Methodology' },
)
export type Methodology = Static<typeof Methodology>
