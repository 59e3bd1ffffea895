import type { Batch } from '../../pipelines/revisions/batches.ts'
import type { Identities } from '../../pipelines/revisions/identities.ts'
import {
  type PlannedState,
  planReferences,
  type ReferenceRule,
  type StateRevision,
} from '../../pipelines/revisions/plan-references.ts'
import {
  type Confirmation,
  type Decision,
  type KnownChains,
  planRevisions,
  type RevisionRule,
} from '../../pipelines/revisions/plan-revisions.ts'
import type { Origin } from '../../pipelines/venues/record.ts'
import type { Revised } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Row, RowList } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'

/** The commits that one table still needs. */
export type TablePlan = {
  readonly table: TableName
  /** Hash of all valid records of the archive for this table, stored or not: it identifies the import across interruptions. */
  readonly digest: string
  readonly commits: readonly PlannedCommit[]
}

export type PlannedCommit = {
  readonly sequence: number
  /** Ordinal within the batch. */
  readonly turn: Micros
  /** published_at of each row under the recorded clock, ascending; none under the wall clock. */
  readonly stamps: readonly Micros[]
  readonly row_count: number
  /** Made when they are written, a few at a time: as many as a commit has would outlive the collection of young garbage. */
  readonly rows: RowList
}

/** Cuts the records of one table into commits. */
export type Batching = {
  readonly digest: string
  readonly batches: readonly Batch[]
  /** published_at of every record under the recorded clock, ascending; null: the wall clock. */
  readonly stamps: readonly Micros[] | null
}

/** Decisions about records, counted. */
export type Counts = { readonly new: number; readonly revised: number; readonly duplicate: number }

type Received = Origin & { readonly received_at: Micros }

/** The records of one table in commit order, each with its chain and its place in it. */
export type PlannedTable<T> = {
  readonly sorted: readonly T[]
  readonly keys: readonly string[]
  readonly decisions: readonly Decision[]
  readonly rule: RevisionRule<T>
}

/** Decides the place of every record in its chain. `keys` are the chains, where they are known already. */
export function planTable<T extends Received>(
  sorted: readonly T[],
  known: KnownChains,
  rule: RevisionRule<T>,
  keys: readonly string[] = sorted.map(rule.chainOf),
): PlannedTable<T> {
  return { sorted, keys, decisions: planRevisions(sorted, keys, known, rule), rule }
}

/** The commits of the records that are to be stored. */
export function tableCommits<T extends Received>(
  table: TableName,
  { sorted, decisions }: PlannedTable<T>,
  batching: Batching,
  rowOf: (record: T, revised: Revised, ids: Identities) => Row,
  ids: Identities,
): TablePlan {
  const isStored = (place: number) => typeof decisions[place] !== 'string'
  const rowAt = (place: number) => rowOf(sorted[place]!, decisions[place] as Revised, ids)
  return { table, digest: batching.digest, commits: commitsOf(batching, isStored, rowAt) }
}

export type PlannedStates<S, T> = {
  readonly sorted: readonly T[]
  readonly planned: readonly (PlannedState<S, T> | null)[]
  readonly rule: ReferenceRule<S, T>
}

/** Decides which of the records state something new. */
export function planStates<S, T extends { readonly received_at: Micros }>(
  sorted: readonly T[],
  known: ReadonlyMap<string, readonly StateRevision<S>[]>,
  rule: ReferenceRule<S, T>,
): PlannedStates<S, T> {
  return { sorted, planned: planReferences(sorted, known, rule), rule }
}

/** The commits of the statements that are to be stored. */
export function stateCommits<S, T>(
  table: TableName,
  { planned }: PlannedStates<S, T>,
  batching: Batching,
  rowOf: (planned: PlannedState<S, T>) => Row,
): TablePlan {
  const isStored = (place: number) => planned[place] !== null
  return {
    table,
    digest: batching.digest,
    commits: commitsOf(batching, isStored, (place) => rowOf(planned[place]!)),
  }
}

/** Counts decisions by kind. */
export function countDecisions(decisions: readonly Decision[]): Counts {
  const counts = { new: 0, revised: 0, duplicate: 0 }
  for (const decision of decisions) {
    if (decision === 'duplicate' || isConfirmed(decision)) counts.duplicate += 1
    else if (decision !== 'conflict') counts[decision.revision === 1 ? 'new' : 'revised'] += 1
  }
  return counts
}

/** A record that only confirms another states nothing new, though it is stored. */
export function isConfirmed(decision: Decision): decision is Confirmation {
  return typeof decision === 'object' && 'confirms_id' in decision
}

/** Records that are not stored, because another value is stored under their key. */
export function conflicting<T>({ sorted, decisions }: Pick<PlannedTable<T>, 'sorted' | 'decisions'>): T[] {
  return sorted.filter((_, place) => decisions[place] === 'conflict')
}

/** The commits of the batches that still have rows to store. */
export function commitsOf(
  { batches, stamps }: Omit<Batching, 'digest'>,
  isStored: (place: number) => boolean,
  rowAt: (place: number) => Row,
): PlannedCommit[] {
  return batches.flatMap(({ sequence, turn, from, to }) => {
    const places: number[] = []
    for (let place = from; place < to; place += 1) if (isStored(place)) places.push(place)
    if (places.length === 0) return []
    const of_rows = stamps === null ? [] : places.map((place) => stamps[place]!)
    const rows = { length: places.length, slice: (first: number, end: number) => places.slice(first, end).map(rowAt) }
    return [{ sequence, turn, stamps: of_rows, row_count: places.length, rows }]
  })
}
