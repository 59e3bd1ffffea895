import { expect, test } from 'vitest'
import { atInstant, missing, missingIndex } from '../../api/missing-resource.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'

const AT = toMicros('2020-01-01T00:00:00Z')

test('a resource that is missing at an instant names the instant', () => {
  expect(atInstant(missingIndex('idx_a', []), 'as_of', AT)).toMatchObject({
    code: 'INDEX_NOT_FOUND',
    message: 'at as_of 2020-01-01T00:00:00Z, index_id is "idx_a"; allowed: an index of GET /v1/indexes: none',
    facts: { field: 'index_id', value: 'idx_a' },
  })
  expect(atInstant(missing('market', 'mkt_a'), 'as_of', AT)).toMatchObject({
    message: 'at as_of 2020-01-01T00:00:00Z, market_id is "mkt_a"; allowed: a market of GET /v1/markets',
  })
})

test('another error stays as it is', () => {
  const error = new ServiceError('QUERY_TIMEOUT', 'too slow')
  expect(atInstant(error, 'as_of', AT)).toBe(error)
})
