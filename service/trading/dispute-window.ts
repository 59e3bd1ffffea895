import { durationMicros } from '../../primitives/instants.ts'
import type { MarketRead } from '../../trading/store/operator/operator-reads.ts'

const SANDBOX_WINDOW = 'PT1M'
const DEFAULT_WINDOW = 'PT24H'

/**
 * Returns the dispute window of a resolution in milliseconds: as requested, else as the market's listing defines, else a minute in a
 * sandbox and a day elsewhere.
 * @throws {ServiceError} VALIDATION_DURATION_INVALID
 */
export function disputeWindow(asked: string | undefined, market: MarketRead, environment: string): number {
  const text = asked ?? market.dispute_window ?? (environment === 'sandbox' ? SANDBOX_WINDOW : DEFAULT_WINDOW)
  return Math.ceil(durationMicros(text, 'dispute-window') / 1_000)
}
