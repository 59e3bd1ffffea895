import { describe, expect, test } from 'vitest'
import type { QueueBound } from '../../../trading/would-fill/queue-bound.ts'
import { type TapeBatch, tapeBatch } from '../../../trading/would-fill/tape.ts'
import { Walk } from '../../../trading/would-fill/walk.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import {
  ASKED,
  type AskedTerms,
  type Course,
  filledBy,
  outcomeAfter,
  randomScript,
  runHistory,
} from './support/two-histories.ts'

const BEFORE = 40
const AFTER = 60
const SEEDS = Array.from({ length: sized(6, 400) }, (_, nth) => 3000 + nth)

type Compared = {
  readonly truth: readonly number[]
  readonly pessimistic: readonly number[]
  readonly optimistic: readonly number[]
  /** Number of first states after which the public record has left nothing open: see `certainBatches`. */
  readonly certain: number
}

function askedTerms(random: () => number, { complementary }: Course): AskedTerms & { on_ladder: 'BUY' | 'SELL' } {
  const is_no = complementary && random() < 0.5
  const side = pick(['BUY', 'SELL'] as const, random)
  const price = 46 + Math.floor(random() * 8)
  const on_ladder = is_no === (side === 'BUY') ? 'SELL' : 'BUY'
  const quantity = `${2 + Math.floor(random() * 20)}`
  return { outcome_id: is_no ? 'out_no' : 'out_yes', side, limit_price: `0.${price}`, quantity, on_ladder }
}

/** Places an order for real in one history, and walks the public record of the one without it. */
function compare(seed: number, course: Course): Compared {
  const random = seededRandom(seed * 7 + 1)
  const { on_ladder, ...terms } = askedTerms(random, course)
  const script = randomScript(seed, BEFORE + AFTER, course, on_ladder)
  const placed = new SubmissionMaker('asked').place(ASKED, terms)
  const place = BEFORE + 1
  const without = runHistory(script, { before: place, placed: null })
  const with_it = runHistory(script, { before: place, placed })
  const outcome = outcomeAfter(without.slice(0, place), terms.outcome_id)
  const order = {
    side: terms.side,
    limit_price: Math.round(Number(terms.limit_price) * 100),
    quantity: Number(terms.quantity) * 100,
    time_in_force: 'GTC',
    expires_at: null,
  } as const
  const walk = new Walk(order, outcome.book, without[place]!.at)
  const own = order.side === 'BUY' ? outcome.book.bids : outcome.book.asks
  const level = own.find(({ price }) => price === order.limit_price)?.quantity ?? 0
  const tape = without.slice(place + 1).map(({ at, events }) => tapeBatch(outcome, at, events))
  const filled = (bound: QueueBound) => bound.fills.reduce((sum, { quantity }) => sum + quantity, 0)
  const steps = [null, ...tape].map((batch) => {
    if (batch !== null) walk.step(batch)
    return [filled(walk.pessimistic), filled(walk.optimistic)] as const
  })
  return {
    truth: filledBy(with_it, placed.order.intent.order_id).slice(place),
    pessimistic: steps.map(([low]) => low),
    optimistic: steps.map(([, high]) => high),
    certain: 1 + certainBatches(tape, order, level),
  }
}

/**
 * Counts the first batches in which nothing left the order's price but by trades, nobody bought what the order would have, and every offer
 * that came to rest at its price was the remainder of an order that had traded.
 */
function certainBatches(tape: readonly TapeBatch[], { side, limit_price }: Order, level: number): number {
  let total = level
  const reaches = (price: number) => (side === 'BUY' ? price <= limit_price : price >= limit_price)
  const end = tape.findIndex(({ levels, trades }) => {
    const opposing = trades.filter(({ aggressor_side }) => aggressor_side !== side)
    const traded = opposing
      .filter(({ price }) => price === limit_price)
      .reduce((sum, { quantity }) => sum + quantity, 0)
    const expected = total - traded
    total = levels.find((one) => one.side === side && one.price === limit_price)?.quantity ?? total
    const competes = trades.some(({ price, aggressor_side }) => aggressor_side === side && reaches(price))
    const offers = levels.some((one) => one.side !== side && reaches(one.price))
    return total < expected || competes || (offers && opposing.length === 0)
  })
  return end === -1 ? tape.length : end
}
type Order = { readonly side: 'BUY' | 'SELL'; readonly limit_price: number }

describe.each([true, false])('complementary: %s', (complementary) => {
  test('an order that was placed for real filled between both bounds, after every batch', () => {
    let [between, open] = [0, 0]
    for (const seed of SEEDS) {
      const { truth, pessimistic, optimistic } = compare(seed, { complementary, is_wild: true, has_hidden: false })
      for (const [nth, filled] of truth.entries()) {
        const where = `seed ${seed}, batch ${nth}`
        expect(pessimistic[nth], where).toBeLessThanOrEqual(filled)
        expect(optimistic[nth], where).toBeGreaterThanOrEqual(filled)
      }
      if (truth.at(-1)! > 0) between += 1
      if (pessimistic.at(-1) !== optimistic.at(-1)) open += 1
    }
    expect([between > SEEDS.length / 4, open > 0]).toEqual([true, true])
  })

  test('the pessimistic bound holds beside orders that leave no public record, too', () => {
    for (const seed of SEEDS) {
      const { truth, pessimistic } = compare(seed, { complementary, is_wild: true, has_hidden: true })
      for (const [nth, filled] of truth.entries())
        expect(pessimistic[nth], `seed ${seed}, batch ${nth}`).toBeLessThanOrEqual(filled)
    }
  })

  test('where the public record leaves nothing open, both bounds are what happened', () => {
    let [certain, filled] = [0, 0]
    for (const seed of SEEDS) {
      const compared = compare(seed, { complementary, is_wild: false, has_hidden: false })
      const truth = compared.truth.slice(0, compared.certain)
      expect(compared.pessimistic.slice(0, compared.certain), `seed ${seed}`).toEqual(truth)
      expect(compared.optimistic.slice(0, compared.certain), `seed ${seed}`).toEqual(truth)
      if (compared.certain > 10) certain += 1
      if (truth.at(-1)! > truth[0]!) filled += 1
    }
    expect([certain > SEEDS.length / 8, filled > SEEDS.length / 8]).toEqual([true, true])
  })
})
