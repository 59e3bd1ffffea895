/** Algorithms that sign requests. */
export const KEY_ALGORITHMS = ['hmac-sha256', 'ed25519'] as const
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number]

/** States of an API key. */
export const KEY_STATUSES = ['active', 'rotating', 'revoked', 'expired'] as const

/** Entries of a key's audit log: its changes, and its requests. */
export const KEY_ACTIONS = ['created', 'rotated', 'revoked', 'used', 'refused'] as const
export type KeyAction = (typeof KEY_ACTIONS)[number]

/**
 * Why a request with a key was refused, as the key's audit log shows it. `wrong_signature` was not sent by the key's holder as far as
 * anybody can tell; all others were signed by the key.
 */
export const KEY_REFUSALS = [
  'wrong_signature',
  'revoked',
  'expired',
  'other_environment',
  'address_not_allowed',
  'scope_missing',
  'timestamp_out_of_window',
  'nonce_reused',
  'owner_consent_missing',
] as const
export type KeyRefusal = (typeof KEY_REFUSALS)[number]
