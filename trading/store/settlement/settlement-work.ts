import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { SettlementInstruction } from '../../engine/settlement-commands.ts'
import type { Pool } from '../create-pool.ts'
import { settlementRows } from './settlement-rows.ts'

/** A settlement due for an attempt, or whose attempt was never concluded. */
type DueSettlement = {
  readonly settlement_id: string
  /** Number of the attempt to make, or of the one in progress. */
  readonly attempt_number: number
  readonly is_under_way: boolean
}

/** An attempt in progress: its amounts do not change until it is concluded. */
export type AttemptUnderWay = SettlementInstruction & { readonly submitted_at: Micros }

/** Settlement backlog of one asset. */
export type Backlog = {
  readonly asset_id: string
  readonly pending: number
  readonly submitted: number
  /** Failed, and retried automatically. */
  readonly retrying: number
  /** Failed, and waiting for an operator. */
  readonly in_review: number
  /** Age base of the oldest settlement that settles automatically; null: none. */
  readonly oldest_at: Micros | null
}

/** A resolution neither withdrawn nor paid out. */
export type OpenResolution = {
  readonly resolution_id: string
  readonly market_id: string
  readonly finality: string
  readonly dispute_window_ends_at: Micros
  readonly paid_count: number
  readonly paid_at: Micros | null
  /** Rises with each of its moves. */
  readonly engine_sequence: number
  /** Unconfirmed or reversed-but-not-adjusted settlements of trades in its market: their positions are not paid yet. */
  readonly unconfirmed: number
}

type DueQuery = {
  readonly asset_id: string
  readonly now: Micros
  /** Wait after the first failure, and the longest wait; it doubles with every failure. */
  readonly backoff_first_ms: number
  readonly backoff_max_ms: number
  /** Time after which an unconcluded attempt may be taken over. */
  readonly orphan_ms: number
  /** Later settlements are left to the regular settler; null: all are taken. */
  readonly created_before: Micros | null
  readonly limit: number
}

/** Reads of the settlers. */
export type SettlementWork = {
  listAssets(): Promise<readonly string[]>
  /** Oldest first. */
  dueSettlements(query: DueQuery): Promise<readonly DueSettlement[]>
  /** Returns the attempts in progress among these ids. */
  attemptsUnderWay(attempt_ids: readonly string[]): Promise<readonly AttemptUnderWay[]>
  /** Returns the confirmed settlements among these ids. */
  confirmedAmong(settlement_ids: readonly string[]): Promise<readonly string[]>
  /** Returns one entry per asset. */
  backlog(): Promise<readonly Backlog[]>
  /** @param resolution_id null: all open ones */
  openResolutions(resolution_id: string | null): Promise<readonly OpenResolution[]>
}

/** Creates the reads over a pool of the trading database. Methods throw SERVICE_UNAVAILABLE if it does not answer. */
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
