import { ServiceError } from '../../primitives/errors.ts'
import { hasScope, type Scope } from '../../protocol/signing/scopes.ts'
import type { WebhookEventType } from '../../vocabulary/webhook.ts'

/** Scope with which a key may read the records of a group of events; null: any key that may see webhooks. */
const SCOPE_OF: Readonly<Record<string, Scope | null>> = {
  settlement: 'settlement:read',
  payout: 'settlement:read',
  payout_correction: 'settlement:read',
  adjustment: 'orders:read',
  order: 'orders:read',
  transfer: 'account:read',
  account: 'account:read',
  market: 'account:read',
  api_key: 'keys:read',
  webhook: null,
}

/** Returns the types whose records a key with these scopes may read. */
export function readableTypes(
  scopes: readonly string[],
  types: readonly WebhookEventType[],
): readonly WebhookEventType[] {
  return types.filter((type) => {
    const scope = scopeOf(type)
    return scope === null || hasScope(scopes, scope)
  })
}

/**
 * Refuses events whose records the key may not read itself: it must not learn more by having them sent, or listed.
 * @throws {ServiceError} AUTH_SCOPE_INSUFFICIENT
 */
export function requireReadable(scopes: readonly string[], types: readonly WebhookEventType[]): void {
  const readable = new Set(readableTypes(scopes, types))
  const type = types.find((one) => !readable.has(one))
  if (type === undefined) return
  const needed = scopeOf(type)!
  throw new ServiceError('AUTH_SCOPE_INSUFFICIENT', `events of type ${type} need a key with the scope ${needed}`, {
    needed,
  })
}

function scopeOf(type: WebhookEventType): Scope | null {
  return SCOPE_OF[type.split('.')[0]!] ?? null
}
