import { join } from 'node:path'
import { checkpointText } from '../../pipelines/transparency/checkpoint.ts'
import { EMPTY_RANGE, extendRange, rangeRoot } from '../../pipelines/transparency/compact-range.ts'
import { decodeBundle, encodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { edgeRoot, growTree, type TreeEdge } from '../../pipelines/transparency/grow-tree.ts'
import {
  keyText,
  type NoteKey,
  type NoteSignature,
  noteOf,
  signatureLine,
} from '../../pipelines/transparency/signed-note.ts'
import { rangeHash, tilesOfRoot } from '../../pipelines/transparency/tile-hashes.ts'
import { edgeTiles, TILE_WIDTH, tilePath, widthIn } from '../../pipelines/transparency/tiles.ts'
import { hashText, leafHash, parseHash, sameHash } from '../../pipelines/transparency/tree-hash.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { holdFile } from '../store/hold-file.ts'
import type { Warehouse } from '../warehouse.ts'
import { logCorrupt } from './log-corrupt.ts'
import { type LogDisk, openLogDisk, readTile, writeTiles } from './log-disk.ts'
import { CHECKPOINT, checkpointPath, LOCK, LOG_FOLDER, PLAN, SIZES, STATE, VKEY } from './log-layout.ts'
import { type LogState, readLogState, stateBytes } from './log-state.ts'
import { writeSegments } from './look-up.ts'
import { makeEntries, type NamedEntry } from './make-entries.ts'
import { type BatchPlan, planBatch } from './plan-batch.ts'
import type { TableForm } from './record-form.ts'

/** Steps of a batch between which a writer may be killed. */
export const BATCH_STEPS = [
  'planned',
  'entries-written',
  'tiles-written',
  'look-up-written',
  'checked',
  'checkpoint-written',
  'head-replaced',
  'checkpoint-published',
  'cleaned',
] as const
export type BatchStep = (typeof BATCH_STEPS)[number]

/** Signer of a log: its key, and the signature of a text. */
type LogSigner = { readonly key: NoteKey; readonly sign: (text: string) => NoteSignature }

export type LogWriterOptions = {
  readonly warehouse: Warehouse
  readonly forms: readonly TableForm[]
  readonly signer: LogSigner
  /** Rows from which a batch is full. */
  readonly rows_max?: number
  /** Called after each step; tests stop a writer there. */
  readonly reach?: (step: BatchStep) => void | Promise<void>
}

/** Batch that was appended. */
type AppendedBatch = { readonly size: number; readonly entries: number; readonly more: boolean }

/** The one writer of a log. */
export type LogWriter = {
  /** Appends the rows published since the last batch, seals them and signs a checkpoint. */
  append(): Promise<AppendedBatch>
  /** Adds the signature of a witness to the latest checkpoint. */
  cosign(line: NoteSignature): Promise<void>
  close(): void
}

const ROWS_MAX = 10_000

/**
 * Opens the log of a warehouse for writing; creates it if there is none. Another writer waits for no one: it is refused.
 * @throws {ServiceError} WAREHOUSE_BUSY: another process writes this log; LOG_CORRUPT: its files are not those of its head, or its
 *   head is of another key
 */
export async function openLogWriter(options: LogWriterOptions): Promise<LogWriter> {
  const disk = openLogDisk(join(options.warehouse.root, LOG_FOLDER))
  await disk.replace(VKEY, Buffer.from(`${keyText(options.signer.key)}\n`)) // creates the folder of the lock
  if (WRITING.has(disk.folder)) throw refuseSecond(options, null)
  WRITING.add(disk.folder)
  const lock = await holdFile(join(disk.folder, LOCK)).catch((error: unknown) => {
    WRITING.delete(disk.folder)
    throw error
  })
  if (!lock.held) {
    WRITING.delete(disk.folder)
    throw refuseSecond(options, lock.holder)
  }
  const release = () => {
    lock.release()
    WRITING.delete(disk.folder)
  }
  try {
    const known = await readLogState(disk)
    const state = known ?? firstState(options.signer.key.name)
    if (state.origin !== options.signer.key.name) {
      throw logCorrupt(STATE, `its origin is ${state.origin}, the key signs for ${options.signer.key.name}`)
    }
    const edge = await readEdge(disk, state)
    if (known !== null) await publishCheckpoint(disk, known)
    return writerOf(options, disk, state, edge, release)
  } catch (error) {
    release()
    throw error
  }
}

/** Folders of the logs that this process writes: the lock of a file excludes other processes alone. */
const WRITING = new Set<string>()

function refuseSecond({ warehouse }: LogWriterOptions, holder: number | null): ServiceError {
  const who = holder === null ? 'another writer' : `process ${holder}`
  return new ServiceError('WAREHOUSE_BUSY', `${who} writes the log of ${warehouse.root}; allowed: one`)
}

function firstState(origin: string): LogState {
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

function writerOf(
  options: LogWriterOptions,
  disk: LogDisk,
  first: LogState,
  first_edge: TreeEdge,
  release: () => void,
): LogWriter {
  let [state, edge] = [first, first_edge]
  let sealed: Micros | null = null
  return {
    close: release,
    async cosign(line) {
      const next = { ...state, checkpoint: `${state.checkpoint}${signatureLine(line)}` }
      await writeCheckpoint(disk, next)
      await replaceHead(disk, state, next)
      state = next
      await publishCheckpoint(disk, next)
    },
    async append() {
      const reach = async (step: BatchStep) => options.reach?.(step)
      const plan = await planned(options, disk, state, sealed)
      sealed = plan.more ? plan.through : null
      await reach('planned')
      const entries = await makeEntries(options.warehouse, plan, options.forms, state)
      const grown = growTree(
        edge,
        entries.map(({ bytes }) => leafHash(bytes)),
      )
      await writeBundles(disk, state.size, entries)
      await reach('entries-written')
      await writeTiles(disk, grown.tiles)
      await reach('tiles-written')
      await writeSegments(disk, state.size, grown.edge.size)
      await disk.flush()
      await reach('look-up-written')
      const next = await checkedState(disk, { state, plan, edge: grown.edge, signer: options.signer })
      await reach('checked')
      await writeCheckpoint(disk, next)
      await reach('checkpoint-written')
      await replaceHead(disk, state, next)
      const before = state
      ;[state, edge] = [next, grown.edge]
      await reach('head-replaced')
      await publishCheckpoint(disk, next)
      await reach('checkpoint-published')
      await removePartial(disk, before.size, next.size)
      await disk.remove(PLAN)
      await reach('cleaned')
      return { size: next.size, entries: entries.length, more: plan.more }
    },
  }
}

/** Returns the batch that was planned at this size before a crash, or plans a new one. */
async function planned(
  options: LogWriterOptions,
  disk: LogDisk,
  state: LogState,
  sealed: Micros | null,
): Promise<BatchPlan> {
  const { warehouse, forms, rows_max = ROWS_MAX } = options
  const bytes = await disk.read(PLAN)
  const found = bytes === null ? null : (JSON.parse(bytes.toString()) as BatchPlan)
  if (found !== null && found.base_size === state.size) return found
  const plan = await planBatch({
    warehouse,
    tables: forms.map(({ table }) => table),
    cursors: state.tables,
    base_size: state.size,
    through: sealed ?? (await warehouse.now()),
    is_sealed: sealed !== null,
    rows_max,
  })
  await disk.replace(PLAN, Buffer.from(JSON.stringify(plan)))
  return plan
}

/** Writes the bundles that new entries change, the last one with the entries that it had. */
async function writeBundles(disk: LogDisk, size: number, entries: readonly NamedEntry[]): Promise<void> {
  const first = Math.floor(size / TILE_WIDTH)
  const kept = size - first * TILE_WIDTH
  const old = kept === 0 ? [] : decodeBundle(await readTile(disk, { level: 'entries', index: first, width: kept }))!
  const all = [...old, ...entries.map(({ bytes }) => bytes)]
  const bundles = Array.from({ length: Math.ceil(all.length / TILE_WIDTH) }, (_, n) => {
    const bundle = all.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH)
    return {
      address: { level: 'entries', index: first + n, width: bundle.length },
      bytes: encodeBundle(bundle),
    } as const
  })
  await writeTiles(disk, bundles)
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
async function checkedState(disk: LogDisk, { state, plan, edge, signer }: Checked): Promise<LogState> {
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

/** Reads the right edge of a tree and checks that it has the root of the head. @throws {ServiceError} LOG_CORRUPT */
async function readEdge(disk: LogDisk, { size, root }: LogState): Promise<TreeEdge> {
  const levels = edgeTiles(size).filter(({ level }) => level !== 'entries')
  const partial: Uint8Array[] = []
  for (const address of levels) {
    partial.push(address.width === TILE_WIDTH ? new Uint8Array(0) : await readTile(disk, address))
  }
  const edge = { size, partial }
  if (hashText(edgeRoot(edge)) === root) return edge
  throw logCorrupt('tiles', 'they do not have the root of the head')
}

/** Keeps each checkpoint, so that a proof can name the first that covers its record. */
async function writeCheckpoint(disk: LogDisk, { seals, size, checkpoint }: LogState): Promise<void> {
  const ordinal = seals - 1
  await disk.replace(checkpointPath(ordinal), Buffer.from(checkpoint))
  const bytes = Buffer.alloc(SIZE_BYTES)
  bytes.writeBigUInt64BE(BigInt(size))
  await disk.writeAt(SIZES, ordinal * SIZE_BYTES, bytes)
  await disk.flush()
}

/** Bytes of a size in the list of checkpoints. */
export const SIZE_BYTES = 8

/**
 * Replaces the head if it is the one that this writer continues. Two heads of one size are what a log must never sign.
 * @throws {ServiceError} LOG_CORRUPT
 */
async function replaceHead(disk: LogDisk, expected: LogState, next: LogState): Promise<void> {
  const found = await readLogState(disk)
  if ((found?.size ?? 0) !== expected.size || (found !== null && found.root !== expected.root)) {
    throw logCorrupt(STATE, `its size is ${found?.size ?? 0}, this writer continues ${expected.size} entries`)
  }
  await disk.replace(STATE, stateBytes(next))
}

async function publishCheckpoint(disk: LogDisk, { checkpoint }: LogState): Promise<void> {
  if (checkpoint !== '') await disk.replace(CHECKPOINT, Buffer.from(checkpoint))
}

/** Removes the partial tiles of the size before: wider ones begin with the same bytes. A failure leaves files that harm nobody. */
async function removePartial(disk: LogDisk, before: number, now: number): Promise<void> {
  try {
    for (const address of edgeTiles(before)) {
      const full = { ...address, width: TILE_WIDTH }
      const width = widthIn(now, address)
      if (address.width < TILE_WIDTH && width === TILE_WIDTH) await disk.remove(`${tilePath(full)}.p`)
      else if (address.width < width) await disk.remove(tilePath(address))
    }
  } catch (error) {
    if (!isServiceError(error)) throw error
  }
}
