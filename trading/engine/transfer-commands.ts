import type { DecimalString } from '../../primitives/decimal.ts'
import type { TransferDirection } from '../../vocabulary/transfer.ts'

/** Terms of a transfer that an account asks for. */
export type TransferTerms = {
  readonly direction: TransferDirection
  readonly asset_id: string
  readonly amount: DecimalString
  readonly destination: string | null
}

/** Terms of a transfer as an operator sees and signs them. */
export type SeenTransfer = TransferTerms & { readonly account_id: string }

/** Returns the terms of a transfer that the act which ends it names. */
export function seenTransfer({ account_id, direction, asset_id, amount, destination }: SeenTransfer): SeenTransfer {
  return { account_id, direction, asset_id, amount, destination }
}

/** End of a transfer as the rail told it; an operator's act. */
export type ConcludeTransfer = {
  readonly kind: 'conclude_transfer'
  readonly transfer_id: string
  readonly result: 'confirmed' | 'failed'
  readonly external_reference: string | null
  /** Why it failed. */
  readonly failure: string | null
  /** The transfer as the operator saw it, so that its terms are signed; acts of earlier versions have none. */
  readonly transfer?: SeenTransfer
  /** A second operator, outside a sandbox. */
  readonly approved_by?: string
}
