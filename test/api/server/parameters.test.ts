import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkRelations } from '../../../api/server/check-relations.ts'
import { type ParameterValues, parameterReader } from '../../../api/server/read-parameters.ts'
import { RequestRefusal } from '../../../api/server/request-refusal.ts'
import { INSTANT_ALLOWED } from '../../../primitives/instants.ts'
import { endpointOf } from '../../../protocol/endpoints/endpoints.ts'
import { anyText } from '../../support/any-text.ts'

const read = parameterReader(endpointOf('list_index_prices'))
const path = { index_id: 'idx_a' }

/** Fields and codes of a refusal, in their order; the value where there is none. */
function faultsOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RequestRefusal)) throw error
    return error.violations.map(({ field, code }) => `${field} ${code.replace('VALIDATION_', '')}`)
  }
}

describe('one parameter', () => {
  test.each([
    ['', { index_id: 'idx_a', limit: 100 }],
    ['limit=1', { index_id: 'idx_a', limit: 1 }],
    ['limit=1000', { index_id: 'idx_a', limit: 1000 }],
    ['%6Cimit=7', { index_id: 'idx_a', limit: 7 }],
    ['include_corrections=true', { index_id: 'idx_a', limit: 100, include_corrections: true }],
    ['as_of=2026-01-17T00%3A00%3A00.000Z', { index_id: 'idx_a', limit: 100, as_of: '2026-01-17T00:00:00Z' }],
    ['limit=0', ['limit PARAMETER_INVALID']],
    ['limit=1001', ['limit PARAMETER_INVALID']],
    ['limit=01', ['limit PARAMETER_INVALID']],
    ['limit=1e2', ['limit PARAMETER_INVALID']],
    ['limit=1.0', ['limit PARAMETER_INVALID']],
    ['limit=+1', ['limit PARAMETER_INVALID']],
    ['limit=%201', ['limit PARAMETER_INVALID']],
    ['limit', ['limit PARAMETER_INVALID']],
    ['limit=', ['limit PARAMETER_INVALID']],
    ['limit=%ff', ['limit PARAMETER_INVALID']],
    ['limit[]=1', ['limit[] PARAMETER_UNKNOWN']],
    ['limit[0]=1', ['limit[0] PARAMETER_UNKNOWN']],
    ['Limit=1', ['Limit PARAMETER_UNKNOWN']],
    ['__proto__=1', ['__proto__ PARAMETER_UNKNOWN']],
    ['constructor=1', ['constructor PARAMETER_UNKNOWN']],
    ['%ff=1', ['%ff=1 PARAMETER_UNKNOWN']],
    ['&', [' PARAMETER_UNKNOWN', ' PARAMETER_UNKNOWN']],
    ['limit=1&', [' PARAMETER_UNKNOWN']],
    ['limit=1;limit=2', ['limit PARAMETER_INVALID']],
    ['limit=1&limit=1', ['limit PARAMETER_REPEATED']],
    ['limit=1&%6Cimit=1', ['limit PARAMETER_REPEATED']],
    ['include_corrections=TRUE', ['include_corrections PARAMETER_INVALID']],
    ['include_corrections=1', ['include_corrections PARAMETER_INVALID']],
    ['as_of=2026-02-30T00:00:00Z', ['as_of PARAMETER_INVALID']],
    ['as_of=2026-01-17T00:00:00+00:00', ['as_of PARAMETER_INVALID']],
    ['as_of=2026-01-17', ['as_of PARAMETER_INVALID']],
    ['as_of=2026-01-17T00:00:00.1234567Z', ['as_of PARAMETER_INVALID']],
    ['as_of=', ['as_of PARAMETER_INVALID']],
    ['quality_state=Valid', ['quality_state PARAMETER_INVALID']],
    ['cursor=', ['cursor PARAMETER_INVALID']],
  ])('?%s', (query, expected) => {
    expect(faultsOf(() => read(path, query))).toEqual(expected)
  })

  test('every fault of a request is named, and the code is that of an unknown, a repeated, a missing, then an invalid one', () => {
    const candles = parameterReader(endpointOf('list_market_candles'))
    const query = 'interval=PT2M&interval=PT1M&color=blue&start_time=x'
    expect(faultsOf(() => candles({ market_id: 'idx_a' }, query))).toEqual([
      'color PARAMETER_UNKNOWN',
      'interval PARAMETER_REPEATED',
      'end_time PARAMETER_MISSING',
      'outcome_id PARAMETER_MISSING',
      'field PARAMETER_MISSING',
      'market_id PARAMETER_INVALID',
      'interval PARAMETER_INVALID',
      'start_time PARAMETER_INVALID',
    ])
  })

  test('the message names the field, the value seen and what is allowed', () => {
    const messageOf = (query: string): string => {
      try {
        read(path, query)
      } catch (error) {
        return (error as Error).message
      }
      return ''
    }
    expect(messageOf('limit=1001')).toBe('limit is "1001"; allowed: an integer from 1 to 1000')
    expect(messageOf('sampling=all')).toBe('sampling is "all"; allowed: raw, latest_per_interval')
    for (const text of ['', '2026-01-17T00:00:00.123456789Z'])
      expect(messageOf(`as_of=${text}`)).toBe(`as_of is ${JSON.stringify(text)}; allowed: ${INSTANT_ALLOWED}`)
    expect(messageOf('limit=5%')).toBe('limit is "5%"; allowed: well-formed percent-encoded UTF-8')
    const title = parameterReader(endpointOf('list_markets'))
    for (const q of ['ab', 'a'.repeat(101)])
      expect(() => title({}, `q=${q}`)).toThrow(/^q is "a.*"; allowed: text of 3 to 100 characters that matches /)
    expect(messageOf(`cursor=${'ä'.repeat(5000)}`).length).toBeLessThan(400)
  })

  test('a list is taken apart at commas, sorted, and has each item once', () => {
    const constituents = parameterReader(endpointOf('list_constituents'))
    const ids = { index_id: 'idx_a', version_id: 'idv_a' }
    expect(constituents(ids, 'expand=venue,market').expand).toEqual(['market', 'venue'])
    for (const query of [
      'expand=market,market',
      'expand=',
      'expand=market,',
      'expand=Market',
      'expand=market%2C%20venue',
    ]) {
      expect(faultsOf(() => constituents(ids, query))).toEqual(['expand PARAMETER_INVALID'])
    }
  })
})

describe('parameters together', () => {
  const range = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z' }
  const sampled = { ...range, sampling: 'latest_per_interval', interval: 'PT1H' }
  test.each<[string, ParameterValues, unknown]>([
    ['a range', range, undefined],
    ['half a range', { end_time: '2026-01-02T00:00:00Z' }, undefined],
    ['an end before the start', { ...range, end_time: '2025-01-01T00:00:00Z' }, ['end_time RANGE_INVALID']],
    ['an empty range', { ...range, end_time: '2026-01-01T00:00:00.000Z' }, ['end_time RANGE_INVALID']],
    ['a sampled range', sampled, undefined],
    ['raw sampling', { ...range, sampling: 'raw' }, undefined],
    ['an interval alone', { ...range, interval: 'PT1H' }, ['interval PARAMETER_INVALID']],
    ['an interval with raw sampling', { ...range, sampling: 'raw', interval: 'PT1H' }, ['interval PARAMETER_INVALID']],
    [
      'sampling alone',
      { sampling: 'latest_per_interval' },
      ['interval PARAMETER_MISSING', 'start_time PARAMETER_MISSING', 'end_time PARAMETER_MISSING'],
    ],
    [
      'sampling with every revision',
      { ...sampled, include_corrections: true },
      ['include_corrections PARAMETER_INVALID'],
    ],
    ['sampling with the newest revisions', { ...sampled, include_corrections: false }, undefined],
  ])('%s', (_name, values, expected) => {
    expect(faultsOf(() => checkRelations(values, true))).toEqual(expected)
  })

  test('candles of 5,000 buckets are the most; a range that touches a part of one has it whole', () => {
    const candles = (start_time: string, end_time: string) => ({ start_time, end_time, interval: 'PT1M' })
    const faults = (values: ParameterValues) => faultsOf(() => checkRelations(values, false))
    // 5,000 minutes are 3 days, 11 hours and 20 minutes.
    expect(faults(candles('2026-01-01T00:00:00Z', '2026-01-04T11:20:00Z'))).toBeUndefined()
    expect(faults(candles('2026-01-01T00:00:00Z', '2026-01-04T11:20:00.000001Z'))).toEqual(['end_time RANGE_INVALID'])
    expect(faults(candles('2026-01-01T00:00:30Z', '2026-01-04T11:20:30Z'))).toEqual(['end_time RANGE_INVALID'])
    expect(faults(candles('2026-01-01T00:00:30Z', '2026-01-04T11:20:00Z'))).toBeUndefined()
  })
})

test('any text is either refused with faults or read as what it says', () => {
  const name = fc.oneof(fc.constantFrom('limit', 'as_of', 'sampling', 'cursor', 'include_corrections'), fc.string())
  const value = fc.oneof(fc.constantFrom('1', '1000', 'true', 'raw', '2026-01-17T00:00:00Z', '%', '%C3'), anyText())
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const query = pairs.map(([key, text]) => `${key}=${text}`).join('&')
      const got = faultsOf(() => read(path, query))
      if (Array.isArray(got)) expect(got.length).toBeGreaterThan(0)
      else for (const [key, text] of pairs) expect(String((got as ParameterValues)[key])).toBe(text)
    }),
  )
})
