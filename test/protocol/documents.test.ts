import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import asyncApiSpecs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { asyncApiDocument } from '../../protocol/documents/asyncapi.ts'
import { openApiDocument } from '../../protocol/documents/openapi.ts'
import type { Json, JsonObject } from '../../protocol/documents/schema-components.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import { answerStatus, errorsOf, privateErrorsOf } from '../../protocol/endpoints/errors-of.ts'
import type { PrivateEndpoint } from '../../protocol/endpoints/private-endpoint.ts'
import { PRIVATE_ENDPOINTS } from '../../protocol/endpoints/trading-endpoints.ts'
import { VIEW_MEANINGS } from '../../vocabulary/meanings/view-meanings.ts'
import { ROOT } from '../support/source-files.ts'

const OF_ACCOUNTS = Object.values<PrivateEndpoint>(PRIVATE_ENDPOINTS)
const openapi = openApiDocument()
const asyncapi = asyncApiDocument()
const at = (document: JsonObject, ...path: readonly string[]): JsonObject =>
  path.reduce<Json>((part, key) => (part as JsonObject)[key]!, document) as JsonObject

describe.each([
  ['openapi', openapi],
  ['asyncapi', asyncapi],
] as const)('%s.json', (name, document) => {
  test('is the committed one', () => {
    const committed = readFileSync(join(ROOT, `docs/api/${name}.json`), 'utf8')
    expect(committed === `${JSON.stringify(document, null, 2)}\n`, 'run: npm run docs').toBe(true)
  })

  test('refers only to what it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer!)
    const broken = references.filter((pointer) => resolve(document, pointer) === undefined)
    expect(references.length).toBeGreaterThan(10)
    expect(broken).toEqual([])
  })

  test('has schemas of JSON Schema 2020-12 that all compile', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    const schemas = JSON.stringify(at(document, 'components', 'schemas')).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    )
    const names = Object.keys(JSON.parse(schemas) as object)
    expect(names.length).toBeGreaterThan(10)
    ajv.addSchema({ $id: 'document', $defs: JSON.parse(schemas) as object })
    for (const schema of names) expect(ajv.getSchema(`document#/$defs/${schema}`)).toBeTypeOf('function')
  })
})

/** Paths of the files of the log, which are no endpoints of /v1. */
const LOG_PATHS = ['/log/checkpoint', '/log/vkey', '/log/tile/{level}/{index}', '/log/tile/entries/{index}']

describe('openapi.json', () => {
  test('has every endpoint, each with its parameters, and no other path', () => {
    const of_public = (Object.keys(ENDPOINTS) as OperationId[]).map(endpointOf)
    const operations = [...of_public.map((endpoint) => ({ ...endpoint, method: 'GET' })), ...OF_ACCOUNTS]
    const paths = [...new Set(operations.map(({ path }) => `/v1${path}`)), ...LOG_PATHS]
    expect(Object.keys(at(openapi, 'paths'))).toEqual(paths)
    for (const { path, method, operation_id, path_parameters, query } of operations) {
      const operation = at(openapi, 'paths', `/v1${path}`, method.toLowerCase())
      const parameters = operation.parameters as unknown as readonly { name: string; in: string; required: boolean }[]
      expect(operation.operationId).toBe(operation_id)
      expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(
        Object.keys(path_parameters),
      )
      expect(parameters.filter((one) => one.in === 'query').map(({ name }) => name)).toEqual(Object.keys(query))
      expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(path_parameters))
    }
  })

  test('describes every field of a public record, by its view or in words of its own', () => {
    const records = (Object.keys(ENDPOINTS) as OperationId[]).map((id) => endpointOf(id).data as { title?: string })
    const titles = new Set([...records.map(({ title }) => title!), 'IndexInput', 'ExcludedInput', 'Order', 'Fill'])
    const silent = [...titles].flatMap((title) =>
      Object.entries(at(openapi, 'components', 'schemas', title, 'properties')).flatMap(([field, schema]) => {
        const { description, anyOf } = schema as { description?: string; anyOf?: readonly { description?: string }[] }
        return (description ?? anyOf?.[0]?.description) === undefined ? [`${title}.${field}`] : []
      }),
    )
    expect(silent).toEqual([])
    const { market_id } = at(openapi, 'components', 'schemas', 'IndexInput', 'properties')
    expect(market_id).toMatchObject({ description: VIEW_MEANINGS.index_observation_input!.columns.market_id })
  })

  test('shows every code of an endpoint under its status', () => {
    for (const operation_id of Object.keys(ENDPOINTS) as OperationId[]) {
      const endpoint = endpointOf(operation_id)
      const responses = Object.entries(at(openapi, 'paths', `/v1${endpoint.path}`, 'get', 'responses'))
      const shown = responses.flatMap(([status, response]) => {
        const reference = (response as { $ref?: string }).$ref
        if (reference === undefined) return []
        const examples = at(openapi, ...reference.split('/').slice(1), 'content', 'application/json', 'examples')
        return Object.keys(examples).map((code): [string, number] => [code, +status])
      })
      const expected = errorsOf(endpoint).map((code): [string, number] => [code, ERROR_CODES[code].status])
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected))
    }
  })

  test('shows of endpoints of accounts the scope, the signature, the body and every code under its status', () => {
    for (const endpoint of OF_ACCOUNTS) {
      const operation = at(openapi, 'paths', `/v1${endpoint.path}`, endpoint.method.toLowerCase())
      expect(operation['x-scope']).toBe(endpoint.scope)
      expect(Object.keys((operation.security as readonly JsonObject[])[0]!)).toHaveLength(5)
      expect(operation.requestBody !== undefined).toBe(endpoint.body !== null)
      const shown = Object.entries(operation.responses as JsonObject).flatMap(([status, response]) => {
        const { $ref } = response as { $ref?: string }
        const found = $ref === undefined ? (response as JsonObject) : at(openapi, ...$ref.split('/').slice(1))
        const content = (found.content as JsonObject | undefined)?.['application/json'] as JsonObject | undefined
        return Object.keys((content?.examples ?? {}) as JsonObject).map((code): [string, number] => [code, +status])
      })
      const codes = privateErrorsOf(endpoint).map((code): [string, number] => [code, answerStatus(endpoint, code)])
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(codes))
    }
  })
})

describe('asyncapi.json', () => {
  // The draft-07 meta-schema is part of AsyncAPI's schema file: with ajv's own copy it would be there twice.
  const validate = new Ajv({ strict: false, meta: false, validateSchema: false, validateFormats: false }).compile(
    asyncApiSpecs.schemasWithoutId['3.0.0'] as object,
  )

  test('is an AsyncAPI 3.0 document', () => {
    validate(asyncapi)
    expect(validate.errors ?? []).toEqual([])
  })

  test('one without a version is refused, so that the check above means something', () => {
    const { version: _version, ...info } = asyncapi.info as JsonObject
    expect(validate({ ...asyncapi, info })).toBe(false)
  })
})

function resolve(document: JsonObject, pointer: string): Json | undefined {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<Json | undefined>((part, key) => (part as JsonObject | undefined)?.[key], document)
}
