import type { EngineEvent } from '../../trading/engine/events.ts'
import type { WebhookEventType } from '../../vocabulary/webhook.ts'

/** Kinds of engine events that belong to one account and make webhook events. */
export type AccountKind = Extract<
  EngineEvent['kind'],
  'fill' | 'settlement' | 'adjustment' | 'transfer' | 'order' | 'account' | 'key' | 'webhook'
>

/** Kinds of engine events that the types of one group follow from. */
const KINDS: Readonly<Record<string, readonly (AccountKind | 'market')[]>> = {
  settlement: ['settlement'],
  payout: ['settlement'],
  payout_correction: ['settlement'],
  adjustment: ['adjustment'],
  transfer: ['transfer'],
  order: ['order'],
  account: ['account'],
  api_key: ['key'],
  webhook: ['webhook'],
  market: ['market'],
}

/** Returns the kinds of engine events that types of events follow from, each once. A settlement begins with its fill. */
export function kindsOf(types: readonly WebhookEventType[]): readonly (AccountKind | 'market')[] {
  const kinds = types.flatMap((type) => KINDS[type.split('.')[0]!] ?? [])
  return [...new Set(types.includes('settlement.created') ? [...kinds, 'fill' as const] : kinds)]
}
