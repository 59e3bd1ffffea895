import { ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { OutcomePayout } from '../../engine/settlement-commands.ts'
import type { Pool } from '../create-pool.ts'
import { settlementRows } from './settlement-rows.ts'

/** A settlement as operators see it; amounts are decimals. */
type SettlementRead = {
  readonly settlement_id: string
  readonly state: string
  readonly kind: string
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly asset_id: string
  readonly side: string
  readonly quantity: string
  readonly amount: string
  readonly fee: string
  readonly fill_id: string | null
  readonly resolution_id: string | null
  readonly rail: string | null
  readonly attempt_count: number
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly confirmed_at: Instant | null
  /** Failure code of the last attempt. */
  readonly failure_code: string | null
  readonly message: string | null
  readonly next_action: string | null
}

type AttemptRead = {
  readonly attempt_id: string
  readonly attempt_number: number
  readonly rail: string
  readonly state: string
  readonly submitted_at: Instant
  readonly concluded_at: Instant | null
  readonly failure_code: string | null
  readonly message: string | null
  readonly retryable: boolean | null
  readonly next_action: string | null
  readonly external_reference: string | null
  readonly rail_response_reference: string | null
}

export type ResolutionRead = {
  readonly resolution_id: string
  readonly market_id: string
  readonly revision: number
  readonly verdict: string
  readonly finality: string
  readonly payouts: readonly OutcomePayout[]
  readonly dispute: { readonly dispute_id: string; readonly state: string } | null
  readonly dispute_window_ends_at: Instant
  readonly paid_count: number
  readonly paid_at: Instant | null
}

/** A position with settlements that hold up the payout of a final resolution. */
type WaitingPayout = {
  readonly market_id: string
  readonly resolution_id: string
  readonly finalized_at: Instant
  readonly account_id: string
  readonly outcome_id: string
  /** Settlements of its trades that are not confirmed, or were reversed and not adjusted. */
  readonly open_settlements: number
  /** Payouts that wait: all of a complementary market, else that of the position. */
  readonly holds_up: 'market' | 'position'
}

/** null: any. */
type SettlementFilter = {
  readonly state: string | null
  readonly account_id: string | null
  readonly market_id: string | null
  readonly asset_id: string | null
  readonly limit: number
}

/** Reads of settlements and resolutions for operators. Methods throw SERVICE_UNAVAILABLE if the database does not answer. */
export type SettlementReads = {
  /** Lists settlements, the last moved first. */
  listSettlements(filter: SettlementFilter): Promise<readonly SettlementRead[]>
  /** @throws {ServiceError} VALIDATION_USAGE_INVALID: unknown settlement */
  readSettlement(settlement_id: string): Promise<SettlementRead & { readonly attempts: readonly AttemptRead[] }>
  /** Lists positions whose settlements hold up payouts, the oldest resolution first. */
  listWaitingPayouts(limit: number): Promise<readonly WaitingPayout[]>
  /** Lists resolutions, newest revision first. */
  listResolutions(market_id: string): Promise<readonly ResolutionRead[]>
}

type SettlementRow = Omit<
  SettlementRead,
  'quantity' | 'amount' | 'fee' | 'created_at' | 'updated_at' | 'confirmed_at'
> & {
  readonly quantity: number
  readonly notional: number
  readonly fee: number
  readonly quantity_scale: number
  readonly asset_scale: number
  readonly created_at: Micros
  readonly updated_at: Micros
  readonly confirmed_at: Micros | null
}
type AttemptRow = Omit<AttemptRead, 'submitted_at' | 'concluded_at'> & {
  readonly submitted_at: Micros
  readonly concluded_at: Micros | null
}
type ResolutionRow = Omit<ResolutionRead, 'dispute_window_ends_at' | 'paid_at'> & {
  readonly dispute_window_ends_at: Micros
  readonly paid_at: Micros | null
}

/** Creates the reads over a pool of the trading database. */
export function settlementReads(pool: Pool): SettlementReads {
  const rows = settlementRows(pool)
  return {
    listSettlements: async ({ state, account_id, market_id, asset_id, limit }) => {
      const values = [null, state, account_id, market_id, asset_id, limit]
      return (await rows<SettlementRow>('operator_settlements', ...values)).map(settlementRead)
    },
    readSettlement: async (settlement_id) => {
      const values = [settlement_id, null, null, null, null, 1]
      const [row] = await rows<SettlementRow>('operator_settlements', ...values)
      if (row === undefined) {
        const message = `settlement is ${settlement_id}; allowed: one that \`tidemark settlement list\` shows`
        throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'settlement', value: settlement_id })
      }
      const attempts = await rows<AttemptRow>('operator_attempts', settlement_id)
      return { ...settlementRead(row), attempts: attempts.map(attemptRead) }
    },
    listWaitingPayouts: async (limit) =>
      (
        await rows<Omit<WaitingPayout, 'finalized_at'> & { readonly finalized_at: Micros }>('waiting_payouts', limit)
      ).map((row) => ({ ...row, finalized_at: formatMicros(row.finalized_at) })),
    listResolutions: async (market_id) =>
      (await rows<ResolutionRow>('operator_resolutions', market_id)).map(resolutionRead),
  }
}

const instant = (at: Micros | null) => (at === null ? null : formatMicros(at))

function settlementRead(row: SettlementRow): SettlementRead {
  const { quantity, notional, fee, quantity_scale, asset_scale, created_at, updated_at, confirmed_at, ...facts } = row
  return {
    ...facts,
    quantity: fromScaled(BigInt(quantity), quantity_scale),
    amount: fromScaled(BigInt(notional), asset_scale),
    fee: fromScaled(BigInt(fee), asset_scale),
    created_at: formatMicros(created_at),
    updated_at: formatMicros(updated_at),
    confirmed_at: instant(confirmed_at),
  }
}

function attemptRead(row: AttemptRow): AttemptRead {
  return { ...row, submitted_at: formatMicros(row.submitted_at), concluded_at: instant(row.concluded_at) }
}

function resolutionRead(row: ResolutionRow): ResolutionRead {
  const { dispute_window_ends_at, paid_at } = row
  return { ...row, dispute_window_ends_at: formatMicros(dispute_window_ends_at), paid_at: instant(paid_at) }
}
