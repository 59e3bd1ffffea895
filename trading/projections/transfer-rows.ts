import type { Micros } from '../../primitives/instants.ts'
import type { TransferDirection, TransferState } from '../../vocabulary/transfer.ts'

/** A deposit or withdrawal that an account asked for; its state changes, its terms never do. */
export type TransferRow = {
  readonly transfer_id: string
  readonly account_id: string
  readonly direction: TransferDirection
  readonly asset_id: string
  /** In the asset's smallest unit. */
  readonly amount: number
  /** Account at the rail that the money goes to; null for a deposit. */
  readonly destination: string | null
  readonly state: TransferState
  readonly command_id: string
  readonly requested_at: Micros
  readonly updated_at: Micros
  /** Reference of the rail that ended it; null: none yet. */
  readonly external_reference: string | null
  /** Why it failed or was canceled; null: it was not. */
  readonly reason: string | null
  readonly projection_version: number
  readonly engine_sequence: number
}
