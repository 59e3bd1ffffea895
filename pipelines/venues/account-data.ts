import type { RedactionRule } from './outcomes.ts'
import type { VenuePayload } from './record.ts'

/** A payload as it may be kept, and the rules by which something was removed from it. */
export type KeptPayload = { readonly payload: VenuePayload; readonly redactions?: readonly RedactionRule[] }

/** Answers and messages about one account, by the venues' own names. */
const ENDPOINTS =
  /^(?:ws user|ws (?:fill|user_orders?|market_positions?)|[A-Z]+ \/(?:portfolio|positions|closed-positions|activity|holders|value|data\/(?:orders?|trades)|orders?|v0\/(?:me|user))\b)/

/** Returns whether a payload is about one account: its orders, fills or positions. Such a payload has no public record. */
export function isAccountData({ endpoint }: Pick<VenuePayload, 'endpoint'>): boolean {
  return ENDPOINTS.test(endpoint)
}

/** Returns a payload reduced to its receipt. */
export function withoutText(payload: VenuePayload): KeptPayload {
  return { payload: { ...payload, request: null, text: '' }, redactions: ['ACCOUNT_DATA'] }
}
