import type { Micros } from '../../primitives/instants.ts'

/** Fills of one instant; all of a batch have the same. */
export type FillsAt = { readonly at: Micros; readonly count: number; readonly quantity: number }

/**
 * Rule of an account in one market: too many fills of its resting orders within a window cancel all of its orders there and freeze it for
 * a time. All instants are the engine's.
 */
export type Protection = {
  readonly account_id: string
  readonly market_id: string
  /** Number of fills within the window that triggers it. */
  fill_count_max: number
  /** Filled quantity within the window that triggers it, at the scale of the market; null: any may be filled. */
  quantity_max: number | null
  window_ms: number
  frozen_ms: number
  /** Fills that may still count, oldest first; none before the last trigger, reset or change. */
  window_fills: readonly FillsAt[]
  /** End of the freeze after the last trigger; it may have passed. null: not triggered, or reset since. */
  frozen_until: Micros | null
  triggered_at: Micros | null
  trigger_count: number
  /** false: it was removed. */
  is_active: boolean
  updated_at: Micros
  /** Sequence of its last event. */
  engine_sequence: number
}

/** Fills and quantity that may follow until a protection is triggered; the quantity without a limit is the largest number. */
export type Allowance = { readonly count: number; readonly quantity: number }

/** Quantity that no order exceeds. */
export const ANY_QUANTITY = Number.MAX_SAFE_INTEGER

/** Returns how many fills, and which quantity, may follow now. One of the two is 0 once the protection must be triggered. */
export function allowanceOf(protection: Protection, now: Micros): Allowance {
  const { fill_count_max, quantity_max } = protection
  let [count, quantity] = [fill_count_max, quantity_max ?? ANY_QUANTITY]
  for (const fills of fillsInWindow(protection, now)) {
    count -= fills.count
    if (quantity_max !== null) quantity -= fills.quantity
  }
  return { count: Math.max(count, 0), quantity: Math.max(quantity, 0) }
}

/** Counts a fill among those of the window, and forgets older ones. */
export function addFill(protection: Protection, now: Micros, quantity: number): void {
  const kept = fillsInWindow(protection, now)
  const last = kept.at(-1)
  protection.window_fills =
    last?.at === now
      ? [...kept.slice(0, -1), { at: now, count: last.count + 1, quantity: last.quantity + quantity }]
      : [...kept, { at: now, count: 1, quantity }]
}

/** Returns what is left of an allowance after a fill. */
export function lessFill({ count, quantity }: Allowance, filled: number): Allowance {
  return { count: count - 1, quantity: quantity === ANY_QUANTITY ? quantity : quantity - filled }
}

/** Whether the fills so far trigger a protection. */
export function isSpent({ count, quantity }: Allowance): boolean {
  return count <= 0 || quantity <= 0
}

/** Whether a protection refuses orders now. */
export function isFrozen({ frozen_until }: Protection, now: Micros): boolean {
  return frozen_until !== null && frozen_until > now
}

function fillsInWindow({ window_fills, window_ms }: Protection, now: Micros): readonly FillsAt[] {
  const after = now - window_ms * 1000
  return window_fills.filter(({ at }) => at > after)
}
