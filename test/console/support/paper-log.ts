import { checkpointText } from '../../../pipelines/transparency/checkpoint.ts'
import { encodeBundle } from '../../../pipelines/transparency/entry-bundle.ts'
import { edgeRoot } from '../../../pipelines/transparency/grow-tree.ts'
import { keyText, noteOf } from '../../../pipelines/transparency/signed-note.ts'
import { hashText } from '../../../pipelines/transparency/tree-hash.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { cosignedBy, LOG_KEY, signedBy, type TestKey, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { inclusionOf, memoryTree } from '../../support/log/memory-tiles.ts'

/** Text of the record of an entry. */
export const recordText = (n: number, word = 'level'): string => canonicalJson({ observation_id: `iob_${n}`, word })

/** Bytes of an entry: a seal where `n` is the last of ten, else a record. @param word what tells two histories apart */
function entryOf(n: number, word: string): Uint8Array {
  const head = { statement: 'tidemark.log/v1', published_at: `2026-01-17T12:00:00.${String(n).padStart(6, '0')}Z` }
  const seal = { sealed_through: '2026-01-17T12:00:00Z', counts: { index_observation: 9 } }
  if (n % 10 === 9)
    return Buffer.from(canonicalJson({ ...head, kind: 'seal', record_id: `seal_${(n + 1) / 10}`, record: seal }))
  const named = { form: 'index_observation/1', kind: 'index_observation', record_id: `iob_${n}` }
  return Buffer.from(canonicalJson({ ...head, ...named, row_sha256: sha256Hex(recordText(n, word)) }))
}

/** A log of so many entries, as files by path. */
export function paperLog(size: number, { word = 'level', key = LOG_KEY }: { word?: string; key?: TestKey } = {}) {
  const tree = memoryTree(size, [size], (n) => entryOf(n, word))
  const text = checkpointText({ origin: LOG_KEY.key.name, size, root: edgeRoot(tree.edge) })
  const note = noteOf({ text, signatures: [signedBy(key, text), cosignedBy(WITNESS_KEY, text, 1_768_651_200)] })
  const files = new Map<string, Uint8Array>([
    ['vkey', Buffer.from(`${keyText(key.key)}\n`)],
    ['checkpoint', Buffer.from(note)],
    ...tree.tiles,
  ])
  for (let first = 0; first < size; first += 256) {
    const width = Math.min(256, size - first)
    const path = `tile/entries/${String(first / 256).padStart(3, '0')}${width === 256 ? '' : `.p/${width}`}`
    files.set(path, encodeBundle(Array.from({ length: width }, (_, n) => entryOf(first + n, word))))
  }
  const proofOf = (index: number) => ({
    record_text: recordText(index, word),
    entry: Buffer.from(entryOf(index, word)).toString('base64'),
    index,
    hashes: inclusionOf(tree, index).map(hashText),
    checkpoint: note,
  })
  return { files, proofOf }
}
