import type { Random } from '../../../simulator/world/random.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'

/** One thing that happens on the day. */
export type DayStep =
  | { readonly kind: 'order'; readonly account_id: string; readonly order: Partial<OrderIntent> }
  /** `order`: ordinal of the order within the day. */
  | { readonly kind: 'cancel'; readonly order: number }
  | { readonly kind: 'pause' | 'open'; readonly market_id: string }
  /** Until nothing settles by itself any more; what waits for an operator is retried by one. */
  | { readonly kind: 'settled' }
  /** The rail takes back `count` confirmed settlements; they are reversed here and their fills undone. */
  | { readonly kind: 'reverse'; readonly count: number }
  | {
      readonly kind: 'propose'
      readonly resolution_id: string
      readonly market_id: string
      readonly verdict: 'resolved' | 'voided'
      readonly payouts: readonly [string, string]
      readonly window_ms: number
    }
  | { readonly kind: 'dispute'; readonly resolution_id: string; readonly upheld: boolean }
  /** Until everything of it is paid. */
  | { readonly kind: 'paid'; readonly resolution_id: string }
  /** Everything that is available: what a correction cannot take back is the house's then. */
  | { readonly kind: 'withdraw'; readonly account_id: string }
  | {
      readonly kind: 'correct'
      readonly resolution_id: string
      readonly supersedes_id: string
      readonly payouts: readonly [string, string]
    }

export const DAY_MARKETS = ['mkt_day_1', 'mkt_day_2'] as const
export const DAY_ACCOUNTS = ['acct_d1', 'acct_d2', 'acct_d3', 'acct_d4', 'acct_d5', 'acct_d6'] as const
const REVERSED = 4
const LONG_MS = 3_600_000
const SHORT_MS = 400

export const outcomesOf = (market_id: string) => [`out_${market_id}_yes`, `out_${market_id}_no`] as const

/** A day of so many orders in two markets, as a seed decides. */
export function dayScript(random: Random, orders: number): readonly DayStep[] {
  const [first, second] = DAY_MARKETS
  const third = Math.ceil(orders / 3)
  const steps: DayStep[] = []
  let placed = 0
  const trade = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      steps.push(orderOf(random))
      placed += 1
      if (random.below(8) === 0) steps.push({ kind: 'cancel', order: random.below(placed) })
    }
  }
  trade(third)
  steps.push({ kind: 'pause', market_id: first })
  trade(Math.ceil(third / 4))
  steps.push({ kind: 'open', market_id: first })
  trade(third)
  steps.push({ kind: 'settled' }, { kind: 'reverse', count: REVERSED }, { kind: 'settled' })
  trade(orders - placed)
  const propose = { kind: 'propose', market_id: first, verdict: 'resolved', payouts: ['1', '0'] } as const
  steps.push(
    { ...propose, resolution_id: 'res_day_1', window_ms: LONG_MS },
    { kind: 'dispute', resolution_id: 'res_day_1', upheld: true },
    { ...propose, resolution_id: 'res_day_2', window_ms: SHORT_MS },
    { kind: 'settled' },
    { kind: 'paid', resolution_id: 'res_day_2' },
    { kind: 'settled' },
    ...DAY_ACCOUNTS.map((account_id) => ({ kind: 'withdraw', account_id }) as const),
    { kind: 'correct', resolution_id: 'res_day_3', supersedes_id: 'res_day_2', payouts: ['0', '1'] },
    { kind: 'paid', resolution_id: 'res_day_3' },
    { kind: 'settled' },
    {
      kind: 'propose',
      resolution_id: 'res_day_4',
      market_id: second,
      verdict: 'voided',
      payouts: ['0.5', '0.5'],
      window_ms: SHORT_MS,
    },
    { kind: 'settled' },
    { kind: 'paid', resolution_id: 'res_day_4' },
    { kind: 'settled' },
  )
  return steps
}

/** Whether many of a kind follow each other, and none waits for what was killed before. */
export function isOfMany({ kind }: DayStep): boolean {
  return kind === 'order' || kind === 'cancel'
}

/** Prices near each other, so that most of them trade. */
function orderOf(random: Random): DayStep {
  const market_id = DAY_MARKETS[random.below(DAY_MARKETS.length)]!
  const side = random.below(2) === 0 ? 'BUY' : 'SELL'
  const cents = side === 'BUY' ? random.between(44, 60) : random.between(40, 56)
  const order = {
    market_id,
    outcome_id: outcomesOf(market_id)[random.below(2)]!,
    side,
    limit_price: `0.${cents}`,
    quantity: `${random.between(1, 40)}`,
    time_in_force: random.below(6) === 0 ? 'FAK' : 'GTC',
    cancel_on_pause: random.below(2) === 0,
  } as const
  return { kind: 'order', account_id: DAY_ACCOUNTS[random.below(DAY_ACCOUNTS.length)]!, order }
}
