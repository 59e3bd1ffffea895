import fc from 'fast-check'
import type { ConstituentDepth, Depth, Depths } from '../../../pipelines/robustness/depth.ts'
import type { LevelBasis, LevelConstituent } from '../../../pipelines/robustness/level-basis.ts'
import { ONE, roundDecimal, SCALE } from '../../../primitives/decimal.ts'
import { d } from '../../support/index-world.ts'

export const RULES = { minimum_coverage_ratio: d('0.80'), usable_min: d('0.50') }

/** A level of constituents a, b, c ... from [weight, value or null, freshness]; K 100. */
export function basisOf(
  rows: readonly (readonly [w: string, x: string | null, freshness?: LevelConstituent['freshness']])[],
  k = '100',
): LevelBasis {
  const constituents = rows.map(([w, x, freshness = x === null ? 'missing' : 'fresh'], i) => {
    return { constituent_id: `con_${'abcdefgh'[i]}`, w: d(w), x: x === null ? null : d(x), freshness }
  })
  return { k: d(k), constituents, rules: RULES }
}

/** A depth from `price x quantity` texts, best first. */
export function depth(bids: readonly string[], asks: readonly string[]): ConstituentDepth {
  const side = (texts: readonly string[]) =>
    texts.map((text) => {
      const [price, quantity] = text.split('x')
      return { price: d(price!), quantity: d(quantity!) }
    })
  return { depth: { bids: side(bids), asks: side(asks) }, reason: null }
}

/** A random basis with the book behind each constituent; its values are the midpoints of the books. */
export type PricedWorld = { readonly basis: LevelBasis; readonly depths: Depths }

/** Books of at most `levels_max` price levels a side on a grid of cents. */
export function pricedWorlds(legs_max: number, levels_max: number): fc.Arbitrary<PricedWorld> {
  const prices = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 2 * levels_max })
  const leg = fc
    .record({ prices, sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 100, maxLength: 100 }) })
    .map(({ prices: unsorted, sizes }) => {
      const sorted = [...unsorted].sort((a, b) => a - b)
      const middle = sorted.length >> 1
      const level = (price: number) => ({ price: d(`${price}`).div(100), quantity: d(`${sizes[price]}`) })
      return { bids: sorted.slice(0, middle).reverse().map(level), asks: sorted.slice(middle).map(level) }
    })
  const weights = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: legs_max, maxLength: legs_max })
  return fc
    .tuple(fc.array(leg, { minLength: 1, maxLength: legs_max }), weights)
    .map(([books, shares]) => ({ basis: basisOfBooks(books, shares), depths: depthsOf(books) }))
}

function basisOfBooks(books: readonly Depth[], shares: readonly number[]): LevelBasis {
  const constituents = books.map(({ bids, asks }, i) => ({
    constituent_id: `con_${i}`,
    w: roundDecimal(d(`${shares[i]}`).div(1000), SCALE.weight),
    x: roundDecimal(bids[0]!.price.plus(asks[0]!.price).div(2), SCALE.mark),
    freshness: 'fresh' as const,
  }))
  return { k: d('100'), constituents, rules: { minimum_coverage_ratio: ONE, usable_min: d('0') } }
}

function depthsOf(books: readonly Depth[]): Depths {
  return new Map(books.map((book, i) => [`con_${i}`, { depth: book, reason: null }]))
}
