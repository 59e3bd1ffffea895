import type { StatementKind } from '../../../vocabulary/ledger.ts'
import type { Query } from '../../data/api-client.ts'
import { instantOf } from '../../data/instant-text.ts'

/** Filters of the statement; null: none. */
export type StatementFilter = {
  readonly kind: StatementKind | 'fee' | null
  readonly asset_id: string | null
  readonly market_id: string | null
  /** Entries of the last days, in decimal digits. */
  readonly days: string | null
}

export const WHOLE_STATEMENT: StatementFilter = { kind: null, asset_id: null, market_id: null, days: null }

const DAY_MS = 86_400_000

/** Returns the query of a filter. @param now Unix epoch milliseconds */
export function queryOf({ days, ...equal }: StatementFilter, now: number): Query {
  const given = Object.entries(equal).filter(
    (pair): pair is [string, NonNullable<(typeof pair)[1]>] => pair[1] !== null,
  )
  const after = days === null ? {} : { booked_after: instantOf(now - Number(days) * DAY_MS) }
  return { ...Object.fromEntries(given), ...after }
}
