import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { StatementEntry } from '../../protocol/resources/statement-entry.ts'
import { type StatementEntryRead, statementBucket, statementKind } from './statement.ts'

/** Returns the public form of an entry of an account's statement. */
export function statementEntryResource(account_id: string, entry: StatementEntryRead): StatementEntry {
  const { ledger_sequence, line, scale, fee, fee_scale } = entry
  const decimal = (value: number) => fromScaled(BigInt(value), scale)
  return {
    entry_id: `ent_${ledger_sequence}.${line}`,
    account_id,
    ledger_sequence,
    line,
    engine_sequence: entry.engine_sequence,
    booked_at: formatMicros(entry.at),
    kind: statementKind(entry),
    asset_id: entry.asset_id,
    bucket: statementBucket(entry),
    amount: decimal(entry.amount),
    bucket_after: decimal(entry.bucket_after),
    total_after: decimal(entry.total_after),
    fee: fee === null ? null : fromScaled(BigInt(fee), fee_scale!),
    schedule_id: entry.schedule_id,
    schedule_version: entry.schedule_version,
    market_id: entry.market_id,
    outcome_id: entry.outcome_id,
    order_id: entry.order_id,
    fill_id: entry.fill_id,
    trade_id: entry.trade_id,
    settlement_id: entry.settlement_id,
    adjustment_id: entry.adjustment_id,
    resolution_id: entry.resolution_id,
    transfer_id: entry.transfer_id,
  }
}
