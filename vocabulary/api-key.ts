/** Algorithms that sign requests. */
export const KEY_ALGORITHMS = ['hmac-sha256', 'ed25519'] as const
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number]

/** States of an API key. */
export const KEY_STATUSES = ['active', 'rotating', 'revoked', 'expired'] as const
