import { fromScaled } from '../../../primitives/scaled.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { pick } from '../../support/random.ts'
import type { SlowLadder } from './slow-ladder.ts'

type Random = () => number
type Terms = Partial<OrderIntent>

const SECOND = 1_000_000

/** Draws an order of any kind, mostly at a price where it meets others. */
export function drawTerms(random: Random, outcomes: readonly string[], now: number) {
  const time_in_force = pick(['GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK'] as const, random)
  const rests = time_in_force === 'GTC' || time_in_force === 'GTD'
  const cents = random() < 0.85 ? 48 + Math.floor(random() * 5) : 1 + Math.floor(random() * 99)
  const hundredths = random() < 0.85 ? 1 + Math.floor(random() * 40) : 1 + Math.floor(random() * 5_000)
  return {
    side: pick(['BUY', 'SELL'] as const, random),
    outcome_id: pick(outcomes, random),
    limit_price: (cents / 100).toFixed(2),
    quantity: (hundredths / 100).toFixed(2),
    time_in_force,
    expires_at: time_in_force === 'GTD' ? now + (2 + Math.floor(random() * 30)) * SECOND : null,
    post_only: rests && random() < 0.25,
    reduce_only: random() < 0.3,
    cancel_on_pause: random() < 0.5,
    self_trade_prevention: pick(['cancel_taker', 'cancel_maker', 'cancel_both'] as const, random),
  }
}

/** Turns a reduce_only order mostly to the side that reduces; on one ladder a BUY of the other outcome does too. */
export function aimedAtHolding(slow: SlowLadder, random: Random, account_id: string, terms: Terms): Terms {
  if (terms.reduce_only !== true) return terms
  const sells = slow.net(account_id, terms.outcome_id!) > 0n
  return { ...terms, side: random() < 0.8 === sells ? 'SELL' : 'BUY' }
}

/** A reduce_only order for all that an account has, and a plain one at a better price, which takes its cover; none without a holding. */
export function stepAhead(slow: SlowLadder, random: Random, account_id: string): Terms[] {
  const x = slow.exposure(account_id)
  if (x === 0n) return []
  const [side, quantity] = x > 0n ? (['SELL', x] as const) : (['BUY', -x] as const)
  const cents = [50 + Math.floor(random() * 4), 50 + Math.floor(random() * 4)].sort()
  const [better, worse] = cents.map((cent) => ((x > 0n ? cent : 100 - cent) / 100).toFixed(2))
  const part = quantity === 1n || random() < 0.5 ? quantity : quantity / 2n
  return [
    { side, quantity: fromScaled(quantity, 2), limit_price: worse!, reduce_only: true },
    { side, quantity: fromScaled(part, 2), limit_price: better! },
  ]
}

/** A FOK for just what others have within a few cents: it fills unless its own fills trim one of their orders. */
export function sweep({ orders }: SlowLadder, random: Random, account_id: string): Terms[] {
  const buys = random() < 0.5
  const others = orders.filter(({ bids, remaining, intent }) => {
    return bids !== buys && remaining > 0n && intent.account_id !== account_id
  })
  const ticks = others.map(({ tick }) => Number(tick)).sort((a, b) => (buys ? a - b : b - a))
  const limit = ticks[Math.floor(random() * Math.min(ticks.length, 4))]
  if (limit === undefined) return []
  const met = others.filter(({ tick }) => (buys ? tick <= limit : tick >= limit))
  const quantity = fromScaled(
    met.reduce((sum, { remaining }) => sum + remaining, 0n),
    2,
  )
  const [side, limit_price] = [buys ? 'BUY' : 'SELL', (limit / 100).toFixed(2)] as const
  return [{ quantity, time_in_force: 'FOK', self_trade_prevention: 'cancel_maker', side, limit_price }]
}
