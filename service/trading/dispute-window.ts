import { durationMicros } from '../../primitives/instants.ts'
import type { MarketRead } from '../../trading/store/operator/operator-reads.ts'

const SANDBOX = 'PT1M'
const USUAL = 'PT24H'

/**
 * How long a resolution is open to dispute: as asked for, else as the market's listing says, else a minute in a sandbox and a day
 * elsewhere. Milliseconds.
 * @throws {ServiceError} VALIDATION_DURATION_INVALID
 */
export function disputeWindow(asked: string | undefined, market: MarketRead, environment: string): number {
  const text = asked ?? market.dispute_window ?? (environment === 'sandbox' ? SANDBOX : USUAL)
  return Math.ceil(durationMicros(text, 'dispute-window') / 1_000)
}
