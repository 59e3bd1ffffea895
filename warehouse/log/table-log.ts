import type { Micros } from '../../primitives/instants.ts'
import type { ParquetEngine } from '../parquet/parquet-engine.ts'
import type { TableSchema } from '../schema.ts'
import type { Store } from '../store/store.ts'
import { type TableName, tableSchema } from '../tables.ts'
import { type Append, createAppend } from './append.ts'
import { writeCheckpoint } from './checkpoint.ts'
import type { Commit } from './commit-text.ts'
import { type CompactedDay, type CompactOptions, compact } from './compact.ts'
import { createTable, type PendingChange, pendingChange } from './create-table.ts'
import { type LogContext, oneAtATime, type TestPorts } from './log-context.ts'
import { type LiveFile, LogState, type Snapshot } from './log-state.ts'
import { readCommit } from './read-commit.ts'
import { refresh } from './refresh.ts'
import { type SealedRead, seal, sharedSeal } from './seal.ts'
import { closedThrough } from './seal-mark.ts'
import { schemaText } from './table-definition.ts'
import { nextVersion, type TailedVersion, type TailOptions, tail } from './tail.ts'
import { type VacuumOptions, type VacuumResult, vacuumTable } from './vacuum.ts'
import { verifiedPaths } from './verified-files.ts'
import { type LogVerification, verifyLog } from './verify-log.ts'

/** Log of one table. */
export type TableLog = {
  readonly table: TableName
  /** Returns the newest version. Costs one failed open if nothing is new. */
  snapshot(): Promise<Snapshot>
  /** Returns the newest version that this process has read, without reading the store; used while the log cannot be read. */
  lastSnapshot(): Snapshot
  create(): Promise<void>
  /** Returns the change of the schema that the next writer makes. */
  pending(): Promise<PendingChange>
  readonly append: Append
  /** Makes answers as of `through` final. */
  seal(through: Micros): Promise<Snapshot>
  /**
   * Does so for a read, as a rule without a commit: calls share a seal, at most one a second. `version` has every row published
   * through `through` at the latest, which is at least the instant asked for.
   */
  sealForRead(through: Micros): Promise<SealedRead>
  /** Returns the instant after which the next commit is stamped: that of the last commit or seal; null: there is none. */
  closedThrough(): Promise<Micros | null>
  /** Returns local paths of data files, each checked against its hash once per process. */
  ensureVerified(files: readonly LiveFile[]): Promise<readonly string[]>
  /** Yields every version after a known one, then new ones as they are committed. */
  tail(options?: TailOptions): AsyncGenerator<TailedVersion>
  /** Returns the version after a known one; null: it is not committed yet. Costs one failed open if nothing is new. */
  next(after_version: number): Promise<TailedVersion | null>
  /** Returns a commit, from the log or from its archive; null: it is not committed yet. */
  commit(version: number): Promise<Commit | null>
  /** Writes a checkpoint now; one is also written after every 50 commits. */
  checkpoint(): Promise<void>
  /** Merges small files; changes no answer. */
  compact(options?: CompactOptions): Promise<readonly CompactedDay[]>
  /** Deletes files that no version within the retention names, and archives old commits of the log. */
  vacuum(options?: VacuumOptions): Promise<VacuumResult>
  /** Resolves once the writes begun so far have ended. */
  idle(): Promise<void>
  /** Checks the whole log and its data files from the store. */
  verify(): Promise<LogVerification>
}

/** Dependencies shared by all logs of a warehouse. */
export type LogParts = {
  readonly store: Store
  readonly engine: ParquetEngine
  readonly ports: TestPorts
  readonly writable: boolean
  readonly background: LogContext['background']
  /** Replaces the table's own schema in tests of schema changes. */
  readonly schema?: TableSchema
}

/** Opens the log of `table`. A process needs one object per table, because it queues the process's writes. */
export function openTableLog(table: TableName, parts: LogParts): TableLog {
  const context = tableContext(table, parts)
  return {
    table,
    snapshot: async () => (await refresh(context)).snapshot(),
    lastSnapshot: () => context.state.snapshot(),
    create: () => context.alone(() => createTable(context)),
    pending: () => pendingChange(context),
    append: createAppend(context),
    seal: (through) => seal(context, through),
    sealForRead: sharedSeal(context),
    closedThrough: async () => {
      await refresh(context)
      return closedThrough(context)
    },
    ensureVerified: (files) => verifiedPaths(context, files),
    tail: (options) => tail(context, options),
    next: (after_version) => nextVersion(context, after_version),
    checkpoint: () => context.alone(() => writeCheckpoint(context)),
    compact: (options) => compact(context, options),
    vacuum: (options) => vacuumTable(context, options),
    commit: (version) => readCommit(context, version),
    idle: () => context.alone(async () => undefined),
    verify: () => verifyLog(context),
  }
}

/** Creates the state of a table's log, not read yet. */
export function tableContext(table: TableName, parts: LogParts): LogContext {
  const schema = parts.schema ?? tableSchema(table)
  return {
    ...parts,
    table,
    schema,
    schema_text: schemaText(schema),
    state: new LogState(table),
    alone: oneAtATime(),
    refreshing: oneAtATime(),
    verified: new Set(),
    undecided: [],
    transaction_cache: new Map(),
    archive_cache: new Map(),
  }
}
