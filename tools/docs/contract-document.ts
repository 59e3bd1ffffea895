import { openApiDocument } from '../../protocol/documents/openapi.ts'
import type { PageLimit } from '../../protocol/endpoints/page-limit.ts'

/** JSON schema as far as the contract uses it. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }
type RawOperation = {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
  readonly security?: readonly unknown[]
  readonly 'x-page-limit'?: PageLimit
}

/** Operation of the contract, as the generated clients need it. */
export type ContractOperation = {
  readonly operation_id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  /** Schema of the request's body; null: it has none. */
  readonly body: JsonSchema | null
  /** Schema of `data`, of one item of a list; null: text or bytes. */
  readonly data: JsonSchema | null
  readonly is_list: boolean
  readonly is_table: boolean
  /** Fields of a table's records that are decimals, and those that are instants. */
  readonly decimals: readonly string[]
  readonly instants: readonly string[]
  readonly is_private: boolean
  /** null: the operation has no `limit`. */
  readonly page_limit: PageLimit | null
}

type Document = {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const PARQUET = 'application/vnd.apache.parquet'

/** Returns the schemas and operations of the OpenAPI document. */
export function contractDocument(): {
  readonly version: string
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly operations: readonly ContractOperation[]
} {
  const document = openApiDocument() as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw, document.components.schemas)),
  )
  return { version: document.info.version, schemas: document.components.schemas, operations }
}

function operationOf(
  path: string,
  method: string,
  raw: RawOperation,
  schemas: Document['components']['schemas'],
): ContractOperation {
  const success = Object.entries(raw.responses).find(([status]) => status.startsWith('2'))![1].content ?? {}
  const envelope = success['application/json']?.schema.properties
  const is_list = envelope?.page !== undefined
  const data = (is_list ? envelope?.data?.items : envelope?.data) ?? null
  const is_table = success[PARQUET] !== undefined
  const record = is_table ? schemas[data?.$ref?.split('/').at(-1) ?? ''] : undefined
  return {
    operation_id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    parameters: raw.parameters ?? [],
    body: raw.requestBody?.content?.['application/json']?.schema ?? null,
    data,
    is_list,
    is_table,
    decimals: fieldsLike(record, '0.5'),
    instants: fieldsLike(record, '2026-01-17T00:00:00Z'),
    is_private: raw.security !== undefined && raw.security.length > 0,
    page_limit: raw['x-page-limit'] ?? null,
  }
}

/** Returns the fields whose pattern takes a text and no plain word; they may be null. */
function fieldsLike(record: JsonSchema | undefined, text: string): readonly string[] {
  const fields = Object.entries(record?.properties ?? {})
  return fields
    .filter(([, schema]) => [schema, ...(schema.anyOf ?? [])].some((one) => isLike(one, text)))
    .map(([name]) => name)
}

/** Tests whether the pattern of a schema takes a text and no plain word. */
export function isLike({ pattern }: JsonSchema, text: string): boolean {
  return pattern !== undefined && new RegExp(pattern).test(text) && !new RegExp(pattern).test('word')
}
