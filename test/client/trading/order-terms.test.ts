import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TidemarkError } from '../../../client/tidemark-error.ts'
import { wantedOrder } from '../../../client/trading/order-terms.ts'
import { queryText } from '../../../client/trading/query-text.ts'
import { retryRule, retryWait } from '../../../client/trading/retry-rule.ts'
import { toScaled } from '../../../primitives/scaled.ts'

const TERMS = { market_id: 'mkt_a', outcome_id: 'out_a', side: 'BUY', maximum_fee: '1.00' } as const
const wanted = (limit_price: string, quantity: string) =>
  wantedOrder({ ...TERMS, limit_price, quantity }, 'acct_a', 'asset_usd')

describe('what an order may cost, where that is not said', () => {
  test.each([
    ['0.62', '100', '62.00'],
    ['0.05', '0.01', '0.0005'],
    ['1', '3', '3'],
    ['0', '7.5', '0.0'],
  ])('%s x %s is %s', (price, quantity, notional) => {
    expect(wanted(price, quantity).maximum_notional).toBe(notional)
  })

  test('it is the exact product', () => {
    const decimal = fc.tuple(fc.nat(999_999), fc.integer({ min: 0, max: 6 })).map(([integer, scale]) => {
      const digits = String(integer).padStart(scale + 1, '0')
      return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
    })
    fc.assert(
      fc.property(decimal, decimal, (price, quantity) => {
        const exact = toScaled(price, 9) * toScaled(quantity, 9)
        expect(toScaled(wanted(price, quantity).maximum_notional, 18)).toBe(exact)
      }),
    )
  })

  test.each(['1e3', '-1', '.5', '01', '0x1', ''])('%j is no decimal', (price) => {
    expect(() => wanted(price, '1')).toThrow('limit_price is')
  })
})

test('two orders that say nothing of it have ids of their own', () => {
  expect(wanted('0.5', '1').client_order_id).not.toBe(wanted('0.5', '1').client_order_id)
})

test('a query is encoded as RFC 3986 asks for', () => {
  expect(queryText({ a: "it's (1)*!", b: null, c: 'x y+z', d: undefined, e: 0, f: false })).toBe(
    'a=it%27s%20%281%29%2A%21&c=x%20y%2Bz&e=0&f=false',
  )
})

describe('how long is waited', () => {
  const rule = { attempts_max: 5, within_ms: 10_000 }
  const error = (status: number | null, code: string, more = {}) =>
    new TidemarkError({ code, message: code, retryable: true, request_id: null, ...more }, status)

  test.each([
    ['told by the service', error(503, 'SERVICE_UNAVAILABLE', { retry_after_ms: 700 }), 1, 0, 700],
    ['twice as long each time', error(null, 'SERVICE_UNAVAILABLE'), 3, 0, 200],
    ['not longer than 5 s', error(null, 'SERVICE_UNAVAILABLE'), 4, 0, 400],
    ['no more attempts', error(503, 'SERVICE_UNAVAILABLE'), 5, 0, null],
    ['no more time', error(503, 'SERVICE_UNAVAILABLE', { retry_after_ms: 700 }), 1, 9_500, null],
    ['a refusal', error(422, 'ORDER_TICK_SIZE_INVALID'), 1, 0, null],
    ['an internal error', error(500, 'INTERNAL_ERROR'), 1, 0, null],
  ])('%s', (_name, failure, failed, spent_ms, wait_ms) => {
    expect(retryWait(rule, failure, failed, 1, spent_ms, 0)).toBe(wait_ms)
  })
})

describe('limits of the retries', () => {
  test('have defaults', () => {
    expect(retryRule({ attempts_max: 20 })).toEqual({ attempts_max: 20, within_ms: 60_000 })
    expect(retryRule({ within_ms: 0 })).toEqual({ attempts_max: 8, within_ms: 0 })
  })

  test.each([{ attempts: 20 }, { max_attempts: 1 }, { attempts_max: 0 }, { within_ms: Number.NaN }])(
    '%j is refused by the name of its field',
    (given) => {
      expect(() => retryRule(given)).toThrow(`retry.${Object.keys(given)[0]}`)
    },
  )
})
