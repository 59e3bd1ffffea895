import type { Micros } from '../../primitives/instants.ts'
import type { ParquetEngine } from '../parquet/parquet-engine.ts'
import type { TableSchema } from '../schema.ts'
import type { Store } from '../store/store.ts'
import type { TableName } from '../tables.ts'
import type { LogState } from './log-state.ts'

/** What tests may put in the place of the real thing. Nothing but a test sets any of these. */
export type TestPorts = {
  /** The writer's wall clock; the store's own otherwise. */
  readonly now?: () => Promise<Micros>
  /** Lets writers with wrong clocks commit. */
  readonly without_clock_guards?: boolean
  /** Lets a commit be stamped at or before what is published: the control that must break pinned answers. */
  readonly without_seal_rule?: boolean
  /** Called at each named point of a commit, such as `before-link`. */
  readonly reach?: (point: CommitPoint) => Promise<void> | void
}

/** What one commit with a transaction did. */
export type CommittedTransaction = {
  readonly app_id: string
  readonly app_sequence: number
  readonly version: number
  readonly published_at: Micros
  readonly rows: number
}

export type CommitPoint = 'data-written' | 'before-link' | 'after-link'

/** Everything the functions of one table's log share. */
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
  /** Keeps work that goes on after an answer, so that closing can wait for it. */
  readonly background: (work: Promise<unknown>) => void
  /** false when the store may only be read. */
  readonly writable: boolean
  /** Runs refreshes of this table one after another. */
  readonly refreshing: <T>(work: () => Promise<T>) => Promise<T>
  /** Data files whose hash this process has checked. */
  readonly verified: Set<string>
  /** Transactions of commits already looked at for `already_done` answers, by version. */
  readonly transaction_cache: Map<number, CommittedTransaction | null>
}

/** A queue of one: each piece of work starts when the one before has ended, whether well or not. */
export function oneAtATime(): LogContext['alone'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
