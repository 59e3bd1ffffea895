import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { SettlementInstruction } from '../../engine/settlement-commands.ts'
import type { Pool } from '../create-pool.ts'
import { settlementRows } from './settlement-rows.ts'

/** A settlement that an attempt has to be made of, or whose attempt nobody has concluded. */
type DueSettlement = {
  readonly settlement_id: string
  /** Of the attempt that is to be made, or that is under way. */
  readonly attempt_number: number
  readonly is_under_way: boolean
}

/** An attempt that is under way: its amounts do not change until it is concluded. */
export type AttemptUnderWay = SettlementInstruction & { readonly submitted_at: Micros }

/** What waits for settlement in one asset. */
export type Backlog = {
  readonly asset_id: string
  readonly pending: number
  readonly submitted: number
  /** Failed, and tried again by itself. */
  readonly retrying: number
  /** Failed, and waiting for an operator. */
  readonly in_review: number
  /** Since when the oldest of those waits that settle by themselves; null: none does. */
  readonly oldest_at: Micros | null
}

/** A resolution that is not withdrawn and not paid out. */
export type OpenResolution = {
  readonly resolution_id: string
  readonly market_id: string
  readonly finality: string
  readonly dispute_window_ends_at: Micros
  readonly paid_count: number
  readonly paid_at: Micros | null
  /** Rises with each of its moves. */
  readonly engine_sequence: number
  /** Settlements of trades of its market that are not confirmed, or were reversed and not adjusted: positions of them are not paid yet. */
  readonly unconfirmed: number
}

type DueQuery = {
  readonly asset_id: string
  readonly now: Micros
  /** Wait after the first failure, and the greatest; it doubles from failure to failure. */
  readonly backoff_first_ms: number
  readonly backoff_max_ms: number
  /** An attempt that nobody has concluded for so long is anybody's. */
  readonly orphan_ms: number
  /** Settlements that came later are left to whoever settles usually; null: all. */
  readonly created_before: Micros | null
  readonly limit: number
}

/** What those who settle read of the trading database. */
export type SettlementWork = {
  listAssets(): Promise<readonly string[]>
  /** Oldest first. */
  dueSettlements(query: DueQuery): Promise<readonly DueSettlement[]>
  /** Those of these attempts that are under way. */
  attemptsUnderWay(attempt_ids: readonly string[]): Promise<readonly AttemptUnderWay[]>
  /** Of these settlements, those that are confirmed here. */
  confirmedAmong(settlement_ids: readonly string[]): Promise<readonly string[]>
  /** A line an asset. */
  backlog(): Promise<readonly Backlog[]>
  /** @param resolution_id null: every one that is open */
  openResolutions(resolution_id: string | null): Promise<readonly OpenResolution[]>
}

/** Over a pool of the trading database. Its methods throw SERVICE_UNAVAILABLE where that does not answer. */
export function settlementWork(pool: Pool): SettlementWork {
  const rows = settlementRows(pool)
  return {
    listAssets: async () => (await rows<{ asset_id: string }>('assets')).map(({ asset_id }) => asset_id),
    dueSettlements: (query) => {
      const { asset_id, now, backoff_first_ms, backoff_max_ms, orphan_ms, created_before, limit } = query
      const before = created_before === null ? null : formatMicros(created_before)
      return rows('due', asset_id, formatMicros(now), backoff_first_ms, backoff_max_ms, orphan_ms, before, limit)
    },
    attemptsUnderWay: (attempt_ids) => rows('under_way', attempt_ids),
    confirmedAmong: async (settlement_ids) =>
      (await rows<{ settlement_id: string }>('confirmed_among', settlement_ids)).map(
        ({ settlement_id }) => settlement_id,
      ),
    backlog: () => rows('backlog'),
    openResolutions: (resolution_id) => rows('open_resolutions', resolution_id),
  }
}
