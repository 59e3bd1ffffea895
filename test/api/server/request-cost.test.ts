import { expect, test } from 'vitest'
import { checkReceipt } from '../../../api/server/check-receipt.ts'
import { usedUp } from '../../../api/server/exchange.ts'
import { createRateLimiter } from '../../../api/server/rate-limiter.ts'
import { requestCost } from '../../../api/server/request-cost.ts'
import { RequestRefusal } from '../../../api/server/request-refusal.ts'
import type { Endpoint } from '../../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../protocol/endpoints/endpoints.ts'
import { pageLimitOf } from '../../../protocol/endpoints/page-limit.ts'
import type { PrivateEndpoint } from '../../../protocol/endpoints/private-endpoint.ts'
import { PRIVATE_ENDPOINTS } from '../../../protocol/endpoints/trading-endpoints.ts'
import { costOfRows, EXPORTS, PAGE_SIZE, RATE_CLASSES, type RateClassName, RECEIPTS } from '../../../protocol/limits.ts'

const T = 1_768_651_200_000

/** Burst of the callers of a class that may spend the fewest tokens at once. */
function leastBurst(limit_class: RateClassName): number {
  const { anonymous, keyed } = RATE_CLASSES[limit_class]
  return Math.min(keyed.burst, anonymous?.burst ?? Number.POSITIVE_INFINITY)
}

/** Returns the cost of a request; null: it is refused for its page. */
function costOf(endpoint: Endpoint, values: Record<string, unknown>, one_page: boolean): number | null {
  try {
    return requestCost(endpoint, values as never, one_page)
  } catch (error) {
    if (error instanceof RequestRefusal) return null
    throw error
  }
}

const every: readonly Endpoint[] = Object.values(ENDPOINTS)

test.each(every.map((endpoint) => [endpoint.operation_id, endpoint] as const))(
  '%s: the dearest page that is not refused costs no more than the burst',
  (_, endpoint) => {
    const expand = 'expand' in endpoint.query ? ['all'] : undefined
    const burst = leastBurst(endpoint.limit_class)
    for (let limit = 1; limit <= PAGE_SIZE.max; limit += 1) {
      const receipt = limit <= RECEIPTS.records_max
      for (const one_page of [true, false])
        expect(costOf(endpoint, { limit, expand, receipt }, one_page) ?? 0).toBeLessThanOrEqual(burst)
    }
  },
)

test('the page limits of the document are those of the checks', () => {
  const passes = (check: () => unknown) => {
    try {
      check()
      return true
    } catch (error) {
      if (error instanceof RequestRefusal) return false
      throw error
    }
  }
  const as_of = '2026-01-17T00:00:00Z'
  const checked = every.flatMap((endpoint) => {
    const { expand, receipt } = pageLimitOf(endpoint)?.with ?? {}
    const ofExpand = (limit: number) => costOf(endpoint, { limit, expand: ['all'] }, true) !== null
    const ofReceipt = (limit: number) => passes(() => checkReceipt({ as_of, limit, receipt: true } as never, true))
    return [
      ...(expand === undefined ? [] : [[ofExpand(expand), ofExpand(expand + 1)]]),
      ...(receipt === undefined ? [] : [[ofReceipt(receipt), ofReceipt(receipt + 1)]]),
    ]
  })
  expect(checked.length).toBeGreaterThan(10)
  expect(new Set(checked.map(String))).toEqual(new Set(['true,false']))
})

function maxItemsOf(body: unknown, field: string): number {
  const { properties } = body as { readonly properties: Readonly<Record<string, { readonly maxItems: number }>> }
  return properties[field]!.maxItems
}

const signed: readonly PrivateEndpoint[] = Object.values(PRIVATE_ENDPOINTS)

test.each(signed.map((endpoint) => [endpoint.operation_id, endpoint] as const))(
  '%s: the longest list costs no more than the burst of a key',
  (_, { cost, cost_each, body, limit_class }) => {
    const items = cost_each === null ? 0 : maxItemsOf(body, cost_each)
    const dearest = cost_each === null ? costOfRows(cost, EXPORTS.page_rows) : cost * items
    expect(dearest).toBeLessThanOrEqual(leastBurst(limit_class))
  },
)

test('an expanded page that is too long is refused by its bound, before it is charged', () => {
  const { list_markets } = ENDPOINTS
  expect(requestCost(list_markets, { limit: 100, expand: ['price'] } as never, true)).toBe(51)
  expect(requestCost(list_markets, { limit: 1000 } as never, true)).toBe(2)
  expect(() => requestCost(list_markets, { limit: 1000, expand: ['price'] } as never, true)).toThrow(
    'limit is "1000"; allowed with expand: 1 to 100',
  )
  expect(() => requestCost(list_markets, { expand: ['price'] } as never, false)).toThrow(
    'limit is needed for a table with expand; allowed: 1 to 100',
  )
})

test('a cost above the burst is a fault of the request, and a lower one is a wait', () => {
  const limiter = createRateLimiter({ rate: 20, burst: 200 })
  expect(usedUp('market_data', 201, limiter.take('a', 201, T))).toMatchObject({ code: 'VALIDATION_PARAMETER_INVALID' })
  limiter.take('a', 1, T)
  expect(usedUp('market_data', 200, limiter.take('a', 200, T))).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})
