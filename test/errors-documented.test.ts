import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../primitives/error-codes.ts'
import type { ServiceError } from '../primitives/errors.ts'
import { openApiDocument } from '../protocol/documents/openapi.ts'
import { statusesOf } from '../protocol/endpoints/errors-of.ts'
import { ACCESS_HEADERS, type AccessHeaders } from '../protocol/signing/access-headers.ts'
import { checkedHeaders } from '../trading/auth/request-parts.ts'
import { PRODUCT_FOLDERS } from './support/house/folders.ts'
import { commentsOf } from './support/house/parsed-source.ts'
import { houseFolder, ROOT, type SourceFile, sourceFiles } from './support/source-files.ts'

/** docs/errors.md and primitives/error-codes.ts say the same, row by row. */
const documented = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, code, status, exit_code, retryable, when, remedy]) => ({
    code: code!.replaceAll('`', ''),
    statuses: status!.split(', ').map(Number),
    row: { status: Number.parseInt(status!, 10), exit_code: +exit_code!, retryable: retryable === 'yes' },
    when: when!,
    remedy: remedy!,
  }))

test('every code is documented, and every documented code exists', () => {
  expect(documented.map(({ code }) => code)).toEqual(Object.keys(ERROR_CODES))
})

/** Statuses of each code in the OpenAPI document, which the tests of the API hold every answer against. */
function answeredStatuses(): Map<string, Set<number>> {
  const document = JSON.stringify(openApiDocument())
  const { paths, components } = JSON.parse(document) as OpenApi
  const found = new Map<string, Set<number>>()
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const [status, response] of operations.flatMap(({ responses = {} }) => Object.entries(responses))) {
    const { content } = response.$ref === undefined ? response : components.responses[response.$ref.split('/').at(-1)!]!
    for (const code of Object.keys(content?.['application/json']?.examples ?? {}))
      found.set(code, (found.get(code) ?? new Set()).add(+status))
  }
  return found
}

type Response = {
  readonly $ref?: string
  readonly content?: { readonly 'application/json'?: { readonly examples?: Readonly<Record<string, unknown>> } }
}
type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: Record<string, Response> }>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

describe('the statuses of a code', () => {
  const answered = answeredStatuses()
  const of_api = documented.filter(({ code }) => answered.has(code))

  test('that operations answer with are those that the page states', () => {
    expect(of_api.length).toBeGreaterThan(60)
    const by_code = (statuses: (code: string) => readonly number[]) =>
      Object.fromEntries(of_api.map(({ code }) => [code, [...statuses(code)].sort()]))
    const stated = new Map(documented.map(({ code, statuses }) => [code, statuses]))
    expect(by_code((code) => stated.get(code)!)).toEqual(by_code((code) => [...answered.get(code)!]))
  })

  test('are two for what a path, a query or a body may name, also on the pages of the API', () => {
    const two = documented.filter(({ statuses }) => statuses.length > 1).map(({ code }) => code)
    expect(two).toEqual(['INDEX_NOT_FOUND', 'MARKET_NOT_FOUND', 'MARKET_OUTCOME_NOT_FOUND'])
    for (const { code, statuses } of documented) expect([code, statusesOf(code as ErrorCode)]).toEqual([code, statuses])
  })
})

describe('a header of a signed request', () => {
  const FORMED = {
    key_id: 'key_a',
    timestamp: '1790000021934',
    nonce: 'nonce_00',
    signature: 'ab',
    signature_version: 'v1',
  }
  const refusal = (headers: AccessHeaders) => {
    try {
      checkedHeaders(headers)
    } catch (error) {
      return (error as ServiceError).code
    }
    return null
  }
  const when = (code: ErrorCode) => documented.find((row) => row.code === code)!.when

  test.each(Object.keys(ACCESS_HEADERS) as (keyof AccessHeaders)[])(
    '%s that is not well formed has the code whose row names it',
    (name) => {
      const refused = refusal({ ...FORMED, [name]: '!' })
      const named = new RegExp(`\`${ACCESS_HEADERS[name]}\``).test(when('VALIDATION_REQUEST_MALFORMED'))
      expect([name, refused]).toEqual([name, named ? 'VALIDATION_REQUEST_MALFORMED' : null])
      expect(refusal({ ...FORMED, [name]: null })).toBe('AUTH_CREDENTIALS_INVALID')
    },
  )

  test('that is malformed is none of the causes of AUTH_CREDENTIALS_INVALID', () => {
    expect(when('AUTH_CREDENTIALS_INVALID')).toMatch(/a header of the signed request is missing,/)
    expect(when('AUTH_CREDENTIALS_INVALID')).not.toMatch(/malformed|well formed/)
  })
})

/** Files that decide when a code is given: no page that lists the codes, no schema that names them, no comment. */
const deciding = sourceFiles(['.ts', '.mjs']).filter(
  ({ path }) =>
    PRODUCT_FOLDERS.includes(houseFolder(path)) && !/^(protocol|console|api\/pages|primitives\/error-codes)/.test(path),
)
const given = new Set(deciding.flatMap(codesOf))

/** Words in capitals of a file's texts. */
function codesOf(file: SourceFile): string[] {
  const code = commentsOf(file).reduce((text, { value }) => text.replace(value, ''), file.text)
  return code.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? []
}

test('a code in a comment is not used', () => {
  expect(codesOf({ path: 'x.ts', text: "// GONE_CODE\nfail('SOME_CODE') /* OLD_CODE */" })).toEqual(['SOME_CODE'])
})

describe.each(documented)('$code', ({ code, row, when, remedy }) => {
  test('has the documented status, exit code and retryable', () => {
    expect(row).toEqual(ERROR_CODES[code as keyof typeof ERROR_CODES])
  })

  test('says when it happens and what to do', () => {
    expect(when.length).toBeGreaterThan(10)
    expect(remedy.length).toBeGreaterThan(10)
  })

  test('is used by the code', () => {
    expect(given).toContain(code)
  })
})
