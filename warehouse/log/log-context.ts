import type { Micros } from '../../primitives/instants.ts'
import type { ParquetEngine } from '../parquet/parquet-engine.ts'
import type { TableSchema } from '../schema.ts'
import type { Store } from '../store/store.ts'
import type { TableName } from '../tables.ts'
import type { LogState } from './log-state.ts'

/** Replacements that only tests use. */
export type TestPorts = {
  /** The writer's wall clock; default: the store's. */
  readonly now?: () => Promise<Micros>
  /** Lets writers with wrong clocks commit. */
  readonly without_clock_guards?: boolean
  /** Lets a commit be stamped at or before what is published: a control test in which pinned answers must break. */
  readonly without_seal_rule?: boolean
  /** Least time between two seals of a table that reads cause, in milliseconds. */
  readonly seal_every_ms?: number
  /** Lets a seal by mark ignore commits under way: a control test in which pinned answers must break. */
  readonly without_seal_wait?: boolean
  /** Replaces the wait between two reads of a commit whose outcome is unknown. */
  readonly pause?: (ms: number) => Promise<unknown>
  /** Called at each named point of a commit or of a clean-up, such as `before-link`. */
  readonly reach?: (point: CommitPoint) => Promise<void> | void
}

/** Transaction of a commit, with the rows that it added. */
export type CommittedTransaction = {
  readonly app_id: string
  readonly app_sequence: number
  readonly version: number
  readonly published_at: Micros
  readonly rows: number
}

export type CommitPoint =
  | 'data-written'
  | 'before-link'
  | 'after-link'
  | 'archived'
  | 'start-stated'
  | 'log-file-removed'
  | 'archive-merged'

/** Commit whose outcome is unknown; `end` removes its announcement. */
type UndecidedCommit = { readonly version: number; readonly end: () => Promise<void> }

/** State and dependencies shared by the functions of one table's log. */
export type LogContext = {
  readonly table: TableName
  readonly schema: TableSchema
  /** The schema as Delta's JSON text. */
  readonly schema_text: string
  readonly store: Store
  readonly engine: ParquetEngine
  readonly ports: TestPorts
  readonly state: LogState
  /** Runs writes of this table one after another. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  /** Registers work that continues after an answer, so that closing waits for it. */
  readonly background: (work: Promise<unknown>) => void
  /** false when the store may only be read. */
  readonly writable: boolean
  /** Runs refreshes of this table one after another. */
  readonly refreshing: <T>(work: () => Promise<T>) => Promise<T>
  /** Data files whose hash this process has checked. */
  readonly verified: Set<string>
  /** Commits of rows that may still appear. They stay announced, so that a seal does not pass over them. */
  readonly undecided: UndecidedCommit[]
  /** Transactions of commits already looked at for `already_done` answers, by version. */
  readonly transaction_cache: Map<number, readonly CommittedTransaction[]>
  /** Texts of archived commits, by the key of the object of 1,000 that has or had them, least recently used first. */
  readonly archive_cache: Map<string, readonly string[]>
}

/** Creates a queue in which each piece of work starts after the previous one has settled. */
export function oneAtATime(): LogContext['alone'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
