import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import {
  type Bases,
  firstOfAssets,
  runningEntries,
  type StatementCause,
  type StatementLine,
  statementKind,
  transactionsOf,
  withCauses,
} from '../../projections/statement.ts'
import { headOf, type Query } from './snapshot.ts'
import type { Head, Part, StatementFilters, StatementPage } from './trading-reads.ts'

/** Entries read for one page where a filter may leave most of them out; the page then has fewer records than asked for. */
const READ_MAX = 5_000
/** Above every line of a transaction. */
const LAST_LINE = 32_767

/** Reads a page of an account's statement, oldest entry first, as of the last batch up to an instant. */
export async function readStatement(
  query: Query,
  account_id: string,
  filters: StatementFilters,
  as_of: Micros | null,
  { after, limit }: Part,
): Promise<StatementPage> {
  const head = await headOf(query, as_of)
  const { kind, market_id, asset_id } = filters
  const is_sparse = kind !== null || market_id !== null
  const count = is_sparse ? Math.max(READ_MAX, limit + 1) : limit + 1
  const [start, upto] = await boundsOf(query, filters, head, after)
  const window = await query<StatementLine>('statement_window', [account_id, asset_id, ...start, upto, count])
  const { engine_sequence_after: low, engine_sequence_before: high } = filters
  const inside = window.filter(({ engine_sequence: at }) => (low === null || at > low) && (high === null || at < high))
  const running = runningEntries(inside, await basesOf(query, account_id, inside))
  const of_kind = kind === null || kind === 'fee' ? running : running.filter((entry) => statementKind(entry) === kind)
  const entries = withCauses(of_kind, await causesOf(query, account_id, of_kind))
  const matching = entries.filter(
    (entry) => (market_id === null || entry.market_id === market_id) && (kind !== 'fee' || (entry.fee ?? 0) !== 0),
  )
  const rows = matching.slice(0, limit)
  const last = rows.length < matching.length ? rows.at(-1) : window.length < count ? undefined : window.at(-1)
  const is_over = last === undefined || (high !== null && last.engine_sequence >= high)
  return { head, rows, next: is_over ? null : [last.ledger_sequence, last.line] }
}

/** Returns the entry before the page, and the last transaction that it may show. */
async function boundsOf(query: Query, filters: StatementFilters, head: Head, after: Part['after']) {
  const { booked_after, booked_before, engine_sequence_after, engine_sequence_before } = filters
  const asked = [booked_after, booked_before, engine_sequence_after, engine_sequence_before]
  // Most pages have no bounds: each query less is a round trip less.
  if (asked.every((bound) => bound === null)) return [after ?? [0, LAST_LINE], head.ledger_sequence] as const
  const times = [booked_after, booked_before].map((at) => (at === null ? null : formatMicros(at)))
  const [bounds] = await query<{ readonly after_sequence: number; readonly upto_sequence: number | null }>(
    'statement_bounds',
    [...times, engine_sequence_after, engine_sequence_before],
  )
  const { after_sequence, upto_sequence } = bounds!
  const upto = Math.min(head.ledger_sequence, upto_sequence ?? head.ledger_sequence)
  const start = after === null ? [after_sequence, LAST_LINE] : after
  return [start, upto] as const
}

async function basesOf(query: Query, account_id: string, lines: readonly StatementLine[]): Promise<Bases> {
  const first = firstOfAssets(lines)
  if (first.length === 0) return new Map()
  const columns = [
    first.map(({ asset_id }) => asset_id),
    first.map(({ is_cash }) => is_cash),
    first.map(({ ledger_sequence }) => ledger_sequence),
    first.map(({ line }) => line),
    first.map(({ engine_sequence }) => engine_sequence),
  ]
  const rows = await query<{ readonly asset_id: string; readonly bucket: string; readonly amount: number }>(
    'statement_before',
    [account_id, ...columns],
  )
  return new Map(rows.map(({ asset_id, bucket, amount }) => [`${asset_id} ${bucket}`, amount]))
}

async function causesOf(
  query: Query,
  account_id: string,
  lines: readonly StatementLine[],
): Promise<ReadonlyMap<number, StatementCause>> {
  const asked = transactionsOf(lines)
  if (asked.length === 0) return new Map()
  const rows = await query<StatementCause>('statement_causes', [
    account_id,
    asked.map(({ kind }) => kind),
    asked.map(({ reference_id }) => reference_id),
    asked.map(({ engine_sequence }) => engine_sequence),
  ])
  return new Map(asked.map(({ ledger_sequence }, place) => [ledger_sequence, rows[place]!]))
}
