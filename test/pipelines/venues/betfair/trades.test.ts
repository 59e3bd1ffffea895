import { describe, expect, test } from 'vitest'
import { change, definition, image, readAll, START } from './messages.ts'

describe('traded totals', () => {
  const trd = (at: number, ...totals: (readonly [number, number])[]) => change(at, { rc: [{ id: 11, trd: totals }] })
  const trades = (payloads: Parameters<typeof readAll>[0]) =>
    readAll(payloads).trades.map(({ outcome, price, quantity, source_at, source_trade_id }) => {
      return [outcome, price, quantity, (source_at - START) / 1e6, source_trade_id]
    })

  test('what a total grew by is a trade: stake at odds o is stake times o contracts at 1/o', () => {
    const old = image(0, { rc: [{ id: 11, trd: [[2, 100]] }] })
    expect(trades([old, trd(1, [2, 104.5], [4, 10]), trd(2, [4, 8]), trd(3, [4, 9])])).toEqual([
      ['11', '0.500000000', '9.000000', 1, `trd 11 2 ${START + 1e6} 104.5`],
      ['11', '0.250000000', '40.000000', 1, `trd 11 4 ${START + 1e6} 10`],
      // After bets were voided, the total grows from what is left.
      ['11', '0.250000000', '4.000000', 3, `trd 11 4 ${START + 3e6} 9`],
    ])
  })

  test('without an image the first total of each of the odds tells what was traded before', () => {
    const defined = change(0, { marketDefinition: definition() })
    expect(trades([defined, trd(1, [2, 100]), trd(2, [2, 101], [3, 5])])).toEqual([
      ['11', '0.500000000', '2.000000', 2, `trd 11 2 ${START + 2e6} 101`],
    ])
  })

  test('prices that are no odds of winning give no trades and no last prices', () => {
    const marketDefinition = definition({ bettingType: 'LINE' })
    const records = readAll([
      image(0, { marketDefinition, rc: [] }),
      change(1, { rc: [{ id: 11, trd: [[2, 1]], ltp: 2 }] }),
    ])
    expect([records.trades, records.quotes]).toEqual([[], []])
  })
})
