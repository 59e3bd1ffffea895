import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fromBase64, utf8 } from '../../console/log/bytes.ts'
import { isConsistent, leafHash, rootOfInclusion } from '../../console/log/merkle-tree.ts'
import { ProofFault } from '../../console/log/proof-fault.ts'
import { checkSignature, parseCheckpoint, parseKey, rootText, witnessesOf } from '../../console/log/signed-note.ts'
import { entriesOf, rootOf } from '../../console/log/tiles.ts'
import { ROOT } from '../support/source-files.ts'

/** The checks of the page against the published vectors: a second implementation next to that of the server. */
type Vector = Readonly<Record<string, unknown>> & { readonly kind: string; readonly valid: boolean }
const { keys, cases } = JSON.parse(readFileSync(join(ROOT, 'datasets/log/vectors.json'), 'utf8')) as {
  readonly keys: { readonly log: string; readonly witness: string }
  readonly cases: readonly Vector[]
}
const bytes = (text: unknown) => fromBase64(String(text)) ?? new Uint8Array(0)
const hashes = (texts: unknown) => (texts as readonly string[]).map(bytes)

const CHECKS: Readonly<Record<string, (input: Vector) => Promise<boolean>>> = {
  inclusion: async ({ entry, index, size, root, hashes: proof }) => {
    const place = { index: Number(index), size: Number(size) }
    const leads_to = await rootOfInclusion(await leafHash(utf8(String(entry))), place, hashes(proof))
    return leads_to !== null && rootText(leads_to) === root
  },
  consistency: ({ old_size, old_root, size, root, hashes: proof }) => {
    const [old, now] = [
      { size: Number(old_size), root: bytes(old_root) },
      { size: Number(size), root: bytes(root) },
    ]
    return isConsistent(old, now, hashes(proof))
  },
  tiles: async ({ size, tiles, root }) => {
    const held = new Map(Object.entries(tiles as Record<string, string>).map(([path, text]) => [path, bytes(text)]))
    return rootText(await rootOf(Number(size), held)) === root
  },
  checkpoint: async ({ note, size, root }) => {
    const read = parseCheckpoint(String(note))
    await checkSignature(read, await parseKey(keys.log))
    return read.size === size && rootText(read.root) === root
  },
  bundle: async ({ bytes: text, first, count }) => {
    const found = entriesOf(bytes(text)).map((entry) => new TextDecoder().decode(entry))
    const expected = Array.from({ length: Number(count) }, (_, n) => `tidemark log vector ${Number(first) + n}`)
    return JSON.stringify(found) === JSON.stringify(expected)
  },
}

test.each(Object.keys(CHECKS))('the page accepts each valid vector of %s and refuses each other', async (kind) => {
  const wrong: unknown[] = []
  for (const vector of cases.filter((one) => one.kind === kind)) {
    const accepted = await CHECKS[kind]!(vector).catch((error: unknown) => {
      if (error instanceof ProofFault) return false
      throw error
    })
    if (accepted !== vector.valid) wrong.push(vector)
  }
  expect(wrong).toEqual([])
  expect(cases.some((one) => one.kind === kind && !one.valid)).toBe(true)
})

describe('keys and witnesses', () => {
  test('a key with another id, of another type or of another length is refused', async () => {
    const [name, id, base64] = keys.log.split('+') as [string, string, string]
    expect((await parseKey(`${keys.log}\n`)).name).toBe(name)
    for (const text of [`${name}+00000000+${base64}`, keys.witness, `${name}+${id}+${base64.slice(4)}`, ''])
      await expect(parseKey(text)).rejects.toThrow(ProofFault)
  })

  test('a witness is named with its time, the log itself is not', () => {
    const { note, time_s } = cases.find(({ kind, valid }) => kind === 'cosignature' && valid)!
    expect(witnessesOf(parseCheckpoint(String(note)))).toEqual([
      { name: keys.witness.split('+')[0], cosigned_ms: Number(time_s) * 1000 },
    ])
  })
})
