import { checkpointText } from '../../../pipelines/transparency/checkpoint.ts'
import { encodeBundle } from '../../../pipelines/transparency/entry-bundle.ts'
import { edgeRoot } from '../../../pipelines/transparency/grow-tree.ts'
import { entryBytes } from '../../../pipelines/transparency/log-entry.ts'
import { extraOf } from '../../../pipelines/transparency/record-proof.ts'
import { SEAL_FORM, SEAL_KIND, type Seal, sealId } from '../../../pipelines/transparency/seal.ts'
import { keyText, noteOf } from '../../../pipelines/transparency/signed-note.ts'
import { edgeTiles, TILE_WIDTH, tilePath } from '../../../pipelines/transparency/tiles.ts'
import { tlogProofText } from '../../../pipelines/transparency/tlog-proof.ts'
import { hashText } from '../../../pipelines/transparency/tree-hash.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { cosignedBy, LOG_KEY, signedBy, testKey, WITNESS_KEY } from './log-keys.ts'
import { consistencyOf, inclusionOf, type MemoryTree, memoryTree, vectorEntry } from './memory-tiles.ts'

/** One vector: what it is, whether it is valid, and its input by the names of docs/log-format.md. */
export type Vector = {
  readonly name: string
  readonly kind: string
  readonly valid: boolean
  readonly fault?: string
} & Readonly<Record<string, unknown>>

export const VECTOR_SIZES = [0, 1, 255, 256, 257, 70_000] as const

type Input = Readonly<Record<string, unknown>>

/** A valid vector, and one for each fault of it. */
function family(name: string, kind: string, input: Input, faults: Readonly<Record<string, Input>>): Vector[] {
  const bad = Object.entries(faults).map(([fault, changed]) => {
    return { name: `${name}: ${fault}`, kind, valid: false, fault, ...input, ...changed }
  })
  return [{ name, kind, valid: true, ...input }, ...bad]
}

/** Returns every vector, the same each time. */
export function makeVectors(): { readonly keys: Readonly<Record<string, string>>; readonly cases: readonly Vector[] } {
  const trees = new Map(VECTOR_SIZES.map((size) => [size as number, memoryTree(size)]))
  const cases = [
    ...VECTOR_SIZES.map(
      (size): Vector => ({
        name: `root of ${size}`,
        kind: 'root',
        valid: true,
        size,
        root: rootText(trees.get(size)!),
      }),
    ),
    ...[...trees.values()].flatMap(inclusionVectors),
    ...consistencyVectors(trees),
    ...[...trees.values()].flatMap(tileVectors),
    ...bundleVectors(),
    ...[...trees.values()].flatMap(checkpointVectors),
    ...proofVectors(),
    ...sealVectors(),
  ]
  return { keys: { log: keyText(LOG_KEY.key), witness: keyText(WITNESS_KEY.key) }, cases }
}

const rootText = ({ edge }: MemoryTree): string => hashText(edgeRoot(edge))
const textOf = (n: number): string => Buffer.from(vectorEntry(n)).toString()

/** Returns a base64 text with one bit of its bytes changed. */
export function flipped(base64: string, bit = 0): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes[Math.floor(bit / 8)]! ^= 1 << (bit % 8)
  return bytes.toString('base64')
}

function inclusionVectors(tree: MemoryTree): Vector[] {
  const { size } = tree.edge
  const indexes = [0, 1, 127, 128, 255, 256, 65_535, 65_536, size - 1].filter((n) => n >= 0 && n < size)
  return [...new Set(indexes)].flatMap((index) => {
    const hashes = inclusionOf(tree, index).map(hashText)
    const root = rootText(tree)
    const input = { entry: textOf(index), index, size, root, hashes }
    const name = `inclusion of ${index} in ${size}`
    const faults: Record<string, Input> = {
      'another entry': { entry: `${textOf(index)}.` },
      'a bit flipped in the root': { root: flipped(root, 255) },
      'an index that is not in the tree': { index: size },
      'a hash too many': { hashes: [...hashes, root] },
    }
    if (hashes.length > 0) {
      faults['a bit flipped in a hash'] = { hashes: [flipped(hashes[0]!, 100), ...hashes.slice(1)] }
      faults['a hash too few'] = { hashes: hashes.slice(0, -1) }
      faults['the index of its neighbour'] = { index: index === 0 ? 1 : index - 1 }
    }
    return family(name, 'inclusion', input, faults)
  })
}

function consistencyVectors(trees: ReadonlyMap<number, MemoryTree>): Vector[] {
  return VECTOR_SIZES.flatMap((size) =>
    VECTOR_SIZES.filter((old_size) => old_size <= size).flatMap((old_size) => {
      const hashes = consistencyOf(trees.get(size)!, old_size).map(hashText)
      const [old_root, root] = [rootText(trees.get(old_size)!), rootText(trees.get(size)!)]
      const input = { old_size, old_root, size, root, hashes }
      const faults: Record<string, Input> = { 'a hash too many': { hashes: [...hashes, root] } }
      if (old_size > 0) faults['another old root, as a forked log has'] = { old_root: flipped(old_root, 9) }
      if (old_size > 0) faults['another root'] = { root: flipped(root, 9) }
      if (old_size < size) {
        faults['the log was rolled back'] = { old_size: size, old_root: root, size: old_size, root: old_root }
      }
      if (hashes.length > 0) {
        faults['a bit flipped in a hash'] = { hashes: [...hashes.slice(0, -1), flipped(hashes.at(-1)!, 3)] }
        faults['a hash too few'] = { hashes: hashes.slice(0, -1) }
      }
      return family(`consistency of ${old_size} with ${size}`, 'consistency', input, faults)
    }),
  )
}

function tileVectors(tree: MemoryTree): Vector[] {
  const { size } = tree.edge
  const partial = edgeTiles(size).filter(({ level, width }) => level !== 'entries' && width < TILE_WIDTH)
  const tiles = Object.fromEntries(
    partial.map(tilePath).map((path) => [path, Buffer.from(tree.tiles.get(path)!).toString('base64')]),
  )
  const faults: Record<string, Input> = { 'another root': { root: flipped(rootText(tree), 1) } }
  for (const [path, bytes] of Object.entries(tiles)) {
    faults[`a bit flipped in ${path}`] = { tiles: { ...tiles, [path]: flipped(bytes, 17) } }
    const { [path]: _, ...others } = tiles
    faults[`${path} is missing`] = { tiles: others }
  }
  return family(`tiles of ${size}`, 'tiles', { size, root: rootText(tree), tiles }, faults)
}

function bundleVectors(): Vector[] {
  const [first, count] = [256, 3]
  const entries = Array.from({ length: count }, (_, n) => vectorEntry(first + n))
  const bytes = Buffer.from(encodeBundle(entries))
  const faults = {
    'a bit flipped in an entry': { bytes: flipped(bytes.toString('base64'), 8 * 5) },
    'a bit flipped in a length': { bytes: flipped(bytes.toString('base64'), 8) },
    'the last entry is cut off': { bytes: bytes.subarray(0, -1).toString('base64') },
    'a length is cut off': { bytes: Buffer.concat([bytes, Buffer.of(0)]).toString('base64') },
    'an entry is missing': { bytes: Buffer.from(encodeBundle(entries.slice(1))).toString('base64') },
    'two entries are exchanged': { bytes: Buffer.from(encodeBundle([...entries].reverse())).toString('base64') },
  }
  return family('bundle of three entries', 'bundle', { bytes: bytes.toString('base64'), first, count }, faults)
}

function checkpointVectors(tree: MemoryTree): Vector[] {
  const { size } = tree.edge
  const { name: origin } = LOG_KEY.key
  const text = checkpointText({ origin, size, root: edgeRoot(tree.edge) })
  const root = rootText(tree)
  const line = signedBy(LOG_KEY, text)
  const note = noteOf({ text, signatures: [line] })
  const other = testKey(origin.replace('vectors', 'others'))
  const signed = (changed: string) => noteOf({ text: changed, signatures: [signedBy(LOG_KEY, changed)] })
  const time_s = 1_767_225_600
  const cosignature = cosignedBy(WITNESS_KEY, text, time_s)
  const cosigned = noteOf({ text, signatures: [line, cosignature] })
  const moved = {
    ...cosignature,
    signature: Buffer.from(flipped(Buffer.from(cosignature.signature).toString('base64'), 56), 'base64'),
  }
  const forged = {
    ...line,
    signature: Buffer.from(flipped(Buffer.from(line.signature).toString('base64'), 40), 'base64'),
  }
  return [
    ...family(
      `checkpoint of ${size}`,
      'checkpoint',
      { note, size, root },
      {
        'a bit flipped in the signature': { note: noteOf({ text, signatures: [forged] }) },
        'a valid signature beside one that is not': { note: noteOf({ text, signatures: [line, forged] }) },
        'another size': { note: noteOf({ text: text.replace(`\n${size}\n`, `\n${size + 1}\n`), signatures: [line] }) },
        'another root': { note: noteOf({ text: text.replace(root, flipped(root, 4)), signatures: [line] }) },
        'a leading zero': { note: signed(text.replace(`\n${size}\n`, `\n0${size}\n`)) },
        'another origin, signed': { note: signed(text.replace(origin, other.key.name)) },
        'the key of another log': { note: noteOf({ text, signatures: [signedBy(other, text)] }) },
        'no signature': { note: `${text}\n` },
      },
    ),
    ...family(
      `cosignature of ${size}`,
      'cosignature',
      { note: cosigned, time_s },
      {
        'another time': { note: noteOf({ text, signatures: [line, moved] }) },
        'no cosignature': { note },
        'another witness': {
          note: noteOf({ text, signatures: [line, cosignedBy(testKey('witness.example/w2', 4), text, time_s)] }),
        },
      },
    ),
  ]
}

const NAMED = { form: 'index_observation/1', kind: 'index_observation', record_id: 'iob_example' }

/** Proof of a record text that the log has as entry 200. */
function proofOf(record_text: string) {
  const entry = entryBytes({ ...NAMED, published_at: '2026-01-17T00:00:03Z', record_text })
  const tree = memoryTree(300, [300], (n) => (n === 200 ? entry : vectorEntry(n)))
  const extra = extraOf({ entry: Buffer.from(entry).toString('base64'), record_text })
  return { entry, proof: { extra, index: 200, hashes: inclusionOf(tree, 200), checkpoint: checkpointOf(tree) } }
}

function proofVectors(): Vector[] {
  const record_text = canonicalJson({ observation_id: 'iob_example', level: '38.9250' })
  const { entry, proof } = proofOf(record_text)
  const { hashes } = proof
  const other = extraOf({ entry: Buffer.from(entry).toString('base64'), record_text: record_text.replace('38', '83') })
  const altered = entryBytes({ ...NAMED, published_at: '2026-01-16T00:00:03Z', record_text })
  const moved = extraOf({ entry: Buffer.from(altered).toString('base64'), record_text })
  // Parsers differ in which value of a doubled key they keep: of these two, each parser would accept one.
  const doubled_first = Buffer.from(Buffer.from(proof.extra).toString().replace('{', '{"record_text":"{}",'))
  const doubled_last = Buffer.from(Buffer.from(proof.extra).toString().replace(/\}$/, ',"record_text":"{}"}'))
  const in_text = proofOf(record_text.replace('{', '{"level":"83.9250",'))
  return family(
    'offline proof',
    'proof',
    { text: tlogProofText(proof) },
    {
      'another record text': { text: tlogProofText({ ...proof, extra: other }) },
      'an earlier published_at': { text: tlogProofText({ ...proof, extra: moved }) },
      'another index': { text: tlogProofText({ ...proof, index: 201 }) },
      'a hash too few': { text: tlogProofText({ ...proof, hashes: hashes.slice(1) }) },
      'a bit flipped in the checkpoint': { text: tlogProofText(proof).replace('\n300\n', '\n301\n') },
      'a key twice in the extra data, the true value last': { text: tlogProofText({ ...proof, extra: doubled_first }) },
      'a key twice in the extra data, the true value first': { text: tlogProofText({ ...proof, extra: doubled_last }) },
      'a key twice in the record text': { text: tlogProofText(in_text.proof) },
      'another header': { text: tlogProofText(proof).replace('@v1', '@v2') },
    },
  )
}

function checkpointOf(tree: MemoryTree): string {
  const text = checkpointText({ origin: LOG_KEY.key.name, size: tree.edge.size, root: edgeRoot(tree.edge) })
  return noteOf({ text, signatures: [signedBy(LOG_KEY, text)] })
}

/** Entry of a small log of seals: a level, or a seal. */
function levelEntry(n: number, published_at: string): string {
  const record_text = canonicalJson({ observation_id: `iob_${n}` })
  const named = { form: 'index_observation/1', kind: 'index_observation', record_id: `iob_${n}` }
  return Buffer.from(entryBytes({ ...named, published_at, record_text })).toString()
}

function sealEntry(ordinal: number, seal: Seal): string {
  const named = { form: SEAL_FORM, kind: SEAL_KIND, record_id: sealId(ordinal), published_at: seal.sealed_through }
  return Buffer.from(entryBytes({ ...named, record_text: canonicalJson(seal), in_full: true })).toString()
}

function sealVectors(): Vector[] {
  const at = (second: number | string) => `2026-01-17T00:00:0${second}Z`
  const kinds = ['index_observation']
  const table = (version: number, rows: number, sealed_through: string) => ({
    index_observation: { version, commit_sha256: sha256Hex(`${version}`), rows, kinds, sealed_through },
  })
  const sealed = (second: number, version: number, rows: number, previous_seal: number | null): Seal => ({
    ...{ sealed_through: at(second), previous_seal, tables: table(version, rows, at(second)) },
    counts: { index_observation: rows },
  })
  const [first, second] = [sealed(3, 4, 2, null), sealed(6, 5, 1, 2)]
  const levels = [levelEntry(1, at(1)), levelEntry(2, at(3)), levelEntry(3, at('3.000001'))] as const
  const entries = [levels[0], levels[1], sealEntry(1, first), levels[2], sealEntry(2, second)]
  const with_ = (n: number, entry: string) => entries.map((known, place) => (place === n ? entry : known))
  const last = (changed: Partial<Seal>) => ({ entries: with_(4, sealEntry(2, { ...second, ...changed })) })
  return family(
    'seals of two batches',
    'seals',
    { entries },
    {
      'a seal left a row out': { entries: with_(3, levelEntry(3, at(2))) },
      'a seal left a row out that was published at its instant': { entries: with_(3, levelEntry(3, at(3))) },
      'an entry was removed': { entries: [...entries.slice(0, 3), entries[4]!] },
      'a count is too low': last({ counts: {} }),
      'a seal was removed': { entries: [...entries.slice(0, 2), entries[3]!, entries[4]!] },
      'another previous seal': last({ previous_seal: 1 }),
      'a seal goes back in time': last({ sealed_through: at(2), tables: table(5, 1, at(2)) }),
      'a table goes back': last({ tables: table(3, 1, at(6)) }),
      'a table is left out': last({ tables: { other: { ...table(5, 1, at(6)).index_observation } } }),
      'a kind of no table': last({
        tables: { index_observation: { ...second.tables.index_observation!, kinds: ['act'] } },
      }),
      'not the earliest instant': last({ sealed_through: at(7) }),
      'a seal has another hash': { entries: with_(4, entries[4]!.replaceAll(at(6), at(7))) },
    },
  )
}
