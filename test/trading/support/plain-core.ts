import type { SecondCore } from './second-core.ts'
import { SlowCore } from './slow-core.ts'
import type { SlowFill, SlowOrder } from './slow-records.ts'
import { reservedFor } from './slow-reserved.ts'
import { type SlowResolution, slowPaid, slowPay } from './slow-settlement.ts'

/** The slow core of a market whose outcomes have books of their own, as a simulation compares it. */
export class PlainCore extends SlowCore implements SecondCore {
  /** Such a market has no pool. */
  readonly sets = []

  reservedFor(order: SlowOrder): bigint {
    return reservedFor(this, order)
  }

  isPaid({ order: { intent } }: SlowFill): boolean {
    return slowPaid(this, intent.account_id, intent.outcome_id).length > 0
  }

  pay(accounts: readonly string[], resolution: SlowResolution) {
    return { ...slowPay(this, accounts, resolution), left: 0 }
  }
}
