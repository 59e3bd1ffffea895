import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { PAGE_BYTES_MAX } from '../../../protocol/limits.ts'
import type { SettlementParts, SettlementRead, SettlementWhole } from '../../projections/settlement.ts'
import { headOf, type List, type Query } from './snapshot.ts'
import type { Page, Part, SettlementFilters } from './trading-reads.ts'

export const NO_SETTLEMENT_FILTERS: SettlementFilters = {
  state: null,
  kind: null,
  market_id: null,
  fill_id: null,
  asset_id: null,
  created_after: null,
  created_before: null,
  updated_after: null,
  updated_before: null,
}

/** Reads a page of an account's settlements, or the one with an id, with all their parts. */
export async function readSettlements(
  { query, list }: { readonly query: Query; readonly list: List },
  account_id: string,
  filters: SettlementFilters,
  settlement_id: string | null,
  { after, limit }: Part,
): Promise<Page<SettlementWhole>> {
  const head = await headOf(query, null)
  const { state, kind, market_id, fill_id, asset_id } = filters
  const times = (bounds: readonly (Micros | null)[]) => bounds.map((at) => (at === null ? null : formatMicros(at)))
  const from = times([filters.created_after, filters.updated_after])
  const to = times([filters.created_before, filters.updated_before])
  const chosen = [state, kind, market_id, fill_id, asset_id, ...from, settlement_id]
  const cursor = after === null ? [null, null] : [formatMicros(after[0] as Micros), after[1]]
  const found = await list<SettlementRead>('list_settlements', [account_id, ...chosen, ...cursor, limit, ...to])
  const rows: SettlementWhole[] = []
  // Attempts and transitions may be far longer than the rows that they belong to.
  for (let bytes = 0; rows.length < found.rows.length && bytes < PAGE_BYTES_MAX; ) {
    const part = await wholeSettlements(query, found.rows.slice(rows.length, rows.length + WHOLE_AT_ONCE))
    bytes += Buffer.byteLength(JSON.stringify(part))
    rows.push(...part)
  }
  return { head, rows, cut: found.cut || rows.length < found.rows.length }
}

/** Settlements whose parts are read together. */
const WHOLE_AT_ONCE = 100

/** Adds attempts, transitions, reversal and adjustments to settlements; keeps their order. */
export async function wholeSettlements(query: Query, rows: readonly SettlementRead[]): Promise<SettlementWhole[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ settlement_id }) => settlement_id)
  const fill_ids = rows.flatMap(({ fill_id }) => fill_id ?? [])
  const attempts = await query<SettlementParts['attempts'][number]>('settlement_attempts', [ids])
  const transitions = await query<SettlementParts['transitions'][number]>('settlement_transitions', [ids])
  const reversals = await query<NonNullable<SettlementParts['reversal']>>('settlement_reversals', [ids])
  const adjustments = await query<SettlementParts['adjustments'][number]>('settlement_adjustments', [fill_ids])
  const [attempts_of, transitions_of] = [by(attempts, 'settlement_id'), by(transitions, 'settlement_id')]
  const [reversal_of, adjustments_of] = [by(reversals, 'settlement_id'), by(adjustments, 'fill_id')]
  return rows.map((row) => ({
    row,
    attempts: attempts_of.get(row.settlement_id) ?? [],
    transitions: transitions_of.get(row.settlement_id) ?? [],
    reversal: reversal_of.get(row.settlement_id)?.[0] ?? null,
    adjustments: (row.fill_id === null ? undefined : adjustments_of.get(row.fill_id)) ?? [],
  }))
}

function by<R, K extends keyof R>(rows: readonly R[], key: K): Map<R[K], R[]> {
  const groups = new Map<R[K], R[]>()
  for (const row of rows) {
    const group = groups.get(row[key])
    if (group === undefined) groups.set(row[key], [row])
    else group.push(row)
  }
  return groups
}
