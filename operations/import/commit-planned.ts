import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { PlanOvertaken } from './append-guard.ts'
import { type CommitOptions, commitPlan } from './commit-plan.ts'
import type { ReportTally } from './import-report.ts'
import type { DecidedTables, PendingItems } from './input-tally.ts'
import type { ImportPlan } from './plan-import.ts'
import { OBSERVED_TABLES, REFERENCE_TABLES } from './read-known.ts'
import type { PlannedCommit } from './table-plan.ts'

/** A plan, and how it is committed: under a guard if others may write the same chains. */
export type Planned<P extends ImportPlan> = { readonly plan: P; readonly commit: CommitOptions }

export type CommitPlannedOptions<P extends ImportPlan> = {
  readonly warehouse: Warehouse
  readonly tally: ReportTally
  /** Plans the same records again, without the rows that are stored by then. */
  readonly planAgain: () => Promise<Planned<P>>
  /** The records of the input that are planned. */
  readonly items: PendingItems
  /** Returns what a plan decides about them. */
  readonly decidedBy: (plan: P) => DecidedTables
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'rows' }) => void) | undefined
}

/**
 * Commits a plan and counts it. If another writer commits rows of the same chains first, the records are planned again, as if they
 * had come after that writer's.
 * @throws {ServiceError} the errors of planning and of Warehouse.append
 */
export async function commitPlanned<P extends ImportPlan>(
  first: Planned<P>,
  { warehouse, tally, planAgain, items, decidedBy, on_progress }: CommitPlannedOptions<P>,
): Promise<void> {
  // Rows of observations that earlier plans stored, which the last plan takes for duplicates.
  const stored_before = { new: 0, revised: 0 }
  for (let planned = first; ; planned = await planAgain()) {
    const { plan, commit } = planned
    const total = rowsIn(plan)
    const made = new Set<TableName>()
    const [stored, found]: PlannedCommit[][] = [[], []]
    let done = 0
    const on_commit = (made_commit: PlannedCommit, table: TableName, already_done: boolean) => {
      done += made_commit.row_count
      if (!already_done) {
        made.add(table)
        tally.commits += 1
        if (REFERENCE_TABLES.has(table)) tally.reference_records += made_commit.row_count
      }
      if (OBSERVED_TABLES.has(table)) (already_done ? found : stored)!.push(made_commit)
      on_progress?.({ done, total, unit: 'rows' })
    }
    const overtaken = await commitPlan(warehouse, plan, { ...commit, on_commit }).then(
      () => false,
      (error) => {
        if (error instanceof PlanOvertaken) return true
        tally.addStored(countRevisions(stored!, stored_before))
        throw error
      },
    )
    items.noteTables(decidedBy(plan), made)
    if (overtaken) {
      countRevisions(stored!, stored_before)
      continue
    }
    tally.addPlan(plan)
    tally.moveDuplicates(countRevisions(found!, { new: -stored_before.new, revised: -stored_before.revised }))
    items.settle()
    return
  }
}

type Revisions = { new: number; revised: number }

/** Adds the rows of commits to counts, first revisions apart from later ones; a confirmation is neither. */
function countRevisions(commits: readonly PlannedCommit[], counts: Revisions): Revisions {
  for (const { rows } of commits)
    for (const { revision, confirms_id = null } of rows.slice(0, rows.length))
      if (confirms_id === null) counts[revision === 1 ? 'new' : 'revised'] += 1
  return counts
}

function rowsIn({ tables }: Pick<ImportPlan, 'tables'>): number {
  return tables.flatMap(({ commits }) => commits).reduce((sum, { row_count }) => sum + row_count, 0)
}
