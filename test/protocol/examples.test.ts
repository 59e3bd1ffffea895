import { describe, expect, test } from 'vitest'
import { type ContractSchema, operations, resolved } from '../../api/pages/operations.ts'
import { recordedExamples } from '../../api/pages/recorded-examples.ts'
import { targetOf } from '../../console/site/try-request.ts'
import { takenBy } from '../../protocol/examples/example.ts'
import { EXAMPLES, exampleOf } from '../../protocol/examples/examples.ts'
import { exampleTarget, resolveExample } from '../support/resolve-example.ts'

const IDS = Object.keys(EXAMPLES)
const operationOf = (id: string) => operations().get(id)!
const nobody = { own: () => '', answerOf: async () => ({}) }

test('every operation of the document has one example, and there is no other', () => {
  expect([...IDS].sort()).toEqual([...operations().keys()].sort())
  expect([exampleOf('toString'), exampleOf('nope')]).toEqual([null, null])
})

test('examples give what their operations take, and all that these require', () => {
  for (const id of IDS) {
    const { path = {}, query = {}, body } = exampleOf(id)!
    const { parameters, body: described } = operationOf(id)
    const names = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name)
    const required = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name)
    expect([id, Object.keys(path).sort()]).toEqual([id, names('path').sort()])
    expect([id, Object.keys(query).filter((name) => !names('query').includes(name))]).toEqual([id, []])
    expect([id, required.filter((name) => !(name in query))]).toEqual([id, []])
    expect([id, body === undefined]).toEqual([id, described === null])
  }
})

test('examples take values from reads, which can be repeated, and are refused as their operations describe', () => {
  for (const id of IDS) {
    const example = exampleOf(id)!
    expect([id, takenBy(example).filter(({ from }) => operationOf(from).method !== 'GET')]).toEqual([id, []])
    expect([id, (example.after ?? []).filter((one) => exampleOf(one) === null)]).toEqual([id, []])
    const codes = operationOf(id).errors.flatMap((one) => one.codes)
    expect([id, example.refused_with === undefined || codes.includes(example.refused_with)]).toEqual([id, true])
  }
})

test('examples were recorded as they are described', () => {
  expect(Object.keys(recordedExamples()).sort()).toEqual([...IDS].sort())
  for (const id of IDS) {
    const { method, target, status, answer } = recordedExamples()[id]!
    const { refused_with } = exampleOf(id)!
    const described = operationOf(id)
    expect([id, method, status]).toEqual([
      id,
      described.method,
      refused_with === undefined ? Number(described.status) : 404,
    ])
    const pattern = described.path.replaceAll('{index}', '.+').replaceAll(/\{\w+\}/g, '[^/?]+')
    expect(target).toMatch(new RegExp(`^${pattern}(\\?|$)`))
    expect(target).not.toContain('undefined')
    const schema = described.content['application/json']?.schema
    if (refused_with === undefined && schema !== undefined)
      expect([id, lostFields(schema, answer, '')]).toEqual([id, []])
  }
})

test('a recorded answer that lacks a field, or has one too many, is seen', () => {
  const schema = operationOf('get_time').content['application/json']!.schema
  const { answer } = recordedExamples().get_time as {
    readonly answer: { readonly data: object; readonly meta: object }
  }
  expect(lostFields(schema, { ...answer, data: {} }, '')).not.toEqual([])
  expect(lostFields(schema, { ...answer, data: { ...answer.data, color: 'blue' } }, '')).toEqual(['.data.color'])
})

/** Fields that an answer has and its schema does not, or that it must have and lacks: it was recorded before a change. */
function lostFields(given: ContractSchema, value: unknown, at: string): readonly string[] {
  const schema = resolved(given)
  if (value === null || typeof value !== 'object') return []
  if (schema.anyOf !== undefined) {
    const tried = schema.anyOf.map((choice) => lostFields(choice, value, at))
    return tried.find((lost) => lost.length === 0) ?? tried[0]!
  }
  if (Array.isArray(value)) return value.flatMap((one) => lostFields(schema.items ?? {}, one, `${at}[]`))
  const { properties, required = [] } = schema
  if (properties === undefined) return []
  const lacking = required.filter((name) => !(name in value)).map((name) => `${at}.${name}`)
  const more = Object.keys(value)
    .filter((name) => !(name in properties))
    .map((name) => `${at}.${name}`)
  const within = Object.entries(value).flatMap(([name, one]) =>
    lostFields(properties[name] ?? {}, one, `${at}.${name}`),
  )
  return [...lacking, ...more, ...within]
}

describe('targets', () => {
  const values = {
    path: { index_id: 'a b/c', index: 'x001/234' },
    query: { as_of: '2025-12-05T09:30:00Z', q: 'a+b&c' },
  }

  test('are encoded, so that nothing of a value ends it; the page sends the same request', () => {
    const target = exampleTarget('/v1/indexes/{index_id}/tile/{index}', { ...values })
    expect(target).toBe('/v1/indexes/a%20b/c/tile/x001/234?as_of=2025-12-05T09:30:00Z&q=a%2Bb%26c')
    const of_page = targetOf('/v1/indexes/{index_id}/tile/{index}', values)
    expect(decodeURIComponent(of_page)).toBe(decodeURIComponent(target))
    expect(targetOf('/v1/indexes', { path: {}, query: { limit: '' } })).toBe('/v1/indexes')
  })
})

test('values come from the answers of other operations, from the end of a list too, and from the sender', async () => {
  const answerOf = async () => ({ data: [{ id: 'first' }, { id: 'last' }] })
  const example = {
    path: { a: { from: 'list', at: 'data.0.id' } },
    query: { b: { from: 'list', at: 'data.-1.id' } },
    body: { c: [{ own: 'account_id' }], d: { from: 'list', at: 'data.7.id' }, e: null },
  } as const
  expect(await resolveExample(example, { own: (name) => `own ${name}`, answerOf })).toEqual({
    path: { a: 'first' },
    query: { b: 'last' },
    body: { c: ['own account_id'], d: undefined, e: null },
  })
  expect(await resolveExample({}, nobody)).toEqual({ path: {}, query: {}, body: null })
})
