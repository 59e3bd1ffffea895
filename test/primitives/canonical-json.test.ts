import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, contentHash } from '../../primitives/canonical-json.ts'
import { InvariantError } from '../../primitives/errors.ts'
import { anyText } from '../support/any-text.ts'

describe('RFC 8785', () => {
  test('keys are sorted by UTF-16 code units, spaces are gone, text is escaped as little as possible', () => {
    expect(canonicalJson({ b: 1, a: [true, null, '€\n"'], '\u20ac': 1, '\r': 2, A: {} })).toBe(
      '{"\\r":2,"A":{},"a":[true,null,"€\\n\\""],"b":1,"€":1}',
    )
  })

  test('keys beyond the basic plane sort by code units, not by code points', () => {
    expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2 })).toBe('{"\u{1f600}":2,"\ufb33":1}')
  })

  test('numbers are written as ECMAScript writes them; minus zero is zero', () => {
    expect(canonicalJson([-0, 1e21, JSON.parse('333333333.33333329'), 4.5, 2e-3])).toBe(
      '[0,1e+21,333333333.3333333,4.5,0.002]',
    )
  })

  test('decimal strings stay as they are, trailing zeros included', () => {
    expect(canonicalJson({ level: '39.6100' })).toBe('{"level":"39.6100"}')
  })

  test('is what the library gives, or refuses, of anything', () => {
    const outcome = (work: () => string | undefined) => {
      try {
        return work()
      } catch {
        return 'refused'
      }
    }
    const leaves = fc.oneof(
      fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true }),
      anyText(),
      fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, '\ud800', '\udc00x', Symbol('s')),
    )
    const values = fc.oneof(leaves, fc.array(leaves), fc.dictionary(anyText(), leaves))
    fc.assert(
      fc.property(values, (value) => {
        const ours = outcome(() => canonicalJson(value))
        expect(ours).toBe(outcome(() => canonicalize(value)) ?? 'refused')
      }),
      { numRuns: 2_000 },
    )
  })

  test('a circle is refused', () => {
    const circle: unknown[] = []
    circle.push({ circle })
    expect(() => canonicalJson(circle)).toThrow('Circular')
  })

  test('a value without a JSON form is a bug', () => {
    expect(() => canonicalJson(undefined)).toThrow(InvariantError)
  })
})

describe('content hash', () => {
  // methodology E17
  const E17 =
    '{"calculated_at":"2026-11-21T00:01:02Z","calculation_run_id":"run_0001","confidence":"0.8372","coverage_ratio":"0.866667","index_id":"idx_demo","index_version_id":"idv_demo_1","input_observation_ids":["obs_a1","obs_b1","obs_c1","obs_d0","obs_e1"],"level":"39.6111","methodology_id":"mth_demo","methodology_version":"1.0.0","missing_constituent_ids":[],"observation_id":"iob_demo_2","quality_state":"valid","revision":1,"source_cutoff_at":"2026-11-21T00:01:00Z","supersedes_id":null,"unit":"index_points"}'

  test('worked example E17', () => {
    const record: unknown = JSON.parse(E17)
    expect(canonicalJson(record)).toBe(E17)
    expect(contentHash(record)).toBe('sha256:4145a08344f25cc009ca3cfacef79b9b6548e3abcbc352fba0737cf28c7d1c98')
  })

  test('does not depend on the order in which keys were written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        expect(contentHash(reversed)).toBe(contentHash(value))
      }),
    )
  })

  test('reading the canonical form and writing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })
})
