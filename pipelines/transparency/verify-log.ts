import { openCheckpoint, type VerifiedCheckpoint } from './checkpoint.ts'
import { EMPTY_RANGE, extendRange, rangeRoot } from './compact-range.ts'
import { decodeBundle } from './entry-bundle.ts'
import { EMPTY_EDGE, growTree } from './grow-tree.ts'
import { type LogEntry, parseEntry } from './log-entry.ts'
import { proofInvalid } from './proof-invalid.ts'
import { createSealCheck, SEAL_KIND, type Seal, type SealCheck } from './seal.ts'
import type { NoteKey } from './signed-note.ts'
import { TILE_WIDTH, type TileAddress, tilePath, widthIn } from './tiles.ts'
import { leafHash, sameHash } from './tree-hash.ts'
import type { TreeHead } from './verify-tree.ts'

/** Files of a log, from a disk or over HTTP; null: there is no such file. */
export type LogSource = {
  checkpoint(): Promise<string | null>
  tile(address: TileAddress): Promise<Uint8Array | null>
}

export type VerifyLogOptions = {
  readonly source: LogSource
  readonly key: NoteKey
  /** Heads that were seen before, such as that of a witness: the log must continue each. */
  readonly seen?: readonly TreeHead[]
  /** Check of its seals; absent: one that throws at the first fault. */
  readonly seals?: SealCheck
  /** Called for each entry that is not a seal. */
  readonly onEntry?: (entry: LogEntry, index: number) => void
}

/** Facts that a whole log has shown. */
export type VerifiedLog = {
  readonly checkpoint: VerifiedCheckpoint
  readonly seals: number
  readonly last_seal: Seal | null
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Verifies a whole log: the signature of its checkpoint, every entry, every tile, its root, its seals, and that it continues each head
 * seen before.
 * @throws {ServiceError} PROOF_INVALID names what does not verify
 */
export async function verifyLog(options: VerifyLogOptions): Promise<VerifiedLog> {
  const { source, key, seen = [], seals = createSealCheck(), onEntry } = options
  const checkpoint = openCheckpoint((await source.checkpoint()) ?? '', key)
  const behind = seen.find(({ size }) => size > checkpoint.size)
  if (behind !== undefined) {
    throw proofInvalid(
      'size of the checkpoint',
      String(checkpoint.size),
      `at least ${behind.size}, which was seen before`,
    )
  }
  const counts: Record<string, number> = {}
  let range = EMPTY_RANGE
  let edge = EMPTY_EDGE
  for (let index = 0; index * TILE_WIDTH < checkpoint.size; index += 1) {
    const entries = await bundleOf(source, checkpoint.size, index)
    const leaves = entries.map(leafHash)
    for (const head of seen) refuseFork(head, extendRange(range, leaves.slice(0, Math.max(0, head.size - range.size))))
    range = extendRange(range, leaves)
    const grown = growTree(edge, leaves)
    edge = grown.edge
    const written = grown.tiles.filter(({ address }) => address.width === widthIn(checkpoint.size, address))
    for (const { address, bytes } of written) await compareTile(source, address, bytes)
    entries.forEach((bytes, n) => {
      const entry = parseEntry(bytes)
      seals.take(entry)
      counts[entry.kind] = (counts[entry.kind] ?? 0) + 1
      if (entry.kind !== SEAL_KIND) onEntry?.(entry, index * TILE_WIDTH + n)
    })
  }
  if (!sameHash(rangeRoot(range), checkpoint.root)) {
    throw proofInvalid('root of the checkpoint', String(checkpoint.size), 'the root of the entries')
  }
  return { checkpoint, seals: counts[SEAL_KIND] ?? 0, last_seal: seals.last(), counts }
}

async function bundleOf(source: LogSource, size: number, index: number): Promise<readonly Uint8Array[]> {
  const address = { level: 'entries', index, width: widthIn(size, { level: 'entries', index }) } as const
  const bytes = await source.tile(address)
  const entries = bytes === null ? null : decodeBundle(bytes)
  if (entries?.length === address.width) return entries
  throw proofInvalid(tilePath(address), bytes === null ? 'absent' : `${bytes.length} bytes`, `${address.width} entries`)
}

async function compareTile(source: LogSource, address: TileAddress, expected: Uint8Array): Promise<void> {
  const bytes = await source.tile(address)
  if (bytes !== null && Buffer.compare(bytes, expected) === 0) return
  throw proofInvalid(tilePath(address), bytes === null ? 'absent' : 'other hashes', 'the hashes of the entries')
}

/** Compares a head with the tree at its size; a range that is longer or shorter is not it. */
function refuseFork(head: TreeHead, range: { readonly size: number; readonly roots: readonly Uint8Array[] }): void {
  if (range.size !== head.size || sameHash(rangeRoot(range), head.root)) return
  throw proofInvalid(
    `root of ${head.size} entries`,
    'another one',
    'the root that was seen before: the log has two heads',
  )
}
