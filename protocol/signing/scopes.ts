import type { Hex, KeccakOfText } from './typed-data.ts'

/** Permissions of a key. */
export const SCOPES = [
  'market_data:read',
  'account:read',
  'orders:read',
  'orders:write',
  'settlement:read',
  'transfers:write',
  'webhooks:write',
  'keys:read',
  'keys:write',
] as const

export type Scope = (typeof SCOPES)[number]

/** Returns whether a key with these scopes has a permission; who may change keys may also read them. */
export function hasScope(scopes: readonly string[], needed: Scope): boolean {
  return scopes.includes(needed) || (needed === 'keys:read' && scopes.includes('keys:write'))
}

/** The text whose Keccak-256 is an authorization's `scopes_hash`: each scope once, sorted, joined by one space. */
export function scopesText(scopes: readonly string[]): string {
  return [...new Set(scopes)].sort().join(' ')
}

/** `scopes_hash` of a SvcApiAuthorization. */
export function scopesHash(scopes: readonly string[], keccak: KeccakOfText): Hex {
  return keccak(scopesText(scopes))
}
