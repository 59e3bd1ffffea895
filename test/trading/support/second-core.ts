import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import type { SecondFill, SlowMoving, SlowOrder, SlowPayment, SlowProtection, SlowRules } from './slow-records.ts'
import type { SlowResolution } from './slow-settlement.ts'

/** A slow, plain core of one market that a simulation compares with the real one: `SlowCore`, or `SlowLadder` of a complementary market. */
export interface SecondCore {
  readonly orders: readonly SlowOrder[]
  readonly fills: readonly SecondFill[]
  readonly payments: readonly SlowPayment[]
  /** The pool's own records that a rail settles. */
  readonly sets: readonly SlowMoving[]
  readonly deposits: Map<string, bigint>
  readonly lent: bigint
  readonly status: string
  readonly rules: SlowRules
  place(intent: OrderIntent, now: number): string | null
  amend(order_id: string, intent: OrderIntent, now: number): string | null
  readonly protections: ReadonlyMap<string, SlowProtection>
  readonly triggered: number
  quote(
    account_id: string,
    quote_set: string,
    intents: readonly OrderIntent[],
    now: number,
  ): string | readonly (string | null)[]
  protect(
    account_id: string,
    change: 'reset' | 'remove' | Pick<SlowProtection, 'count' | 'quantity' | 'window' | 'frozen'>,
    now: number,
  ): string | null
  cancel(account_id: string, order_id: string, now: number): string | null
  cancelAll(account_id: string, now: number): void
  move(to: string, now: number): void
  expire(now: number): void
  close(now: number): void
  bust(fill: SecondFill, now: number): void
  available(account_id: string): bigint
  balance(account_id: string): { total: bigint; reserved: bigint; debit: bigint; credit: bigint }
  net(account_id: string, outcome_id: string): bigint
  reservedFor(order: SlowOrder): bigint
  lendTo(account_id: string): bigint
  takeBack(account_id: string, laid_out: bigint): void
  /** Whether a resolution has paid what a bust of the fill would change. */
  isPaid(fill: SecondFill): boolean
  /**
   * Pays all that can be paid, or only positions that are named (`account outcome`).
   * @returns how many payments were made, how many positions wait for settlements, and how many could have been paid but were not named
   */
  pay(
    accounts: readonly string[],
    resolution: SlowResolution,
    only?: ReadonlySet<string>,
  ): { paid: number; waiting: number; left: number }
}
