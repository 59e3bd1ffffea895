import type { Micros } from '../../primitives/instants.ts'
import type { TableName } from '../tables.ts'
import {
  type Action,
  type AddFile,
  DOMAIN,
  type MetaData,
  type Protocol,
  type RemoveFile,
  type TableClock,
  type Transaction,
} from './actions.ts'
import { type Commit, clockOf, corrupt } from './commit-text.ts'

/** A data file of the current version. */
export type LiveFile = {
  /** Key below the warehouse root. */
  readonly key: string
  /** Path below the table's folder, as the log names it. */
  readonly path: string
  readonly published_date: string
  readonly size_bytes: number
  readonly rows: number
  readonly stamp_min: Micros
  readonly stamp_max: Micros
  readonly sha256: string
  /** Delta statistics as JSON text: minValues, maxValues and nullCount by column. Its decimals need more digits than a double has. */
  readonly stats: string
}

/** One table at one version of its log; immutable. */
export type Snapshot = {
  readonly table: TableName
  /** Id of the table, which never changes; null before the first commit. */
  readonly table_id: string | null
  /** -1 before the first commit. */
  readonly version: number
  /** The last `published_at` of the latest commit with rows. */
  readonly head_stamp: Micros | null
  /** Answers as of an instant up to this one are final. At least `head_stamp`. */
  readonly sealed_through: Micros | null
  readonly files: readonly LiveFile[]
  readonly rows: number
  /** Highest app_sequence committed by each app_id. */
  readonly transactions: ReadonlyMap<string, number>
  /** Hash of the last commit file. */
  readonly commit_sha256: string | null
}

/** Operation of a commit that only seals. */
export const SEAL = 'SEAL'

const NO_CLOCK: TableClock = {
  sealed_through: null,
  head_stamp: null,
  in_commit_ms: -1,
  previous_sha256: null,
  content_sha256: [],
  commit_sha256: '',
}

/** The fold of a table's log up to `version`. Only `applyCommit`, `loadActions` and `adopt` change it. */
export class LogState {
  readonly table: TableName
  version = -1
  clock: TableClock = NO_CLOCK
  protocol: Protocol | null = null
  meta: MetaData | null = null
  readonly adds = new Map<string, AddFile>()
  readonly removes = new Map<string, RemoveFile>()
  readonly transactions = new Map<string, Transaction>()
  #cached: Snapshot | null = null

  constructor(table: TableName) {
    this.table = table
  }

  /**
   * Applies the next commit.
   * @throws {ServiceError} WAREHOUSE_CORRUPT when it does not continue the hash chain
   */
  applyCommit(commit: Commit): void {
    const expected = this.version < 0 ? null : this.clock.commit_sha256
    if (commit.clock.previous_sha256 !== expected) {
      throw corrupt(this.table, commit.version, 'it does not continue the hash chain of the version before')
    }
    for (const action of commit.actions) this.#applyAction(action)
    this.clock = commit.clock
    this.version = commit.version
    this.#cached = null
  }

  /** Applies the actions of a checkpoint of `version` to a new state. */
  loadActions(version: number, actions: readonly Action[]): void {
    for (const action of actions) this.#applyAction(action)
    this.version = version
    this.#cached = null
  }

  /** First version whose commit file stays in the log. */
  get log_start(): number {
    return this.clock.log_start ?? 0
  }

  /** Replaces the contents by those of a later state of the same table. */
  adopt(later: LogState): void {
    for (const map of [this.adds, this.removes, this.transactions]) map.clear()
    for (const [path, add] of later.adds) this.adds.set(path, add)
    for (const [path, remove] of later.removes) this.removes.set(path, remove)
    for (const [app_id, txn] of later.transactions) this.transactions.set(app_id, txn)
    this.protocol = later.protocol
    this.meta = later.meta
    this.clock = later.clock
    this.version = later.version
    this.#cached = null
  }

  snapshot(): Snapshot {
    this.#cached ??= this.#buildSnapshot()
    return this.#cached
  }

  #applyAction(action: Action): void {
    if ('add' in action) {
      this.adds.set(action.add.path, action.add)
      this.removes.delete(action.add.path)
    } else if ('remove' in action) {
      this.adds.delete(action.remove.path)
      this.removes.set(action.remove.path, action.remove)
    } else if ('txn' in action) this.transactions.set(action.txn.appId, action.txn)
    else if ('protocol' in action) this.protocol = action.protocol
    else if ('metaData' in action) this.meta = action.metaData
    else if ('domainMetadata' in action && action.domainMetadata.domain === DOMAIN) this.clock = clockOf(action)
  }

  #buildSnapshot(): Snapshot {
    const files = [...this.adds.values()].map((add) => liveFile(this.table, add))
    return {
      table: this.table,
      table_id: this.meta?.id ?? null,
      version: this.version,
      head_stamp: this.clock.head_stamp,
      sealed_through: this.clock.sealed_through,
      files,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      transactions: new Map([...this.transactions.values()].map((txn) => [txn.appId, txn.version])),
      commit_sha256: this.version < 0 ? null : this.clock.commit_sha256,
    }
  }
}

const LIVE = new WeakMap<AddFile, LiveFile>()

/** Returns a data file as readers see it; one object per file, however many versions contain it. */
export function liveFile(table: TableName, add: AddFile): LiveFile {
  const known = LIVE.get(add) ?? readAdd(table, add)
  LIVE.set(add, known)
  return known
}

function readAdd(table: TableName, add: AddFile): LiveFile {
  const { numRecords } = JSON.parse(add.stats) as { numRecords: number }
  return {
    key: `${table}/${decodeURIComponent(add.path)}`,
    path: add.path,
    published_date: add.partitionValues.published_date,
    size_bytes: add.size,
    rows: numRecords,
    stamp_min: Number(add.tags['tidemark.stamp_min']),
    stamp_max: Number(add.tags['tidemark.stamp_max']),
    sha256: add.tags['tidemark.sha256'],
    stats: add.stats,
  }
}
