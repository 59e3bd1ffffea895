import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { parameterReader } from '../../../api/server/read-parameters.ts'
import type { RequestRefusal } from '../../../api/server/request-refusal.ts'
import type { Endpoint } from '../../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../protocol/endpoints/endpoints.ts'
import type { Parameter } from '../../../protocol/endpoints/parameter.ts'
import { PRIVATE_ENDPOINTS } from '../../../protocol/endpoints/trading-endpoints.ts'

/** Every filter of every endpoint, from the endpoint descriptions: an unknown value of an enum is rejected with the allowed ones. */
const endpoints = [...Object.values<Endpoint>(ENDPOINTS), ...Object.values<Endpoint>(PRIVATE_ENDPOINTS)]
const filters = endpoints.flatMap((endpoint) =>
  Object.entries(endpoint.query).map(([name, parameter]) => ({ endpoint, name, parameter })),
)

type Described = TSchema & { readonly enum?: readonly string[]; readonly items?: Described; readonly pattern?: string }
const valuesOf = ({ schema }: Parameter) => (schema as Described).enum ?? (schema as Described).items?.enum ?? null
const enums = filters.flatMap(({ endpoint, name, parameter }) => {
  const values = valuesOf(parameter)
  return values === null ? [] : [{ endpoint, name, values, label: `${endpoint.operation_id} ${name}` }]
})

/** Filters whose values are names that sources and definitions choose freely. */
const FREE_TEXT = [
  'category',
  'family',
  'region',
  'runner',
  'schedule_id',
  'source_event_id',
  'source_market_id',
  'tag',
  'venue_id',
]

describe('enum filters', () => {
  test.each(enums)('$label', ({ endpoint, name, values }) => {
    const ids = Object.keys(endpoint.path_parameters)
    const path = Object.fromEntries(ids.map((id) => [id, 'x']))
    const fault = faultOf(endpoint, path, name, `${name}=foo`)
    expect(fault).toMatchObject({ code: 'VALIDATION_PARAMETER_INVALID', field: name, value: 'foo' })
    for (const value of values) {
      expect(fault?.message).toContain(value)
      expect(faultOf(endpoint, path, name, `${name}=${encodeURIComponent(value)}`)).toBeUndefined()
    }
  })

  test('a filter of free text is one of a known few', () => {
    const free = filters.filter(({ parameter }) => {
      const { pattern, enum: values } = parameter.schema as Described
      return parameter.kind === 'text' && pattern === undefined && values === undefined
    })
    expect([...new Set(free.map(({ name }) => name))].filter((name) => !FREE_TEXT.includes(name))).toEqual([])
    expect(enums.length).toBeGreaterThan(20)
  })
})

/** Returns the fault of one parameter; undefined: its value is accepted. */
function faultOf(endpoint: Endpoint, path: Readonly<Record<string, string>>, name: string, query: string) {
  try {
    parameterReader(endpoint)(path, query)
    return undefined
  } catch (error) {
    return (error as RequestRefusal).violations.find(({ field }) => field === name)
  }
}
