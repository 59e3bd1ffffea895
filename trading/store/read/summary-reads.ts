import { invariant, ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { EquityPoint } from '../../../protocol/resources/account-summary.ts'
import { type MoneyAt, type PositionAt, periodStarts, type SummaryFacts } from '../../projections/account-summary.ts'
import { type EquityChange, equityPoints, equityStates } from '../../projections/equity.ts'
import type { AccountRow } from '../../projections/rows.ts'
import { headOf, type Query } from './snapshot.ts'
import type { Head } from './trading-reads.ts'

/** Most marks that one series looks up. */
const MARKS_MAX = 50_000

/** Reads what a summary is made of, as of the last batch up to an instant. */
export async function readSummary(
  query: Query,
  account_id: string,
  as_of: Micros | null,
): Promise<{ readonly head: Head; readonly facts: SummaryFacts }> {
  const head = await headOf(query, as_of)
  const [account] = await query<AccountRow>('find_account', [account_id])
  invariant(account !== undefined, `the account ${account_id} of a key is known`)
  const at = as_of ?? head.at
  const starts = periodStarts(at, account.created_at)
  // A batch at the very beginning of a period belongs to it.
  const heads = await inTurn(starts, ({ from }) => headOf(query, from - 1))
  const fees = await query<{ readonly place: number; readonly asset_id: string; readonly fees: number }>(
    'summary_fees',
    [account_id, heads.map(({ engine_sequence }) => engine_sequence), head.engine_sequence],
  )
  const periods = await inTurn(
    starts.map((start, n) => ({ ...start, n })),
    async ({ period, from, n }) => ({
      period,
      from,
      positions: await positionsAt(query, account_id, heads[n]!, from - 1),
      fees: new Map(fees.filter(({ place }) => place === n + 1).map((row) => [row.asset_id, row.fees])),
    }),
  )
  const money = await query<MoneyAt>('summary_money', [account_id, head.engine_sequence])
  const positions = await positionsAt(query, account_id, head, at)
  return { head, facts: { account_id, as_of: at, money, positions, periods } }
}

/** Reads the positions after a batch, with the marks of an instant. */
function positionsAt(query: Query, account_id: string, { engine_sequence }: Head, at: Micros) {
  return query<PositionAt>('summary_positions', [account_id, engine_sequence, formatMicros(at)])
}

/** Reads what an account was worth at some instants, which ascend. @throws {ServiceError} VALIDATION_QUERY_LIMIT */
export async function readEquity(
  query: Query,
  account_id: string,
  asset_id: string | null,
  instants: readonly Micros[],
): Promise<{ readonly head: Head; readonly points: readonly EquityPoint[] }> {
  const last = instants.at(-1)
  const head = await headOf(query, last ?? null)
  if (last === undefined) return { head, points: [] }
  const changes = await query<EquityChange>('equity_changes', [account_id, instants.map(formatMicros), asset_id])
  const states = equityStates(instants, changes)
  const asked = states.flatMap(({ at, held }) => held.map(({ outcome_id }) => ({ at, outcome_id })))
  if (asked.length > MARKS_MAX) throw tooMany(asked.length)
  const marks = await query<{ readonly mark: number | null }>('marks_at', [
    asked.map(({ outcome_id }) => outcome_id),
    asked.map(({ at }) => formatMicros(at)),
  ])
  const known = new Map(asked.map(({ at, outcome_id }, n) => [`${at} ${outcome_id}`, marks[n]!.mark]))
  return {
    head,
    points: states.flatMap((state) => equityPoints(state, (outcome_id) => known.get(`${state.at} ${outcome_id}`)!)),
  }
}

function tooMany(count: number): ServiceError {
  const message = `the series has ${count} holdings at its instants; allowed: at most ${MARKS_MAX}: choose a longer interval or a shorter range`
  return new ServiceError('VALIDATION_QUERY_LIMIT', message, { field: 'interval' })
}

/** Awaits one after the other: they share a connection. */
async function inTurn<A, R>(items: readonly A[], work: (item: A) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
