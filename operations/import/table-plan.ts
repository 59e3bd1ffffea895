import type { Batch } from '../../pipelines/venues/batches.ts'
import type { Identities } from '../../pipelines/venues/identities.ts'
import {
  type PlannedState,
  planReferences,
  type ReferenceRule,
  type StateRevision,
} from '../../pipelines/venues/plan-references.ts'
import {
  type Decision,
  type KnownChains,
  planRevisions,
  type RevisionRule,
} from '../../pipelines/venues/plan-revisions.ts'
import type { Origin } from '../../pipelines/venues/record.ts'
import type { Revised } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'

/** The commits that one table still needs. Rows are made when they are asked for, one commit's at a time. */
export type TablePlan = {
  readonly table: TableName
  /** Of all valid records of the archive for this table, stored or not: names the import, whatever interrupted it. */
  readonly digest: string
  readonly commits: readonly PlannedCommit[]
}

export type PlannedCommit = {
  readonly sequence: number
  /** published_at under the recorded clock. */
  readonly recorded_at: Micros
  readonly row_count: number
  readonly rows: () => Row[]
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
  { digest, batches }: { readonly digest: string; readonly batches: readonly Batch[] },
  rowOf: (record: T, revised: Revised, ids: Identities) => Row,
  ids: Identities,
): TablePlan {
  const rowAt = (place: number) => {
    const decision = decisions[place]!
    return typeof decision === 'string' ? null : () => rowOf(sorted[place]!, decision, ids)
  }
  return { table, digest, commits: commitsOf(batches, rowAt) }
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
  { digest, batches }: { readonly digest: string; readonly batches: readonly Batch[] },
  rowOf: (planned: PlannedState<S, T>) => Row,
): TablePlan {
  const rowAt = (place: number) => {
    const item = planned[place] ?? null
    return item === null ? null : () => rowOf(item)
  }
  return { table, digest, commits: commitsOf(batches, rowAt) }
}

/** How many decisions are of each kind. */
export function countDecisions(decisions: readonly Decision[]): Counts {
  const counts = { new: 0, revised: 0, duplicate: 0 }
  for (const decision of decisions) {
    if (decision === 'duplicate') counts.duplicate += 1
    else if (decision !== 'conflict') counts[decision.revision === 1 ? 'new' : 'revised'] += 1
  }
  return counts
}

/** The records that are not taken, because another value stands at their key. */
export function conflicting<T>({ sorted, decisions }: Pick<PlannedTable<T>, 'sorted' | 'decisions'>): T[] {
  return sorted.filter((_, place) => decisions[place] === 'conflict')
}

/** The batches that still have rows; `rowAt` gives null for a record that is not to be stored. */
export function commitsOf(batches: readonly Batch[], rowAt: (place: number) => (() => Row) | null): PlannedCommit[] {
  return batches.flatMap(({ sequence, recorded_at, from, to }) => {
    const places: number[] = []
    for (let place = from; place < to; place += 1) if (rowAt(place) !== null) places.push(place)
    if (places.length === 0) return []
    const rows = () => places.map((place) => rowAt(place)!())
    return [{ sequence, recorded_at, row_count: places.length, rows }]
  })
}
