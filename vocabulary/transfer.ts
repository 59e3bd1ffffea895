/** Ways that money takes: into an account, or out of it. */
export const TRANSFER_DIRECTIONS = ['deposit', 'withdrawal'] as const
export type TransferDirection = (typeof TRANSFER_DIRECTIONS)[number]

/** States of a transfer: a deposit is requested first, a withdrawal is held; the rail ends both, or the account cancels. */
export const TRANSFER_STATES = ['requested', 'held', 'confirmed', 'failed', 'canceled'] as const
export type TransferState = (typeof TRANSFER_STATES)[number]

/** States of a transfer that may still be confirmed. */
export const OPEN_TRANSFER_STATES: readonly TransferState[] = ['requested', 'held']
