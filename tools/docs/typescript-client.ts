import { type ContractOperation, contractDocument } from './contract-document.ts'
import { renderErrorStages } from './error-stages.ts'
import { renderAnswers } from './typescript-answers.ts'
import { renderTopics } from './typescript-topics.ts'
import { comment, renderTypes, typeOf } from './typescript-types.ts'

const FOLDER = 'client/contract'

/** Files of the TypeScript client that are made from the OpenAPI document: path from the root, and what it should hold. */
export const TYPESCRIPT_DOCUMENTS: readonly (readonly [path: string, render: () => string])[] = [
  [`${FOLDER}/types.ts`, () => renderTypes(contractDocument().schemas)],
  [`${FOLDER}/operations.ts`, renderTable],
  [`${FOLDER}/methods.ts`, renderMethods],
  [`${FOLDER}/error-stages.ts`, renderErrorStages],
  [`${FOLDER}/topics.ts`, renderTopics],
  [`${FOLDER}/answers.ts`, renderAnswers],
]

/** Operations without a key, except the files of the log, whose answers are no JSON. */
function publicOperations(): readonly ContractOperation[] {
  return contractDocument().operations.filter(({ is_private, data }) => !is_private && data !== null)
}

const below = (path: string) => path.replace(/^\/v1/, '')

function renderTable(): string {
  const reads = publicOperations().filter(({ method }) => method === 'GET')
  const writes = publicOperations().filter(({ method }) => method !== 'GET')
  const rows = reads.map(
    (operation) =>
      `  ${camel(operation.operation_id)}: ['${below(operation.path)}', '${kindOf(operation)}'${limitText(operation)}],\n`,
  )
  return `/** Public operations of the contract, made from the OpenAPI document by \`npm run docs\`. */

/** Version of the contract that this client speaks. */
export const CONTRACT_VERSION = '${contractDocument().version}'

/** One record, a list in one answer, or a list in pages. */
export type ReadKind = 'record' | 'list' | 'pages'

/** Greatest page of a list, and the smaller one with each parameter that adds to its records. */
export type PageLimit = { readonly max: number; readonly with?: Readonly<Record<string, number>> }

/** Public reads by method: the path below /v1, what it answers with, and the limit of its pages. */
export const PUBLIC_READS: Readonly<Record<string, readonly [path: string, kind: ReadKind, limit?: PageLimit]>> = {
${rows.join('')}}

/** Public writes by method: the path below /v1 that a body is posted to. */
export const PUBLIC_WRITES: Readonly<Record<string, string>> = {
${writes.map(({ operation_id, path }) => `  ${camel(operation_id)}: '${below(path)}',\n`).join('')}}
`
}

function limitText({ page_limit }: ContractOperation): string {
  if (page_limit === null) return ''
  const smaller = Object.entries(page_limit.with).map(([name, max]) => `${name}: ${max}`)
  return `, { max: ${page_limit.max}${smaller.length === 0 ? '' : `, with: { ${smaller.join(', ')} }`} }`
}

function kindOf({ is_list, parameters }: ContractOperation): string {
  if (!is_list) return 'record'
  return parameters.some(({ name }) => name === 'cursor') ? 'pages' : 'list'
}

function renderMethods(): string {
  return `import type { Call } from '../http/call.ts'
import type * as t from './types.ts'

/** Public operations of the contract as methods, made from the OpenAPI document by \`npm run docs\`. */
export type PublicMethods = {
${publicOperations().map(renderMethod).join('')}}
`
}

function renderMethod(operation: ContractOperation): string {
  const { operation_id, summary, is_list, data, body } = operation
  const item = typeOf(data!, 't.')
  const answer = is_list ? `AsyncGenerator<${item}>` : `Promise<${item}>`
  const given = body === null ? parametersOf(operation) : `body: ${typeOf(body, 't.')}, `
  return `  /** ${comment(summary)} */\n  ${camel(operation_id)}(${given}call?: Call): ${answer}\n`
}

/** Parameters of the path and of the query as one object; the cursor of a list is the client's. */
function parametersOf({ parameters, is_list }: ContractOperation): string {
  const paging = is_list ? ['cursor'] : []
  const shown = parameters.filter((item) => item.in !== 'header' && !paging.includes(item.name))
  if (shown.length === 0) return 'parameters?: Record<never, never>, '
  const fields = shown.map(({ name, required, schema }) => {
    const type = typeOf(schema, 't.')
    return `${name}${required ? '' : '?'}: ${schema.type === 'array' ? `readonly ${type}` : type}`
  })
  return `parameters${shown.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }, `
}

function camel(operation_id: string): string {
  return operation_id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
