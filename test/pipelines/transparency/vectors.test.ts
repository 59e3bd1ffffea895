import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCheckpoint } from '../../../pipelines/transparency/checkpoint.ts'
import { cosignedAt } from '../../../pipelines/transparency/cosignature.ts'
import { decodeBundle } from '../../../pipelines/transparency/entry-bundle.ts'
import { edgeRoot } from '../../../pipelines/transparency/grow-tree.ts'
import { parseEntry } from '../../../pipelines/transparency/log-entry.ts'
import { parseRecordProof, verifyRecordProof } from '../../../pipelines/transparency/record-proof.ts'
import { createSealCheck } from '../../../pipelines/transparency/seal.ts'
import { parseKey } from '../../../pipelines/transparency/signed-note.ts'
import { tilePath, widthIn } from '../../../pipelines/transparency/tiles.ts'
import { hashText, leafHash, parseHash } from '../../../pipelines/transparency/tree-hash.ts'
import { isConsistent, rootOfInclusion } from '../../../pipelines/transparency/verify-tree.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { makeVectors, type Vector } from '../../support/log/make-vectors.ts'
import { memoryTree, vectorEntry } from '../../support/log/memory-tiles.ts'
import { ROOT } from '../../support/source-files.ts'

const FILE = join(ROOT, 'datasets/log/vectors.json')
const text = `${JSON.stringify(makeVectors(), null, 1)}\n`
if (process.env.UPDATE_VECTORS === '1') writeFileSync(FILE, text)
const { keys, cases } = JSON.parse(readFileSync(FILE, 'utf8')) as ReturnType<typeof makeVectors>
const log = parseKey(keys.log!)
const witness = parseKey(keys.witness!)

const hash = (value: unknown) => parseHash(String(value))!
const hashes = (value: unknown) => (value as readonly string[]).map(hash)

/** Check of each kind by our own code. */
const CHECKS: Readonly<Record<string, (input: Vector) => boolean>> = {
  root: ({ size, root }) => hashText(edgeRoot(memoryTree(Number(size)).edge)) === root,
  inclusion: (input) => {
    const place = { index: Number(input.index), size: Number(input.size) }
    const root = rootOfInclusion(leafHash(Buffer.from(String(input.entry))), place, hashes(input.hashes))
    return root !== null && hashText(root) === input.root
  },
  consistency: (input) => {
    const old = { size: Number(input.old_size), root: hash(input.old_root) }
    return isConsistent(old, { size: Number(input.size), root: hash(input.root) }, hashes(input.hashes))
  },
  tiles: (input) => hashText(edgeRoot(edgeOf(input))) === input.root,
  bundle: (input) => {
    const expected = Array.from({ length: Number(input.count) }, (_, n) => vectorEntry(Number(input.first) + n))
    const found = decodeBundle(Buffer.from(String(input.bytes), 'base64'))
    return found !== null && JSON.stringify(found) === JSON.stringify(expected)
  },
  checkpoint: (input) => {
    const { size, root } = openCheckpoint(String(input.note), log)
    return size === input.size && hashText(root) === input.root
  },
  cosignature: (input) => cosignedAt(openCheckpoint(String(input.note), log).note, witness) === input.time_s,
  proof: (input) => verifyRecordProof(parseRecordProof(String(input.text)), log).index === 200,
  seals: (input) => {
    const check = createSealCheck()
    for (const entry of input.entries as readonly string[]) check.take(parseEntry(Buffer.from(entry)))
    return check.last() !== null
  },
}

/** Edge of a tree as the tiles of a vector give it; a missing one has no hashes. */
function edgeOf({ size, tiles }: Vector) {
  const levels = Array.from({ length: 4 }, (_, level) => {
    const index = Math.floor(Number(size) / 256 ** (level + 1))
    const width = widthIn(Number(size), { level, index })
    const bytes = (tiles as Readonly<Record<string, string>>)[tilePath({ level, index, width })]
    return Buffer.from(bytes ?? '', 'base64')
  })
  return { size: Number(size), partial: levels }
}

function accepts(vector: Vector): boolean {
  try {
    return CHECKS[vector.kind]!(vector)
  } catch (error) {
    if (isServiceError(error, 'PROOF_INVALID')) return false
    throw error
  }
}

describe('vectors of the log', () => {
  test('the file has what our code makes', () => {
    expect(readFileSync(FILE, 'utf8')).toBe(text)
  })

  test('each kind has valid and invalid ones', () => {
    const of = (kind: string, valid: boolean) => cases.filter((one) => one.kind === kind && one.valid === valid).length
    for (const kind of Object.keys(CHECKS)) {
      expect(of(kind, true), kind).toBeGreaterThan(0)
      if (kind !== 'root') expect(of(kind, false), kind).toBeGreaterThan(2)
    }
  })

  test('our code accepts the valid ones and rejects the others', () => {
    const wrong = cases.filter((vector) => accepts(vector) !== vector.valid)
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})
