import type { LegData, QuoteColumns } from '../../pipelines/index/admission.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import { withFinalInstants } from '../../pipelines/market/final-instants.ts'
import type { MarketState, Resolution, Trade } from '../../pipelines/market/quote.ts'
import { outcomeIdOf } from '../../pipelines/revisions/identity.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import { toMicros } from '../../primitives/instants.ts'
import { BINARY_OUTCOMES, type Finality, type MarketStatus } from '../../vocabulary/market.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import { countingParameters, type KnownAtTick } from './counting.ts'
import { type QuoteBounds, type QuoteGroup, type QuoteTable, readLegRows, readQuoteTable } from './leg-records.ts'

export type LoadOptions = {
  /** Trades are read only for fixings. */
  readonly trades: boolean
  readonly known_at_tick: KnownAtTick
  /** Quotes to read; all when left out. */
  readonly quotes?: QuoteBounds | undefined
}

/**
 * Everything a session shows about some legs, before admission: quotes of the outcome and of its complement, resolutions,
 * market states and, for fixings, trades. A leg reads its own source series only.
 */
export async function loadLegData(
  session: ReadSession,
  legs: readonly Leg[],
  options: LoadOptions,
): Promise<ReadonlyMap<string, LegData>> {
  const market_ids = [...new Set(legs.map((leg) => leg.market_id))]
  const params = { market_ids, ...countingParameters(options.known_at_tick) }
  const quotes = await readQuoteTable(session, params, options.quotes ?? null)
  const rows = await readLegRows(session, params, options.trades)
  const groups = new Map(quotes.groups.map((group) => [groupKey(group.outcome_id, group.source_series_id), group]))
  const by_market = {
    resolutions: groupRows(rows.resolutions),
    states: groupRows(rows.states),
    trades: groupRows(rows.trades),
  }
  return new Map(legs.map((leg) => [leg.key, legData(leg, quotes, groups, by_market)]))
}

type RowsByMarket = {
  readonly resolutions: Map<string, Row[]>
  readonly states: Map<string, Row[]>
  readonly trades: Map<string, Row[]>
}

function legData(leg: Leg, quotes: QuoteTable, groups: ReadonlyMap<string, QuoteGroup>, rows: RowsByMarket): LegData {
  const series = leg.source_series_id ?? ''
  const other = complementLabel(leg.outcome)
  const other_group = other === null ? undefined : groups.get(groupKey(outcomeIdOf(leg.market_id, other), series))
  const ofSeries = (row: Row) => row.source_series_id === series
  return {
    quotes: quoteColumns(quotes, groups.get(groupKey(leg.outcome_id, series))),
    other: other_group === undefined ? null : quoteColumns(quotes, other_group),
    resolutions: withFinalInstants(
      (rows.resolutions.get(leg.market_id) ?? []).filter(ofSeries).map((row) => resolutionOf(row, leg.outcome_id)),
    ),
    states: (rows.states.get(leg.market_id) ?? []).map(stateOf),
    trades: (rows.trades.get(leg.market_id) ?? [])
      .filter((row) => row.outcome_id === leg.outcome_id && ofSeries(row))
      .map(tradeOf),
  }
}

/** The other outcome of a binary market; null for any other label. */
export function complementLabel(outcome: string): string | null {
  const [yes, no] = BINARY_OUTCOMES
  return outcome === yes ? no : outcome === no ? yes : null
}

/** Names an outcome as one series of its venue quotes it; '' = no series. */
export function groupKey(outcome_id: string, series: string): string {
  return `${outcome_id}\u001f${series}`
}

/** Rows by the text of a column, in their order. */
export function groupRows(rows: readonly Row[], column = 'market_id'): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = String(row[column])
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [row])
    else known.push(row)
  }
  return groups
}

/** A window of the table; a column without any value in it is left out. */
export function quoteColumns(table: QuoteTable, group: QuoteGroup | undefined): QuoteColumns {
  const { from, to } = group ?? { from: 0, to: 0 }
  const window = (column: Float64Array) => column.subarray(from, to)
  const optional = Object.entries(table.numbers).flatMap(([name, column]) => {
    const values = window(column)
    return values.every(Number.isNaN) ? [] : [[name, values]]
  })
  return {
    length: to - from,
    recordId: (row) => table.recordId(from + row),
    revision: table.revision.subarray(from, to),
    source_at: window(table.numbers.source_at),
    received_at: window(table.numbers.received_at),
    ...Object.fromEntries(optional),
  }
}

/** Returns the id by which a mark names a resolution: that of its first evidence, without one its own. */
export function evidenceIdOf(evidence: RowValue, resolution_id: RowValue): string {
  return String(records(evidence)[0]?.evidence_id ?? resolution_id)
}

/** A resolution record as one outcome sees it. */
export function resolutionOf(row: Row, outcome_id: string): Resolution {
  const payout = records(row.payouts).find((item) => item.outcome_id === outcome_id)?.payout
  return {
    resolution_id: String(row.resolution_id),
    evidence_id: evidenceIdOf(row.evidence, row.resolution_id),
    revision: row.revision as number,
    source_at: toMicros(row.source_at),
    received_at: toMicros(row.received_at),
    known_at: toMicros(row.known_at),
    finality: row.finality as Finality,
    payout: payout === undefined || payout === null ? null : parseDecimal(payout, 'payout'),
  }
}

/** A market record's status and schedule. */
export function stateOf(row: Row): MarketState {
  const schedule = (row.schedule ?? {}) as Row
  const instant = (value: RowValue) => (value === null || value === undefined ? null : toMicros(value))
  return {
    source_at: toMicros(row.source_at),
    received_at: toMicros(row.received_at),
    known_at: toMicros(row.known_at),
    revision: row.revision as number,
    status: (row.status ?? null) as MarketStatus | null,
    closes_at: instant(schedule.closes_at),
    expected_resolution_at: instant(schedule.expected_resolution_at),
  }
}

/** A trade record. */
export function tradeOf(row: Row): Trade {
  return {
    trade_id: String(row.trade_id),
    source_at: toMicros(row.source_at),
    price: parseDecimal(row.price, 'price'),
    quantity: parseDecimal(row.quantity, 'quantity'),
    received_at: toMicros(row.received_at),
    known_at: toMicros(row.known_at),
  }
}

function records(value: RowValue): readonly Row[] {
  return Array.isArray(value) ? (value as readonly Row[]) : []
}
