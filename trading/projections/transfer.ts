import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { Transfer } from '../../protocol/resources/transfer.ts'
import type { TransferRow } from './transfer-rows.ts'

/** Returns the public form of a transfer. */
export function transferResource(row: TransferRow, asset_scale: number): Transfer {
  return {
    transfer_id: row.transfer_id,
    account_id: row.account_id,
    direction: row.direction,
    asset_id: row.asset_id,
    amount: fromScaled(BigInt(row.amount), asset_scale),
    destination: row.destination,
    state: row.state,
    requested_at: formatMicros(row.requested_at),
    updated_at: formatMicros(row.updated_at),
    external_reference: row.external_reference,
    reason: row.reason,
    projection_version: row.projection_version,
    engine_sequence: row.engine_sequence,
  }
}
