import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OrderBook } from '../../../../pipelines/market/order-book.ts'
import { ComplementedSide, complementLevels } from '../../../../pipelines/venues/kalshi/ladders.ts'
import { SEED } from '../../../support/seed.ts'

const change = fc.record({
  side: fc.constantFrom('bid' as const, 'ask' as const),
  price: fc.integer({ min: 1, max: 9 }).map((tenths) => `0.${tenths}00000000`),
  quantity: fc.integer({ min: 0, max: 3 }).map((contracts) => `${contracts}.000000`),
})

test('what a side is for the other outcome is what it would be if it had not been asked before', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 8 }), (states) => {
      const [book, bids, asks] = [new OrderBook(), new ComplementedSide(), new ComplementedSide()]
      for (const changes of states) {
        for (const { side, price, quantity } of changes) book.set(side, price, quantity)
        expect(bids.of(book.levels('bid'))).toEqual(complementLevels(book.levels('bid')))
        expect(asks.of(book.levels('ask'))).toEqual(complementLevels(book.levels('ask')))
      }
    }),
    { seed: SEED },
  )
})
