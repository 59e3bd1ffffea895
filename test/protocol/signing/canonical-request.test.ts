import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalRequest, normalizedPath, sortedQuery } from '../../../protocol/signing/canonical-request.ts'
import { refusal } from '../../support/refusal.ts'
import { REQUEST_VECTORS } from '../../support/trading/request-vectors.ts'

test.each(REQUEST_VECTORS)('$named: the nine lines of the vector', ({ request, key, canonical_request }) => {
  const [path, query = ''] = request.target.split('?') as [string, string?]
  const text = canonicalRequest({
    method: request.method,
    path,
    query,
    body_sha256: hash('sha256', request.body ?? '', 'hex'),
    timestamp: String(request.timestamp_ms),
    nonce: request.nonce,
    key_id: key.key_id,
    environment: key.environment,
  })
  expect(text.split('\n')).toEqual(canonical_request)
  expect(canonical_request).toHaveLength(9)
})

const pair = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.string({ unit: 'grapheme', maxLength: 6 }))
const pairs = fc.array(pair, { maxLength: 6 })
const written = (list: readonly (readonly [string, string])[]) =>
  list.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')

test('any order of the pairs, and both ways to write a space, are one query', () => {
  fc.assert(
    fc.property(pairs, (list) => {
      const sorted = sortedQuery(written(list))
      expect(sortedQuery(written(list.toReversed()))).toBe(sorted)
      expect(sortedQuery(new URLSearchParams(list).toString())).toBe(sorted)
    }),
  )
})

test('a query says after sorting what it said before, and is sorted once and for all', () => {
  fc.assert(
    fc.property(pairs, (list) => {
      const sorted = sortedQuery(written(list))
      const read = [...new URLSearchParams(sorted)].map(([key, value]) => `${key}\u0000${value}`)
      expect(read.sort()).toEqual(list.map(([key, value]) => `${key}\u0000${value}`).sort())
      expect(sortedQuery(sorted)).toBe(sorted)
    }),
  )
})

test('two queries that are read as two are two: a plus sign is no space', () => {
  expect(sortedQuery('q=a%2Bb')).toBe('q=a%2Bb')
  expect(sortedQuery('q=a+b')).toBe('q=a%20b')
})

test('the path keeps its slashes, escaped ones and doubled ones too', () => {
  expect(normalizedPath('/v1/a%2fb//%7e%41')).toBe('/v1/a%2Fb//~A')
  fc.assert(
    fc.property(fc.webPath(), (path) => {
      expect(normalizedPath(normalizedPath(path))).toBe(normalizedPath(path))
    }),
  )
})

test.each(['/v1/%', '/v1/%zz', '/v1/%ff', '/v1/%c3', '/v1/\ud800'])('%j is no address', (path) => {
  refusal('VALIDATION_REQUEST_MALFORMED', () => normalizedPath(path))
  refusal('VALIDATION_REQUEST_MALFORMED', () => sortedQuery(`q=${path}`))
})
