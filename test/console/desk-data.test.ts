import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pointsOfEquity } from '../../console/trading/data/equity-points.ts'
import { stakesOf } from '../../console/trading/data/order-stakes.ts'
import { mirrored, ownOnLadder, pairLevels } from '../../console/trading/data/pair-book.ts'
import { queryOf, WHOLE_STATEMENT } from '../../console/trading/data/statement.ts'
import { keyActOf, steppedPrice, TICKET_KEYS } from '../../console/trading/data/ticket-keys.ts'
import type { EquityPoint } from '../../protocol/resources/account-summary.ts'
import type { Order } from '../../protocol/resources/order.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { OrderPreview } from '../../protocol/resources/order-preview.ts'
import { ROOT } from '../support/source-files.ts'

describe('one book of two outcomes', () => {
  const level = (price: string, own: string, derived: string) => {
    const part = (quantity: string, is_derived: boolean) => ({
      quantity,
      order_count: 1,
      derived: is_derived,
      derivation_rule: null,
    })
    const parts = [part(own, false), part(derived, true)].filter(({ quantity }) => quantity !== '0')
    return {
      price,
      quantity: String(Number(own) + Number(derived)),
      order_count: parts.length,
      derived: derived !== '0',
      parts,
    } as OrderBook['bids'][number]
  }

  test('each row has both prices, the part of the other outcome, and the depth up to it', () => {
    const rows = pairLevels([level('0.550000000', '4', '6'), level('0.500000000', '3', '0')], 5)
    expect(rows).toEqual([
      { price: '0.550000000', other_price: '0.45', quantity: '10', derived_quantity: '6', depth: '10' },
      { price: '0.500000000', other_price: '0.5', quantity: '3', derived_quantity: '0', depth: '13' },
    ])
    expect(mirrored('0.001')).toBe('0.999')
  })

  test('own orders of either outcome stand where they rest', () => {
    const order = (outcome_id: string, side: string, limit_price: string, remaining_quantity: string) =>
      ({ outcome_id, side, limit_price, remaining_quantity }) as Order
    const own = [order('yes', 'BUY', '0.55', '4'), order('no', 'SELL', '0.45', '2.5'), order('no', 'BUY', '0.45', '9')]
    expect(ownOnLadder(own, 'yes', 'BUY', '0.550000000')).toBe('6.5')
    expect(ownOnLadder(own, 'yes', 'SELL', '0.55')).toBe('9')
    expect(ownOnLadder(own, 'yes', 'BUY', '0.54')).toBe(null)
  })
})

describe('what an order stakes', () => {
  const preview = (more: Partial<OrderPreview>) =>
    ({ working_quantity: '10.00', maximum_fee_charged: '0.090000', closes: null, opens: null, ...more }) as OrderPreview
  const part = (outcome_id: string, quantity: string, price: string) => ({ outcome_id, quantity, price })

  test('a purchase costs its price, pays one each, and loses cost and fee at worst', () => {
    expect(stakesOf({ side: 'BUY', limit_price: '0.55' }, preview({}))).toEqual({
      cost: '5.5',
      received: null,
      fee: '0.09',
      payout: '10',
      worst_loss: '5.59',
    })
  })

  test('a sale of what may not be held risks what lacks to one', () => {
    expect(stakesOf({ side: 'SELL', limit_price: '0.55' }, preview({}))).toEqual({
      cost: null,
      received: '5.5',
      fee: '0.09',
      payout: null,
      worst_loss: '4.59',
    })
  })

  test('in a complementary market what closes is received and what opens is paid', () => {
    const both = preview({ closes: part('no', '4', '0.45'), opens: part('yes', '6', '0.55') })
    expect(stakesOf({ side: 'BUY', limit_price: '0.55' }, both)).toEqual({
      cost: '3.3',
      received: '1.8',
      fee: '0.09',
      payout: '6',
      worst_loss: '3.39',
    })
    const closing = preview({ closes: part('no', '10', '0.45') })
    expect(stakesOf({ side: 'BUY', limit_price: '0.55' }, closing)).toEqual({
      cost: null,
      received: '4.5',
      fee: '0.09',
      payout: null,
      worst_loss: '0.09',
    })
  })

  test('a rejected order stakes nothing that could be told', () => {
    expect(stakesOf({ side: 'BUY', limit_price: '0.55' }, preview({ working_quantity: null }))).toBe(null)
  })
})

describe('keys', () => {
  const press = (key: string, place: 'text' | 'price' | 'other' = 'other', more = {}) =>
    keyActOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...more }, place)

  test('letters mean something outside of text alone; with Ctrl or Alt they are the browser’s', () => {
    expect(['b', 's', 'o', 'p', 'q', '?', 'x'].map((key) => press(key))).toEqual([
      'buy',
      'sell',
      'outcome',
      'price',
      'quantity',
      'help',
      null,
    ])
    expect([
      press('b', 'text'),
      press('s', 'price'),
      press('b', 'other', { ctrlKey: true }),
      press('b', 'other', { altKey: true }),
    ]).toEqual([null, null, null, null])
  })

  test('arrows move the price in its field alone; Enter previews in fields, and only Ctrl+Enter sends', () => {
    expect([
      press('ArrowUp', 'price'),
      press('ArrowDown', 'price'),
      press('ArrowUp'),
      press('ArrowUp', 'text'),
    ]).toEqual(['up', 'down', null, null])
    expect([press('Enter', 'text'), press('Enter', 'price'), press('Enter')]).toEqual(['preview', 'preview', null])
    expect([
      press('Enter', 'text', { ctrlKey: true }),
      press('Enter', 'other', { metaKey: true }),
      press('Escape', 'text'),
    ]).toEqual(['send', 'send', 'cancel'])
  })

  test.each([
    ['0.5', 'up', '0.52'],
    ['0.5', 'down', '0.48'],
    ['0.51', 'up', '0.52'],
    ['0.51', 'down', '0.5'],
    ['0.98', 'up', '0.98'],
    ['0.02', 'down', '0.02'],
    ['7', 'down', '0.98'],
    ['0.001', 'up', '0.02'],
    ['', 'up', '0.02'],
    ['half', 'down', '0.98'],
  ] as const)('from %j %s to %s', (text, direction, next) => {
    const grid = { price_min: '0.020', price_max: '0.980', price_increment: '0.02' }
    expect(steppedPrice(text, direction, grid)).toBe(next)
    expect(steppedPrice(text, direction, null)).toBe(null)
  })

  test('the documentation lists every key that the page lists', () => {
    const page = readFileSync(join(ROOT, 'docs/console.md'), 'utf8')
    for (const [keys] of TICKET_KEYS) for (const key of keys.split(/, | (?=↓)/)) expect(page).toContain(`\`${key}\``)
  })
})

test('a curve is interrupted where equity is not known', () => {
  const point = (at: string, equity: string | null) => ({ at, equity }) as EquityPoint
  const points = pointsOfEquity([point('2026-01-01T00:00:00Z', '5'), point('2026-01-01T01:00:00Z', null)], 3600)
  expect(points.map(({ x, x_end, y }) => [x_end - x, y])).toEqual([
    [3600, 5],
    [3600, null],
  ])
})

test('filters of the statement that are not set are not asked for', () => {
  expect(queryOf(WHOLE_STATEMENT, 0)).toEqual({})
  const now = Date.parse('2026-01-08T00:00:00Z')
  expect(queryOf({ ...WHOLE_STATEMENT, kind: 'fee', days: '7' }, now)).toEqual({
    kind: 'fee',
    booked_after: '2026-01-01T00:00:00Z',
  })
})
