import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { bodyFaults } from '../../../api/server/body-faults.ts'
import { parseStrictJson } from '../../../api/server/parse-strict-json.ts'
import { parameterReader } from '../../../api/server/read-parameters.ts'
import { RequestRefusal } from '../../../api/server/request-refusal.ts'
import { endpointOf } from '../../../protocol/endpoints/endpoints.ts'
import { FAULTS_MAX, JSON_DEPTH_MAX } from '../../../protocol/limits.ts'
import { SecondInstant } from '../../../protocol/requests/order-request.ts'
import { orNull } from '../../../protocol/scalars.ts'

const closed = { additionalProperties: false } as const
const Item = Type.Object({ a: Type.String({ pattern: '^x$' }) }, closed)

/** Items with a wrong field, and how many of them were looked at. */
function wrongItems(count: number) {
  const seen = { count: 0 }
  const items = Array.from({ length: count }, () => ({
    get a() {
      seen.count += 1
      return 'y'
    },
  }))
  return { items, seen }
}

describe('the search for faults ends at the bound', () => {
  test('in a list', () => {
    const { items, seen } = wrongItems(10_000)
    expect(bodyFaults(Type.Array(Item, { maxItems: 10_000 }), items)).toHaveLength(FAULTS_MAX)
    expect(seen.count).toBeLessThanOrEqual(2 * FAULTS_MAX)
  })

  test('in a choice: the first fault rules it out', () => {
    const { items, seen } = wrongItems(10_000)
    const List = Type.Array(Item, { maxItems: 10_000 })
    const Choice = Type.Union([List, Type.Object({ list: List }, closed)])
    expect(bodyFaults(Choice, items)).toHaveLength(1)
    expect(seen.count).toBeLessThanOrEqual(4)
  })

  test('in an object and in a record', () => {
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]))
    expect(bodyFaults(Item, fields)).toHaveLength(FAULTS_MAX)
    const Labels = Type.Record(Type.String({ pattern: '^x' }), Type.String(), { maxProperties: 10_000 })
    expect(bodyFaults(Labels, fields)).toHaveLength(FAULTS_MAX)
  })

  test('in a query', () => {
    const query = Array.from({ length: 1000 }, (_, n) => `k${n}=1`).join('&')
    const read = parameterReader(endpointOf('get_time'))
    const refusal = (() => {
      try {
        return read({}, query)
      } catch (error) {
        return error as RequestRefusal
      }
    })()
    expect((refusal as RequestRefusal).violations).toHaveLength(FAULTS_MAX)
  })
})

test('a fault repeats at most a part of a long name', () => {
  const [fault] = bodyFaults(Type.Object({}, closed), { ['x'.repeat(200_000)]: 1 })
  expect(JSON.stringify(fault).length).toBeLessThan(1000)
})

const n = (count: number, part: string) => Array.from({ length: count }, () => part).join(',')

/** Bodies of a given length in bytes that are costly to read in one way or another. */
const COSTLY: Readonly<Record<string, (bytes: number) => string>> = {
  'many keys': (bytes) => `{${Array.from({ length: bytes / 16 }, (_, k) => `"key${k}" : 1`).join(',')}}`,
  'space after each text': (bytes) => `{"a":[${n(bytes / 64, `"x"${' '.repeat(60)}`)}]}`,
  'space before a colon': (bytes) => `{"a"${' '.repeat(bytes)}:1}`,
  'escaped quotes': (bytes) => `{"a": "${'\\"'.repeat(bytes / 2)}"}`,
  'surrogate pairs': (bytes) => `{"a": "${'\\ud83d\\ude00'.repeat(bytes / 12)}"}`,
  brackets: (bytes) => `{"a": [${n(bytes / 3, '[]')}]}`,
  'open brackets': (bytes) => '['.repeat(bytes),
}

/** CPU time of a read in milliseconds, the least of several: others of this process may work meanwhile. */
function cpuOf(text: string, reads: number): number {
  const bytes = Buffer.from(text)
  const times = Array.from({ length: reads }, () => {
    const before = process.cpuUsage()
    try {
      parseStrictJson(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(RequestRefusal)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test.each(Object.keys(COSTLY))('the cost of reading a body is linear in its length: %s', (name) => {
  const [short_text, long_text] = [32 * 1024, 256 * 1024].map((bytes) => COSTLY[name]!(bytes)) as [string, string]
  // Eight times the length: 64 times the cost if it were quadratic. A millisecond more, for the clock's own steps.
  const bound_ms = 24 * cpuOf(short_text, 7) + 1
  let least_ms = cpuOf(long_text, 7)
  for (let more = 0; least_ms >= bound_ms && more < 20; more += 1) least_ms = Math.min(least_ms, cpuOf(long_text, 7))
  expect(least_ms).toBeLessThan(bound_ms)
})

test('a body one level deeper than allowed is refused, however long it is', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  expect(() => parseStrictJson(Buffer.from(nested(JSON_DEPTH_MAX)))).not.toThrow()
  expect(() => parseStrictJson(Buffer.from(nested(JSON_DEPTH_MAX + 1)))).toThrow(RequestRefusal)
  expect(() => parseStrictJson(Buffer.from(nested(100_000)))).toThrow(RequestRefusal)
})

test('the refusal of an instant with a fraction asks for whole seconds in words', () => {
  const schema = Type.Object({ expires_at: Type.Optional(orNull(SecondInstant)) })
  const [fault] = bodyFaults(schema, { expires_at: '2026-11-29T09:12:17.870Z' })
  expect(JSON.stringify(fault)).toContain(
    'allowed: a string: an instant in UTC of whole seconds, after 1970, such as 2026-01-17T00:00:00Z',
  )
})
