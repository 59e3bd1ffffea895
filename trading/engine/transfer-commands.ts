import type { DecimalString } from '../../primitives/decimal.ts'
import type { TransferDirection } from '../../vocabulary/transfer.ts'

/** Terms of a transfer that an account asks for. */
export type TransferTerms = {
  readonly direction: TransferDirection
  readonly asset_id: string
  readonly amount: DecimalString
  readonly destination: string | null
}

/** End of a transfer as the rail told it; an operator's act. */
export type ConcludeTransfer = {
  readonly kind: 'conclude_transfer'
  readonly transfer_id: string
  readonly result: 'confirmed' | 'failed'
  readonly external_reference: string | null
  /** Why it failed. */
  readonly failure: string | null
  /** A second operator, outside a sandbox. */
  readonly approved_by?: string
}
