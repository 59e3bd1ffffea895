import type { ReplayedColumns } from '../../../pipelines/governance/impact/level-columns.ts'
import {
  COST_BASIS_POINTS,
  examinedTicks,
  type ManipulationCosts,
  summarizeCosts,
} from '../../../pipelines/governance/impact/manipulation-costs.ts'
import { depthsOfTick, type ReplayedTick } from '../../../pipelines/governance/impact/replayed-tick.ts'
import { legsOf } from '../../../pipelines/index/admit.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import type { BooksAtTick } from '../../../pipelines/robustness/constituent-depth.ts'
import { type ManipulationCost, manipulationCost } from '../../../pipelines/robustness/manipulation-cost.ts'
import { ONE } from '../../../primitives/decimal.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { readSql } from '../../../warehouse/sql/read-sql.ts'

/** Ticks whose books are in memory at once. */
const TICKS_AT_ONCE = 20

/** One side of a change, and a way to see the inputs of its ticks. */
type CostedSide = {
  /** The version as if it had always been in force. */
  readonly spec: IndexSpec
  readonly columns: Omit<ReplayedColumns, 'link_factor'>
  /** Returns the ticks at some instants, ascending, by a replay of a spec. */
  readonly ticksAt: (spec: IndexSpec, instants: readonly Micros[]) => readonly ReplayedTick[]
}

/** Returns what it would have cost to move the levels of a side, from the books stored by each tick. */
export async function manipulationCosts(session: ReadSession, side: CostedSide): Promise<ManipulationCosts> {
  const { spec, columns, ticksAt } = side
  const { ticks, examined } = examinedTicks(columns)
  const outcome_ids = [...new Set(legsOf(spec).map(({ outcome_id }) => String(outcome_id)))]
  const is_stored = examined.length > 0 && (await hasBooks(session, outcome_ids))
  if (!is_stored) return summarizeCosts(ticks, examined.map(unstored))
  const replayed = ticksAt(spec, examined)
  const costs: ManipulationCost[] = []
  for (let i = 0; i < replayed.length; i += TICKS_AT_ONCE) {
    const some = replayed.slice(i, i + TICKS_AT_ONCE)
    const books = await booksOf(session, outcome_ids, some)
    for (const tick of some) costs.push(costOf(tick, books.get(tick.tick_at) ?? new Map()))
  }
  return summarizeCosts(ticks, costs)
}

function costOf(tick: ReplayedTick, books: BooksAtTick): ManipulationCost {
  // The link factor and the rules for missing inputs do not enter a cost.
  const basis = { k: ONE, constituents: tick.inputs, rules: { minimum_coverage_ratio: ONE, usable_min: ONE } }
  return manipulationCost(basis, depthsOfTick(tick, books), COST_BASIS_POINTS)
}

/** Cost of a tick of an index without any stored book. */
function unstored(): ManipulationCost {
  const reason = 'DEPTH_NOT_STORED' as const
  const none = { notional_at_least: null, notional_sufficient: null, reason }
  const push = { ...none, touches: [] }
  return {
    basis_points: COST_BASIS_POINTS,
    ...none,
    up: push,
    down: push,
    without_depth: [{ constituent_id: '', reason }],
  }
}

async function hasBooks(session: ReadSession, outcome_ids: readonly string[]): Promise<boolean> {
  const [row] = await session.query(readSql(import.meta.url, 'sql/has_books.sql'), { outcome_ids })
  return row !== undefined
}

async function booksOf(
  session: ReadSession,
  outcome_ids: readonly string[],
  ticks: readonly ReplayedTick[],
): Promise<ReadonlyMap<Micros, BooksAtTick>> {
  const tick_ats = ticks.map(({ tick_at }) => formatMicros(tick_at))
  const rows = await session.query(readSql(import.meta.url, 'sql/books_at_ticks.sql'), { outcome_ids, tick_ats })
  const books = new Map(ticks.map(({ tick_at }) => [tick_at, new Map<string, Row>()]))
  for (const row of rows) books.get(toMicros(row.tick_at))!.set(String(row.outcome_id), row)
  return books as unknown as ReadonlyMap<Micros, BooksAtTick>
}
