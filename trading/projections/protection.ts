import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { MarketMakerProtection } from '../../protocol/resources/market-maker-protection.ts'
import type { Protection } from '../order/protection.ts'
import type { ProtectionRow } from './rows.ts'

/** Returns the public form of a protection. */
export function protectionResource(
  protection: Omit<ProtectionRow, 'window_fills' | 'is_active'>,
  quantity_scale: number,
): MarketMakerProtection {
  const { quantity_max, frozen_until, triggered_at } = protection
  const instant = (at: Micros | null) => (at === null ? null : formatMicros(at))
  return {
    account_id: protection.account_id,
    market_id: protection.market_id,
    fill_count_max: protection.fill_count_max,
    quantity_max: quantity_max === null ? null : fromScaled(BigInt(quantity_max), quantity_scale),
    window_ms: protection.window_ms,
    frozen_ms: protection.frozen_ms,
    frozen_until: instant(frozen_until),
    triggered_at: instant(triggered_at),
    trigger_count: protection.trigger_count,
    updated_at: formatMicros(protection.updated_at),
    engine_sequence: protection.engine_sequence,
  }
}

/** Returns a protection's row. */
export function protectionRow(protection: Protection): ProtectionRow {
  return { ...protection }
}
