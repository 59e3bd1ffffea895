import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { AppendGuard } from './append-guard.ts'
import type { ImportPlan } from './plan-import.ts'
import type { PlannedCommit, TablePlan } from './table-plan.ts'

export type CommitOptions = {
  readonly archive: string
  readonly clock: ImportClock
  readonly signal?: AbortSignal | undefined
  /** `already_done`: another writer has made this commit. */
  readonly on_commit?: (commit: PlannedCommit, table: TableName, already_done: boolean) => void
  /** Appends only while the plan is current; absent if nobody else writes these records. */
  readonly guard?: AppendGuard | undefined
}

/**
 * Refuses a recorded clock that would change past answers: a row that is not stored yet has an instant at or before one
 * through which its table is published or sealed.
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED
 */
export async function checkRecordedClock(warehouse: Warehouse, { tables }: Pick<ImportPlan, 'tables'>): Promise<void> {
  for (const { table, commits } of tables) {
    const first = commits[0]?.stamps[0]
    if (first !== undefined) await checkStamp(warehouse, table, first)
  }
}

/**
 * Refuses a recorded stamp at or before which a table is published or sealed.
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED
 */
export async function checkStamp(warehouse: Warehouse, table: TableName, recorded_at: Micros): Promise<void> {
  const sealed_through = await warehouse.log(table).closedThrough()
  if (sealed_through === null || recorded_at > sealed_through) return
  const at = formatMicros(recorded_at)
  const head = formatMicros(sealed_through)
  throw new ServiceError(
    'VALIDATION_CLOCK_REFUSED',
    `clock is recorded, but the archive has rows of ${table} published at ${at} that are not stored; allowed: instants after ${head}, through which the table is published (--clock wall takes them as late data; if another import of the same files is running, repeat this one when it has ended)`,
    { field: 'clock', table, at, head },
  )
}

/** Commits in flight at once, of different tables: while one is written, the rows of the next are made. */
const IN_FLIGHT_MAX = 2

type Step = { readonly plan: TablePlan; readonly place: number; readonly commit: PlannedCommit }
type Flight = { readonly place: number; readonly done: Promise<void> }

/**
 * Writes a plan. Under the recorded clock turn by turn (an instant, or the instants of a day), so an interrupted import leaves what was
 * known up to some turn; otherwise table by table. The commits of a table follow each other by received_at, one after the other, and
 * none starts before the commits that it refers to are durable. Importing the same archive again continues an interrupted import.
 * @returns how many commits were made
 * @throws {PlanOvertaken} if a guard found the plan outdated; earlier commits stay
 */
export async function commitPlan(
  warehouse: Warehouse,
  plan: Pick<ImportPlan, 'tables'>,
  options: CommitOptions,
): Promise<number> {
  let commits = 0
  let flights: Flight[] = []
  const last = new Map<TableName, Promise<void>>()
  const fly = async (step: Step): Promise<void> => {
    const { table } = step.plan
    // A later commit of a table means that the earlier ones were made: none is made after one that failed.
    await last.get(table)
    const { already_done } = await commitOne(warehouse, step, options)
    if (!already_done) commits += 1
    options.on_commit?.(step.commit, table, already_done)
  }
  try {
    for (const step of stepsOf(plan, options.clock)) {
      options.signal?.throwIfAborted()
      const awaited = flights.filter(({ place }, n) => place < step.place || flights.length - n >= IN_FLIGHT_MAX)
      await Promise.all(awaited.map(({ done }) => done))
      const done = fly(step)
      last.set(step.plan.table, done)
      done.catch(() => undefined) // awaited below
      flights = [...flights.filter((flight) => !awaited.includes(flight)), { place: step.place, done }]
    }
  } finally {
    await Promise.allSettled(flights.map(({ done }) => done))
  }
  await Promise.all(flights.map(({ done }) => done))
  return commits
}

/** The commits in the order in which they start; `place` is the table's, in the order of reference. */
function stepsOf({ tables }: Pick<ImportPlan, 'tables'>, clock: ImportClock): Step[] {
  const steps = tables.flatMap((plan, place) => plan.commits.map((commit) => ({ plan, place, commit })))
  if (clock === 'recorded') steps.sort((a, b) => a.commit.turn - b.commit.turn || a.place - b.place)
  return steps
}

function commitOne(warehouse: Warehouse, { plan, commit }: Step, { archive, clock, guard }: CommitOptions) {
  return (guard ?? warehouse).append(plan.table, commit.rows, {
    // Under `wall`, later commits of a table could overtake earlier ones, which were lost: with this name they are made up for.
    app_id: `import/${archive}/${clock === 'wall' ? 'wall-in-order' : clock}/${plan.digest}`,
    app_sequence: commit.sequence,
    stamp: clock === 'recorded' ? { kind: 'recorded_rows', at: commit.stamps } : { kind: 'wall' },
    operation: 'IMPORT',
  })
}
