import Type from 'typebox'
import { closed, Instant, orNull, Text } from '../scalars.ts'

const Hashes = Type.Array(Text, {
  description: "base64 hashes from the leaf's sibling to a child of the root (RFC 6962, 2.1.1)",
})
const Index = Type.Integer({ minimum: 0, description: 'index of the entry in the log' })
const Entry = Type.String({ description: "base64 of the entry's bytes" })
const RecordText = Type.String({
  description: 'RFC 8785 form of the resource as its detail endpoint served it when it was published',
})
const Checkpoint = Type.String({ description: 'signed checkpoint of the log (c2sp.org/tlog-checkpoint)' })
const ENTRY = { entry: Entry, index: Index, hashes: Hashes }

/** Proof that a record is in the log. */
export const Proof = Type.Object(
  { record_text: RecordText, ...ENTRY, checkpoint: Checkpoint },
  { ...closed, title: 'Proof', description: 'checkpoint is the smallest that covers the record' },
)

const RecordProof = Type.Object({ record_text: RecordText, ...ENTRY }, { ...closed, title: 'RecordProof' })

/** Receipt of an answer as of an instant: of one record, or of the records of a list. */
export const Receipt = Type.Object(
  {
    kind: Type.Optional(Type.String({ description: 'kind of the record in the log' })),
    kinds: Type.Optional(
      Type.Array(Text, { description: 'kinds of the records of a list; empty: the log has none of them' }),
    ),
    sealed_through: Type.String({
      ...Instant,
      description: 'every record of these kinds published at or before this instant is in the log before the seal',
    }),
    seal: Type.Object(ENTRY, { ...closed, title: 'SealProof' }),
    record: orNull(RecordProof),
    records: Type.Optional(Type.Array(RecordProof, { description: 'one for each record of the list, in its order' })),
    checkpoint: Checkpoint,
  },
  { ...closed, title: 'Receipt' },
)
