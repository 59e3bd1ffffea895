import { join } from 'node:path'
import { decodeBundle, encodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { growTree, type TreeEdge } from '../../pipelines/transparency/grow-tree.ts'
import {
  isSignedBy,
  keyText,
  type NoteKey,
  type NoteSignature,
  parseNote,
  signatureLine,
} from '../../pipelines/transparency/signed-note.ts'
import { edgeTiles, TILE_WIDTH, tilePath, widthIn } from '../../pipelines/transparency/tiles.ts'
import { leafHash } from '../../pipelines/transparency/tree-hash.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { holdFile } from '../store/hold-file.ts'
import type { Warehouse } from '../warehouse.ts'
import { type PACK_STEPS, packCheckpoints, writeCheckpoint } from './checkpoint-files.ts'
import { logCorrupt } from './log-corrupt.ts'
import { type LogDisk, openLogDisk, readTile, writeTiles } from './log-disk.ts'
import { checkedState, firstState, type LogSigner, publishCheckpoint, readEdge, replaceHead } from './log-head.ts'
import { LOCK, LOG_FOLDER, PLAN, STATE, VKEY } from './log-layout.ts'
import { type LogState, readLogState } from './log-state.ts'
import { repairSegments, writeSegments } from './look-up-segments.ts'
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
/** Steps of adding a cosignature to the latest checkpoint. */
export const COSIGN_STEPS = ['cosigned-written', 'cosigned-head', 'cosigned-published'] as const
export type BatchStep = (typeof BATCH_STEPS)[number] | (typeof COSIGN_STEPS)[number] | (typeof PACK_STEPS)[number]

export type LogWriterOptions = {
  readonly warehouse: Warehouse
  /** Folder that has the log's; missing: the warehouse. */
  readonly place?: string
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
 * @throws {ServiceError} WAREHOUSE_BUSY: another process writes this log; LOG_CORRUPT: its files are not those of its head, or its head is
 *   of another key
 */
export async function openLogWriter(options: LogWriterOptions): Promise<LogWriter> {
  const disk = openLogDisk(join(options.place ?? options.warehouse.root, LOG_FOLDER))
  const vkey = Buffer.from(`${keyText(options.signer.key)}\n`)
  if ((await disk.read(VKEY)) === null) await disk.replace(VKEY, vkey) // creates the folder of the lock
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
    refuseOtherKey(state, options.signer.key)
    await disk.replace(VKEY, vkey)
    const edge = await readEdge(disk, state)
    if (known !== null) await publishCheckpoint(disk, known)
    await repairSegments(disk, state.size)
    return writerOf(options, disk, state, edge, release)
  } catch (error) {
    release()
    throw error
  }
}

/** Refuses a key that did not sign the head: readers who have the known key could check nothing that follows. */
function refuseOtherKey({ origin, checkpoint }: LogState, key: NoteKey): void {
  if (origin !== key.name) {
    const message = `the log of this warehouse is ${origin}, but the settings name it ${key.name}; allowed: the TIDEMARK_ENVIRONMENT and TIDEMARK_LOG_ORIGIN under which it began, or another warehouse`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'log_origin', value: key.name })
  }
  if (checkpoint === '' || isSignedBy(parseNote(checkpoint), key)) return
  throw logCorrupt(STATE, 'another key signed its checkpoint')
}

/** Folders of the logs that this process writes: the lock of a file excludes other processes alone. */
const WRITING = new Set<string>()

function refuseSecond({ warehouse }: LogWriterOptions, holder: number | null): ServiceError {
  const who = holder === null ? 'another writer' : `process ${holder}`
  return new ServiceError('WAREHOUSE_BUSY', `${who} writes the log of ${warehouse.root}; allowed: one`)
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
      await options.reach?.('cosigned-written')
      await replaceHead(disk, state, next)
      state = next
      await options.reach?.('cosigned-head')
      await publishCheckpoint(disk, next)
      await options.reach?.('cosigned-published')
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
      await removeReplaced(disk, before, next, reach)
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

/** Removes files whose bytes are in wider ones. A failure leaves files that harm nobody. */
async function removeReplaced(
  disk: LogDisk,
  before: LogState,
  now: LogState,
  reach: (step: BatchStep) => Promise<void>,
): Promise<void> {
  try {
    await removePartial(disk, before.size, now.size)
    await packCheckpoints(disk, now.seals, reach)
  } catch (error) {
    if (!isServiceError(error)) throw error
  }
}

/** Removes the partial tiles of the size before: wider ones begin with the same bytes. */
async function removePartial(disk: LogDisk, before: number, now: number): Promise<void> {
  for (const address of edgeTiles(before)) {
    const full = { ...address, width: TILE_WIDTH }
    const width = widthIn(now, address)
    if (address.width < TILE_WIDTH && width === TILE_WIDTH) await disk.remove(`${tilePath(full)}.p`)
    else if (address.width < width) await disk.remove(tilePath(address))
  }
}
