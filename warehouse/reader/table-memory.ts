import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { isTrade } from '../read/is-trade.ts'
import type { Row } from '../schema.ts'
import type { SealedRead } from '../warehouse.ts'
import { AssessmentRows } from './assessment-rows.ts'
import {
  type AssessmentTableName,
  FEED_KEYS,
  type FollowedTableName,
  type GrowingTableName,
  isAssessment,
  isGrowing,
  isReference,
  type ReferenceTableName,
} from './followed-tables.ts'
import { NewestRows } from './newest-rows.ts'
import { NewestTrades, type OutcomeState } from './newest-trades.ts'
import { keyText, seqOf } from './placed-row.ts'
import type { FeedCommit, FeedRow } from './reader.ts'
import { RecentCommits, type RecentLimits } from './recent-commits.ts'
import { ReferenceRows } from './reference-rows.ts'

/** Last row of a feed key; `row` only if the table's newest rows are not kept. */
type LastRow = { readonly seq: number; readonly row: Row | null }

/** Contents of the memory of a growing table: newest rows, the last seq of each feed key, and the trades kept of each outcome. */
export type MemoryState = readonly MemoryLine[]
type MemoryLine =
  | { readonly newest: Row; readonly seq: number; readonly first_published_at: Micros }
  | { readonly feed_key: string; readonly seq: number }
  | { readonly outcome: OutcomeState }

/** Memory of one table, as of its last log version read. */
export class TableMemory {
  readonly table: FollowedTableName
  /** Epoch of the table; '' while it does not exist. */
  epoch = ''
  version = -1
  /** Hash of the commit of that version; null: there is none. */
  commit_sha256: string | null = null
  /** False until the table was read for the first time: until then it cannot be answered from. */
  loaded = false
  /** Stamp of the last row; 0 before the first. */
  horizon: Micros = 0
  /** Answers as of an instant up to this one are final. */
  sealed_through: Micros = 0
  head_seq = 0
  readonly reference: ReferenceRows | null
  readonly newest: NewestRows | null
  /** The newest valid trades; null for every table but public_trade. */
  readonly trades: NewestTrades | null
  readonly assessments: AssessmentRows | null
  readonly recent: RecentCommits
  readonly #last = new Map<string, LastRow>()

  constructor(table: FollowedTableName, limits: RecentLimits) {
    this.table = table
    this.reference = isReference(table) ? new ReferenceRows(table) : null
    this.newest = isGrowing(table) ? new NewestRows(table) : null
    this.trades = table === 'public_trade' ? new NewestTrades() : null
    this.assessments = isAssessment(table) ? new AssessmentRows(table) : null
    this.recent = new RecentCommits(limits)
  }

  /** Notes that a version has every row published through an instant, if memory has reached it. */
  seal({ through, version }: SealedRead): void {
    if (this.version >= version) this.sealed_through = Math.max(this.sealed_through, through)
  }

  /** Returns the key of a row's feed sequence. */
  feedKey(row: Row): string {
    return keyText(row, FEED_KEYS[this.table])
  }

  /** Returns the seq of the last row with these values of the feed's key; 0: none. null: the key has other columns. */
  lastSeq(values: Readonly<Record<string, string>>): number | null {
    const columns = FEED_KEYS[this.table]
    if (Object.keys(values).length !== columns.length || columns.some((column) => !(column in values))) return null
    return this.#last.get(this.feedKey(values))?.seq ?? 0
  }

  /** Sets the last row of a feed key from before the commits kept for resuming. */
  setLast(key_row: Row, seq: number): void {
    const key = this.feedKey(key_row)
    if ((this.#last.get(key)?.seq ?? -1) < seq)
      this.#last.set(key, { seq, row: this.reference === null ? null : key_row })
    this.head_seq = Math.max(this.head_seq, seq)
  }

  /** Returns what a memory of a growing table has to restore. */
  state(): MemoryState {
    const newest = [...this.newest!.all()].map(({ row, seq, first_published_at }) => {
      return { newest: row, seq, first_published_at }
    })
    const last = [...this.#last].map(([feed_key, { seq }]) => ({ feed_key, seq }))
    const trades = [...(this.trades?.outcomes() ?? [])].map((outcome) => ({ outcome }))
    return [...newest, ...last, ...trades]
  }

  /** Restores a part of a state. */
  restore(line: MemoryLine): void {
    if ('newest' in line) this.newest!.add(line.newest, line.seq, line.first_published_at)
    else if ('outcome' in line) this.trades!.restore(line.outcome)
    else {
      this.#last.set(line.feed_key, { seq: line.seq, row: null })
      this.head_seq = Math.max(this.head_seq, line.seq)
    }
  }

  /** Adds one commit; its rows are in the order of their ordinals. */
  take(version: number, rows: readonly Row[]): FeedCommit {
    const taken = rows.map((row) => this.#takeRow(row, seqOf(version, row.row_ordinal as number)))
    return { table: this.table, version, epoch: this.epoch, rows: taken }
  }

  #takeRow(row: Row, seq: number): FeedRow {
    const key = this.feedKey(row)
    const last = this.#last.get(key)
    if (this.table === 'public_trade' && !isTrade(row)) {
      this.head_seq = seq
      return { row, seq, prev_seq: last?.seq ?? 0, previous: null }
    }
    this.reference?.add(row)
    this.assessments?.add(row, seq)
    this.trades?.add(row)
    const newest = this.newest?.add(row, seq) ?? null
    this.#last.set(key, { seq, row: this.reference === null ? null : row })
    this.head_seq = seq
    const previous = this.reference === null ? newest : last
    const placed = previous?.row == null ? null : { row: previous.row, seq: previous.seq }
    return { row, seq, prev_seq: last?.seq ?? 0, previous: placed }
  }
}

/** The memory of every followed table. */
export type Memories = ReadonlyMap<FollowedTableName, TableMemory>
/** Access to the memory of one table at a time. */
export type MemoryOf = Pick<Memories, 'get'>

/** Returns a table's revisions. @throws {ServiceError} SERVICE_UNAVAILABLE: the table was not read yet */
export function referenceOf(memories: MemoryOf, table: ReferenceTableName): ReferenceRows {
  return loadedMemory(memories, table).reference!
}

/** Returns a table's newest rows. @throws {ServiceError} SERVICE_UNAVAILABLE: the table was not read yet */
export function newestOf(memories: MemoryOf, table: GrowingTableName): NewestRows {
  return loadedMemory(memories, table).newest!
}

/** Returns the newest valid trades. @throws {ServiceError} SERVICE_UNAVAILABLE: the table was not read yet */
export function tradesOf(memories: MemoryOf): NewestTrades {
  return loadedMemory(memories, 'public_trade').trades!
}

/** Returns a table's records in force. @throws {ServiceError} SERVICE_UNAVAILABLE: the table was not read yet */
export function assessmentsOf(memories: MemoryOf, table: AssessmentTableName): AssessmentRows {
  return loadedMemory(memories, table).assessments!
}

function loadedMemory(memories: MemoryOf, table: FollowedTableName): TableMemory {
  const memory = memories.get(table)!
  if (memory.loaded) return memory
  // An empty answer would be wrong.
  throw new ServiceError('SERVICE_UNAVAILABLE', `table ${table} has not been read yet; try again later`, { table })
}
