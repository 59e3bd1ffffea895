import { withFinalInstants } from '../../pipelines/market/final-instants.ts'
import { outcomeUnder, type ResolvedBy, statusUnder } from '../../pipelines/market/resolved-market.ts'
import { type ChainRow, chainStatements } from '../../pipelines/revisions/statements.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type { Finality } from '../../vocabulary/market.ts'
import type { Row } from '../schema.ts'

/** Adds `final_at` to rows of one market: the instant at which their chain became final; null where a row is not final. */
export function withFinality(rows: readonly Row[]): Row[] {
  return chainsOf(rows).flatMap((chain) =>
    withFinalInstants(chain.map(finalityPoint)).map(({ row, final_at }) => ({
      ...row,
      final_at: final_at === null ? null : formatMicros(final_at),
    })),
  )
}

/** Returns what was stated about one market's resolution, first published first; rows that only confirm are left out. */
export function resolutionHistory(rows: readonly Row[]): Row[] {
  const stated = chainsOf(withFinality(rows)).flatMap((chain) =>
    chainStatements(chain as (Row & ChainRow)[], (row) => String(row.resolution_id)).map(({ row, confirmed_at }) => ({
      ...row,
      confirmed_at,
    })),
  )
  return stated.sort(inPublication)
}

/** Returns the statement that a current row makes or confirms. */
export function statedBy(history: readonly Row[], current: Row): Row {
  const chain = history.filter((row) => chainKey(row) === chainKey(current))
  const known = chain.filter(({ received_at }) => toMicros(received_at) <= toMicros(current.received_at))
  const newest = (a: Row, b: Row) =>
    toMicros(a.received_at) - toMicros(b.received_at) || (a.revision as number) - (b.revision as number)
  return known.sort(newest).at(-1) ?? current
}

/** Returns the columns of a market that its current resolution decides. */
export function resolvedFields(market: Row, resolution: Row | null): Row {
  const by = resolution as unknown as ResolvedBy | null
  if (by === null) return {}
  const outcomes = market.outcomes as readonly Row[] | null
  const paid = outcomes?.map((outcome) => ({ ...outcome, ...outcomeUnder(String(outcome.outcome_id), by) })) ?? null
  return { status: statusUnder((market.status ?? null) as string | null, by) as string | null, outcomes: paid }
}

function finalityPoint(row: Row) {
  return {
    row,
    source_at: toMicros(row.source_at),
    received_at: toMicros(row.received_at),
    revision: row.revision as number,
    finality: row.finality as Finality,
  }
}

function chainKey({ venue_id, source_series_id, source_market_id, source_at }: Row): string {
  return [venue_id, source_series_id ?? '', source_market_id, source_at].join('\u001f')
}

/** Chains of one market, each by revision. */
function chainsOf(rows: readonly Row[]): Row[][] {
  const chains = new Map<string, Row[]>()
  for (const row of rows) {
    const key = chainKey(row)
    const chain = chains.get(key)
    if (chain === undefined) chains.set(key, [row])
    else chain.push(row)
  }
  return [...chains.values()].map((chain) => chain.sort(byRevision))
}

function byRevision(a: Row, b: Row): number {
  return (a.revision as number) - (b.revision as number) || toMicros(a.received_at) - toMicros(b.received_at)
}

function inPublication(a: Row, b: Row): number {
  const times = toMicros(a.published_at) - toMicros(b.published_at)
  return times || (String(a.resolution_id) < String(b.resolution_id) ? -1 : 1)
}
