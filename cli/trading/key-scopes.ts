/** All that a key may be used for: here so that `--help` loads nothing of the core; a test compares it with the protocol's. */
export const KEY_SCOPES: readonly string[] = [
  'market_data:read',
  'account:read',
  'orders:read',
  'orders:write',
  'settlement:read',
  'keys:write',
]
