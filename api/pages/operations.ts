import { once } from '../../primitives/once.ts'
import { openApiDocument } from '../../protocol/documents/openapi.ts'
import type { PageLimit } from '../../protocol/endpoints/page-limit.ts'

/** JSON schema as far as the contract uses it. */
export type ContractSchema = {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string
  readonly description?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly ContractSchema[]
  readonly items?: ContractSchema
  readonly properties?: Readonly<Record<string, ContractSchema>>
  readonly patternProperties?: Readonly<Record<string, ContractSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
}

export type OperationParameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: ContractSchema
}

type Content = Readonly<Record<string, { readonly schema: ContractSchema }>>
type Response = { readonly $ref?: string; readonly description?: string; readonly content?: Content }

/** Operation of the OpenAPI document. */
export type Operation = {
  readonly operation_id: string
  readonly method: string
  /** With /v1, and {parameters}. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly OperationParameter[]
  /** null: the operation takes no body. */
  readonly body: ContractSchema | null
  /** Status and content of success. */
  readonly status: string
  readonly content: Content
  /** Codes of each error status. */
  readonly errors: readonly { readonly status: string; readonly codes: readonly string[] }[]
  /** null: anybody may call it. */
  readonly scope: string | null
  readonly rate: { readonly limit_class: string; readonly cost: number; readonly cost_each?: string }
  /** null: the operation has no `limit`. */
  readonly page_limit: PageLimit | null
}

type RawOperation = {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly OperationParameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly 'x-scope'?: string
  readonly 'x-rate-limit': Operation['rate']
  readonly 'x-page-limit'?: PageLimit
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>
    readonly schemas: Readonly<Record<string, ContractSchema>>
  }
}

const contract = once(() => openApiDocument() as unknown as Document)

/** Returns every operation of the OpenAPI document, by operation_id, in its order. */
export const operations = once((): ReadonlyMap<string, Operation> => {
  const found = Object.entries(contract().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw)),
  )
  return new Map(found.map((operation) => [operation.operation_id, operation]))
})

/** Returns the operations by tag, in the order of the document. */
export const operationsByTag = once((): ReadonlyMap<string, readonly Operation[]> => {
  const tags = new Map<string, Operation[]>()
  for (const operation of operations().values())
    tags.set(operation.tag, [...(tags.get(operation.tag) ?? []), operation])
  return tags
})

/** Returns the schema that a reference names, or the schema itself. */
export function resolved(schema: ContractSchema): ContractSchema {
  if (schema.$ref === undefined) return schema
  return contract().components.schemas[schema.$ref.split('/').at(-1)!] ?? schema
}

function operationOf(path: string, method: string, raw: RawOperation): Operation {
  const responses = Object.entries(raw.responses)
  const [status, success] = responses.find(([name]) => name.startsWith('2'))!
  const refused = responses.filter(([name]) => /^[45]/.test(name))
  return {
    operation_id: raw.operationId,
    method: method.toUpperCase(),
    path,
    tag: raw.tags[0],
    summary: raw.summary,
    description: raw.description,
    parameters: raw.parameters ?? [],
    body: raw.requestBody?.content['application/json']?.schema ?? null,
    status,
    content: success.content ?? {},
    errors: refused.map(([name, response]) => ({ status: name, codes: codesOf(response) })),
    scope: raw['x-scope'] ?? null,
    rate: raw['x-rate-limit'],
    page_limit: raw['x-page-limit'] ?? null,
  }
}

/** Reads the codes of an error response, which its description lists. */
function codesOf(response: Response): readonly string[] {
  const { description = '' } =
    response.$ref === undefined ? response : contract().components.responses[response.$ref.split('/').at(-1)!]!
  return description.match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g) ?? []
}
