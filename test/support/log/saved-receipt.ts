import { checkpointText } from '../../../pipelines/transparency/checkpoint.ts'
import { entryBytes } from '../../../pipelines/transparency/log-entry.ts'
import { SEAL_FORM, SEAL_KIND, sealId } from '../../../pipelines/transparency/seal.ts'
import { noteOf } from '../../../pipelines/transparency/signed-note.ts'
import { hashText, leafHash, nodeHash } from '../../../pipelines/transparency/tree-hash.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { LOG_KEY, signedBy } from './log-keys.ts'

const PUBLISHED = '2026-03-01T00:00:00Z'
const SEALED = '2026-03-02T00:00:00Z'

/** Answer of one record as of an instant with its receipt, from a log of two entries: the record and its seal. */
export function savedReceipt(kind: string, data: Readonly<Record<string, unknown>>) {
  const record_text = canonicalJson(data)
  const named = { form: `${kind}/1`, kind, record_id: 'one', published_at: PUBLISHED }
  const table = { version: 1, commit_sha256: null, rows: 1, kinds: [kind], sealed_through: SEALED }
  const seal = { sealed_through: SEALED, previous_seal: null, tables: { one: table }, counts: { [kind]: 1 } }
  const sealed = { form: SEAL_FORM, kind: SEAL_KIND, record_id: sealId(1), published_at: SEALED }
  const entries = [
    entryBytes({ ...named, record_text }),
    entryBytes({ ...sealed, record_text: canonicalJson(seal), in_full: true }),
  ] as const
  const [left, right] = [leafHash(entries[0]), leafHash(entries[1])]
  const text = checkpointText({ origin: LOG_KEY.key.name, size: 2, root: nodeHash(left, right) })
  const placed = (index: 0 | 1) => ({
    entry: Buffer.from(entries[index]).toString('base64'),
    index,
    hashes: [hashText(index === 0 ? right : left)],
  })
  return {
    data,
    meta: {
      request_id: 'req_1',
      published_at: '2026-03-03T00:00:00Z',
      schema_version: '1.0',
      as_of: '2026-03-01T12:00:00Z',
      receipt: {
        kind,
        sealed_through: SEALED,
        seal: placed(1),
        record: { record_text, ...placed(0) },
        checkpoint: noteOf({ text, signatures: [signedBy(LOG_KEY, text)] }),
      },
    },
  }
}
