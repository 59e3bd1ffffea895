import { checkpointText } from '../../pipelines/transparency/checkpoint.ts'
import { EMPTY_RANGE, extendRange, rangeRoot } from '../../pipelines/transparency/compact-range.ts'
import { decodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { edgeRoot, type TreeEdge } from '../../pipelines/transparency/grow-tree.ts'
import { type NoteKey, type NoteSignature, noteOf } from '../../pipelines/transparency/signed-note.ts'
import { rangeHash, tilesOfRoot } from '../../pipelines/transparency/tile-hashes.ts'
import { edgeTiles, hashAt, TILE_WIDTH, tilePath, widthIn } from '../../pipelines/transparency/tiles.ts'
import { hashText, leafHash, parseHash, sameHash } from '../../pipelines/transparency/tree-hash.ts'
import { logCorrupt } from './log-corrupt.ts'
import { type LogDisk, readTile } from './log-disk.ts'
import { CHECKPOINT, STATE } from './log-layout.ts'
import { type LogState, readLogState, stateBytes } from './log-state.ts'
import type { BatchPlan } from './plan-batch.ts'

/** Signer of a log: its key, and the signature of a text. */
export type LogSigner = { readonly key: NoteKey; readonly sign: (text: string) => NoteSignature }

/** Returns the head of a log without entries. */
export function firstState(origin: string): LogState {
  const { roots } = EMPTY_RANGE
  const root = hashText(rangeRoot(EMPTY_RANGE))
  return {
    format: 1,
    origin,
    size: 0,
    root,
    subtrees: roots.map(hashText),
    seals: 0,
    last_seal: null,
    tables: {},
    checkpoint: '',
  }
}

type Checked = {
  readonly state: LogState
  readonly plan: BatchPlan
  readonly edge: TreeEdge
  readonly signer: LogSigner
}

/**
 * Reads the new entries and the tiles back, computes the root in two ways that share only the node hash, and signs if both agree with
 * what was meant. A flipped bit in memory or on disk stops the log here, before anybody has seen its root.
 * @throws {ServiceError} LOG_CORRUPT
 */
export async function checkedState(disk: LogDisk, { state, plan, edge, signer }: Checked): Promise<LogState> {
  const { size } = edge
  const known = { size: state.size, roots: state.subtrees.map((text) => parseHash(text)!) }
  if (hashText(rangeRoot(known)) !== state.root) throw logCorrupt(STATE, 'its subtrees do not have its root')
  const range = extendRange(known, await readLeaves(disk, state.size, size))
  const root = rangeRoot(range)
  if (!sameHash(root, await rootOnDisk(disk, size)))
    throw logCorrupt('tiles', 'they have another root than the entries')
  if (!sameHash(root, edgeRoot(edge))) throw logCorrupt('entries', 'they have another root than was written')
  const text = checkpointText({ origin: state.origin, size, root })
  return {
    ...state,
    size,
    root: hashText(root),
    subtrees: range.roots.map(hashText),
    seals: state.seals + 1,
    last_seal: size - 1,
    tables: { ...state.tables, ...Object.fromEntries(plan.tables.map(({ table, cursor }) => [table, cursor])) },
    checkpoint: noteOf({ text, signatures: [signer.sign(text)] }),
  }
}

/** Returns the leaf hashes of entries as they are on disk. */
async function readLeaves(disk: LogDisk, from: number, to: number): Promise<readonly Uint8Array[]> {
  const leaves: Uint8Array[] = []
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index += 1) {
    const width = widthIn(to, { level: 'entries', index })
    const entries = decodeBundle(await readTile(disk, { level: 'entries', index, width }))!
    leaves.push(...entries.slice(Math.max(0, from - index * TILE_WIDTH)).map(leafHash))
  }
  return leaves
}

async function rootOnDisk(disk: LogDisk, size: number): Promise<Uint8Array> {
  const tiles = new Map<string, Uint8Array>()
  for (const address of tilesOfRoot(size)) tiles.set(tilePath(address), await readTile(disk, address))
  return rangeHash({ start: 0, end: size }, size, tiles)
}

/** Reads the right edge of a tree and checks that it has the root of the head, and the newest entries. @throws {ServiceError} LOG_CORRUPT */
export async function readEdge(disk: LogDisk, { size, root }: LogState): Promise<TreeEdge> {
  const levels = edgeTiles(size).filter(({ level }) => level !== 'entries')
  const partial: Uint8Array[] = []
  for (const address of levels) {
    partial.push(address.width === TILE_WIDTH ? new Uint8Array(0) : await readTile(disk, address))
  }
  const edge = { size, partial }
  if (hashText(edgeRoot(edge)) !== root) throw logCorrupt('tiles', 'they do not have the root of the head')
  await checkNewestEntries(disk, size)
  return edge
}

/** Checks the entries that the next batch continues: damage is reported at the start, not when something is published. */
async function checkNewestEntries(disk: LogDisk, size: number): Promise<void> {
  const [bundle, tile] = edgeTiles(size)
  if (bundle === undefined || tile === undefined) return
  const entries = decodeBundle(await readTile(disk, bundle))!
  const hashes = await readTile(disk, tile)
  if (entries.every((entry, n) => sameHash(leafHash(entry), hashAt(hashes, n)))) return
  throw logCorrupt(tilePath(bundle), 'its entries do not have the hashes of their tile')
}

/**
 * Replaces the head if it is the one that this writer continues. Two heads of one size are what a log must never sign.
 * @throws {ServiceError} LOG_CORRUPT
 */
export async function replaceHead(disk: LogDisk, expected: LogState, next: LogState): Promise<void> {
  const found = await readLogState(disk)
  if ((found?.size ?? 0) !== expected.size || (found !== null && found.root !== expected.root)) {
    throw logCorrupt(STATE, `its size is ${found?.size ?? 0}, this writer continues ${expected.size} entries`)
  }
  await disk.replace(STATE, stateBytes(next))
}

/** Shows a checkpoint to readers. */
export async function publishCheckpoint(disk: LogDisk, { checkpoint }: LogState): Promise<void> {
  if (checkpoint !== '') await disk.replace(CHECKPOINT, Buffer.from(checkpoint))
}
