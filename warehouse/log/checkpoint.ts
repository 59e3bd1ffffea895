import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../../primitives/ids.ts'
import { PARQUET_OPTIONS } from '../parquet/parquet-engine.ts'
import { quoteText } from '../sql/read-sql.ts'
import { type Action, DOMAIN } from './actions.ts'
import { commitKey, corrupt, parseCommit } from './commit-text.ts'
import type { LogContext } from './log-context.ts'
import { LogState } from './log-state.ts'

/** A checkpoint is written after every commit whose version is a multiple of this. */
export const CHECKPOINT_INTERVAL = 50

/** Time for which a checkpoint lists removed files, in milliseconds; also the longest retention vacuum accepts. */
export const TOMBSTONE_MS = 30 * 86_400_000

/** Delta's `_last_checkpoint`, with the hash of the checkpoint file in its tags. */
type LastCheckpoint = {
  readonly version: number
  readonly size: number
  readonly sizeInBytes: number
  readonly numOfAddFiles: number
  readonly tags: { readonly 'tidemark.sha256': string }
}

/** Columns of a classic checkpoint file: one action a row, the others null. */
const COLUMNS = {
  protocol: 'STRUCT("minReaderVersion" INTEGER, "minWriterVersion" INTEGER, "writerFeatures" VARCHAR[])',
  metaData:
    'STRUCT(id VARCHAR, name VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)), "schemaString" VARCHAR, ' +
    '"partitionColumns" VARCHAR[], "createdTime" BIGINT, configuration MAP(VARCHAR, VARCHAR))',
  txn: 'STRUCT("appId" VARCHAR, version BIGINT, "lastUpdated" BIGINT)',
  add:
    'STRUCT(path VARCHAR, "partitionValues" MAP(VARCHAR, VARCHAR), size BIGINT, "modificationTime" BIGINT, "dataChange" BOOLEAN, ' +
    'stats VARCHAR, tags MAP(VARCHAR, VARCHAR))',
  remove:
    'STRUCT(path VARCHAR, "deletionTimestamp" BIGINT, "dataChange" BOOLEAN, "extendedFileMetadata" BOOLEAN, ' +
    '"partitionValues" MAP(VARCHAR, VARCHAR), size BIGINT)',
  domainMetadata: 'STRUCT(domain VARCHAR, configuration VARCHAR, removed BOOLEAN)',
} as const

/** Returns the key of the checkpoint of one version. */
export function checkpointKey(table: string, version: number): string {
  return `${table}/_delta_log/${String(version).padStart(20, '0')}.checkpoint.parquet`
}

const lastCheckpointKey = (table: string) => `${table}/_delta_log/_last_checkpoint`

/**
 * Writes the whole state of the current version as one Parquet file, so that a reader need not open every commit, and
 * points `_last_checkpoint` at it. A missing or damaged checkpoint is passed over: an older one, or the commits, give the same state.
 */
export async function writeCheckpoint(context: LogContext): Promise<void> {
  const { state, store, table } = context
  const now_ms = Math.floor((await store.now()) / 1000)
  const { version } = state // read together with its actions, before any await
  const actions = checkpointActions(state, now_ms)
  const bytes = await jsonToParquet(context, COLUMNS, actions)
  await store.putIfAbsent(checkpointKey(table, version), bytes)
  const kept = await store.get(checkpointKey(table, version)) // another process may have written it first
  if (kept === null) return // the outcome of the write is unknown; a later checkpoint replaces this one
  const last: LastCheckpoint = {
    version,
    size: actions.length,
    sizeInBytes: kept.byteLength,
    numOfAddFiles: countAdds(actions),
    tags: { 'tidemark.sha256': sha256Hex(kept) },
  }
  const pointer = await store.get(lastCheckpointKey(table))
  // The commits that an older checkpoint needs may have been removed meanwhile.
  if (pointer !== null && (parseLast(pointer)?.version ?? -1) > version) return
  await store.replace(lastCheckpointKey(table), Buffer.from(JSON.stringify(last)))
}

function checkpointActions(state: LogState, now_ms: number): Action[] {
  const configuration = JSON.stringify(state.clock)
  const removes = [...state.removes.values()].filter((remove) => remove.deletionTimestamp > now_ms - TOMBSTONE_MS)
  return [
    { protocol: state.protocol! },
    { metaData: state.meta! },
    { domainMetadata: { domain: DOMAIN, configuration, removed: false } },
    ...[...state.transactions.values()].map((txn): Action => ({ txn })),
    ...[...state.adds.values()].map((add): Action => ({ add })),
    ...removes.map((remove): Action => ({ remove })),
  ]
}

/** Returns a Parquet file of one row for each record, in their order. */
export async function jsonToParquet(
  context: Pick<LogContext, 'engine'>,
  types: Readonly<Record<string, string>>,
  records: readonly object[],
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-checkpoint-'))
  try {
    const source = join(folder, 'records.ndjson')
    await writeFile(source, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const columns = Object.entries(types).map(([name, type]) => `"${name}": ${quoteText(type)}`)
    const rows = `read_json(${quoteText(source)}, format = 'newline_delimited', columns = {${columns.join(', ')}})`
    return await parquetOf(context, `SELECT * FROM ${rows}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns a Parquet file of the rows of a query, in their order. */
export async function parquetOf({ engine }: Pick<LogContext, 'engine'>, query: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-parquet-'))
  try {
    const target = join(folder, 'rows.parquet')
    await engine.query(`COPY (${query}) TO ${quoteText(target)} ${PARQUET_OPTIONS}`)
    return await readFile(target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Stored = Pick<LogContext, 'engine' | 'store' | 'table'>

/** Version of the last checkpoint, -1 if there is none, and its damage. */
export type LoadedCheckpoint = { readonly version: number; readonly damage: string | null }

/** Loads the last checkpoint into a new state; leaves the state unchanged if there is no intact checkpoint. */
export async function loadLastCheckpoint(context: Stored, state: LogState): Promise<LoadedCheckpoint> {
  const { store, table } = context
  const pointer = await store.get(lastCheckpointKey(table))
  if (pointer === null) return { version: -1, damage: null }
  const last = parseLast(pointer)
  if (last === null) return { version: -1, damage: '_last_checkpoint cannot be read' }
  const { version } = last
  const key = checkpointKey(table, version)
  const bytes = await store.get(key)
  if (bytes === null) return { version, damage: 'it is missing' }
  if (bytes.byteLength !== last.sizeInBytes || sha256Hex(bytes) !== last.tags['tidemark.sha256']) {
    return { version, damage: 'its bytes do not have the size and hash that _last_checkpoint states' }
  }
  const actions = await checkpointActionsOf(context, version)
  if (actions.length !== last.size || countAdds(actions) !== last.numOfAddFiles) {
    return { version, damage: 'it does not have as many actions as _last_checkpoint states' }
  }
  state.loadActions(version, actions)
  return { version, damage: null }
}

/** Reads the actions of the checkpoint of a version. */
async function checkpointActionsOf({ engine, store, table }: Stored, version: number): Promise<readonly Action[]> {
  const path = quoteText(await store.localPath(checkpointKey(table, version)))
  const rows = await engine.query(`SELECT to_json(action)::VARCHAR AS action FROM read_parquet(${path}) AS action`)
  return rows.map((row) => presentAction(String(row.action)))
}

/** Returns the state that the checkpoint of a version has. @throws DuckDB's error of a damaged file */
export async function checkpointState(context: Stored, version: number): Promise<LogState> {
  const state = new LogState(context.table)
  state.loadActions(version, await checkpointActionsOf(context, version))
  return state
}

/**
 * Brings a new state to the newest intact checkpoint; without one it stays before version 0.
 * @throws {ServiceError} WAREHOUSE_CORRUPT: the first commits were removed, and no checkpoint is left that continues them
 */
export async function startState(context: Stored, state: LogState): Promise<void> {
  const { store, table } = context
  await loadLastCheckpoint(context, state)
  if (state.version >= 0 || (await store.stat(commitKey(table, 0))) !== null) return
  const listed: string[] = []
  for await (const { key } of store.list(`${table}/_delta_log`)) listed.push(key)
  if (listed.length === 0 || listed.includes(commitKey(table, 0))) return
  for (const version of checkpointVersions(listed).reverse()) {
    const found = await checkpointState(context, version).catch(() => null)
    const commit = await store.get(commitKey(table, version))
    const stated = commit === null ? null : parseCommit(table, version, commit).clock.commit_sha256
    if (found !== null && found.clock.commit_sha256 === stated) return state.adopt(found)
  }
  throw corrupt(table, 0, 'it was removed, and no checkpoint continues its log')
}

/** Returns the versions of the checkpoints among keys, ascending. */
export function checkpointVersions(keys: readonly string[]): number[] {
  return keys
    .flatMap((key) => /\/(\d{20})\.checkpoint\.parquet$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

function parseLast(bytes: Buffer): LastCheckpoint | null {
  try {
    const last = JSON.parse(bytes.toString()) as LastCheckpoint
    return Number.isSafeInteger(last.version) && last.version >= 0 && last.tags !== undefined ? last : null
  } catch {
    return null
  }
}

function countAdds(actions: readonly Action[]): number {
  return actions.filter((action) => 'add' in action).length
}

function presentAction(text: string): Action {
  const columns = Object.entries(JSON.parse(text) as Record<string, unknown>)
  return Object.fromEntries(columns.filter(([, value]) => value !== null)) as Action
}
