import { millisOf } from '../../data/instant-text.ts'
import type { Proposal } from './words.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Next instant at which something happens to a proposal by itself. */
export type Deadline = { readonly what: string; readonly at: string }

/** Returns what a proposal waits for; null: for nothing. */
export function deadlineOf(proposal: Proposal): Deadline | null {
  const { state, comment_ends_at, vote_ends_at, effective_at, expires_at, lapses_at } = proposal
  if (state === 'consulting') return { what: 'Comments end', at: comment_ends_at }
  if (state === 'proposed' && vote_ends_at !== null) return { what: 'Vote ends', at: vote_ends_at }
  if (state === 'draft' || state === 'proposed') return { what: 'Expires', at: expires_at }
  if ((state === 'queued' || state === 'approved') && effective_at !== null)
    return { what: 'Notice ends', at: effective_at }
  if (state === 'effective' && lapses_at !== null) return { what: 'Lapses unless ratified', at: lapses_at }
  return null
}

/** Formats the time until an instant in its two largest units: "in 3 d 4 h", "in 12 min 5 s", "due 2 h 0 min ago". */
export function showRemaining(at: string, now_ms: number): string {
  const remaining = millisOf(at) - now_ms
  const span = spanText(Math.abs(remaining))
  return remaining >= 0 ? `in ${span}` : `due ${span} ago`
}

function spanText(millis: number): string {
  const units = [
    [DAY, 'd', HOUR, 'h'],
    [HOUR, 'h', MINUTE, 'min'],
    [MINUTE, 'min', SECOND, 's'],
  ] as const
  const found = units.find(([large]) => millis >= large)
  if (found === undefined) return `${Math.floor(millis / SECOND)} s`
  const [large, name, small, small_name] = found
  return `${Math.floor(millis / large)} ${name} ${Math.floor((millis % large) / small)} ${small_name}`
}

/** Time before an expiry from which the page warns. */
const WARN_MS = 30 * DAY

/** State of something that expires; null: it does not, or not within 30 days. */
export function expiryOf(at: string | null, now_ms: number): 'expired' | 'soon' | null {
  if (at === null) return null
  const remaining = millisOf(at) - now_ms
  if (remaining <= 0) return 'expired'
  return remaining <= WARN_MS ? 'soon' : null
}

/** State of a key at an instant. */
export function keyState(
  key: { readonly valid_from: string; readonly valid_to: string | null; readonly revoked_at: string | null },
  now_ms: number,
): 'valid' | 'not yet valid' | 'expired' | 'expires soon' | 'revoked' {
  if (key.revoked_at !== null && millisOf(key.revoked_at) <= now_ms) return 'revoked'
  if (millisOf(key.valid_from) > now_ms) return 'not yet valid'
  const expiry = expiryOf(key.valid_to, now_ms)
  return expiry === null ? 'valid' : expiry === 'soon' ? 'expires soon' : 'expired'
}
