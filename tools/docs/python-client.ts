import { type ContractOperation, contractDocument, isLike, type JsonSchema } from './contract-document.ts'
import { renderPythonErrorStages } from './error-stages.ts'
import { renderPythonTypes, sentence, typeOf } from './python-types.ts'

const FOLDER = 'python/src/tidemark/_generated'

/** Files of the Python client that are made from the OpenAPI document: path from the root, and what it should hold. */
export const PYTHON_DOCUMENTS: readonly (readonly [path: string, render: () => string])[] = [
  [`${FOLDER}/types.py`, () => renderPythonTypes(contractDocument().schemas)],
  [`${FOLDER}/operations.py`, renderOperations],
  [`${FOLDER}/error_stages.py`, renderPythonErrorStages],
  [`${FOLDER}/sync_client.py`, () => renderClient(SYNC)],
  [`${FOLDER}/async_client.py`, () => renderClient(ASYNC)],
]

function renderOperations(): string {
  const { version, operations } = contractDocument()
  const lines = operations.map((operation) => {
    const facts = [
      `"${operation.operation_id}"`,
      `"${operation.method}"`,
      `"${operation.path}"`,
      `query=${tuple(namesIn(operation, 'query'))}`,
      ...(hasKey(operation) ? ['idempotent_key=True'] : []),
      ...(operation.is_private ? ['private=True'] : []),
      ...(operation.data === null ? ['text=True'] : []),
      ...pageLimit(operation),
      ...(!operation.is_list && operation.data?.type === 'array' ? ['records=True'] : []),
      ...(operation.is_table ? ['table=True'] : []),
      ...(operation.decimals.length > 0 ? [`decimals=${tuple(operation.decimals)}`] : []),
      ...(operation.instants.length > 0 ? [`instants=${tuple(operation.instants)}`] : []),
    ]
    return `${operation.operation_id.toUpperCase()} = Operation(\n${facts.map((fact) => `    ${fact},\n`).join('')})\n`
  })
  const head =
    '"""Operations of the contract, made from the OpenAPI document by `npm run docs`."""\n\nfrom .._core import Operation\n'
  return `${head}\nCONTRACT_VERSION = "${version}"\n"""Version of the contract that this client speaks."""\n\n${lines.join('')}`
}

/** Words in which the two clients differ. */
type Words = {
  readonly kind: string
  readonly name: string
  readonly transport: string
  readonly pages: string
  readonly history: string
  readonly def: string
  readonly wait: string
}

const SYNC: Words = {
  kind: 'blocking calls',
  name: 'Client',
  transport: 'SyncTransport',
  pages: 'Pages',
  history: 'History',
  def: 'def',
  wait: '',
}
const ASYNC: Words = {
  kind: 'asyncio',
  name: 'AsyncClient',
  transport: 'AsyncTransport',
  pages: 'AsyncPages',
  history: 'AsyncHistory',
  def: 'async def',
  wait: 'await ',
}

function renderClient(words: Words): string {
  const methods = contractDocument().operations.map((operation) => renderMethod(operation, words))
  return `"""Client with ${words.kind}, made from the OpenAPI document by \`npm run docs\`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._transports import ${[words.history, words.pages, words.transport].sort().join(', ')}
from . import operations as op
from . import types as t


class ${words.name}(${words.transport}):
    """Client of one service. Each operation of the contract is a method of the same name."""

${methods.join('\n')}`
}

function renderMethod(operation: ContractOperation, words: Words): string {
  const { operation_id, is_list, is_table } = operation
  const path = namesIn(operation, 'path')
  const query = operation.parameters.filter((item) => item.in === 'query' && !(is_list && item.name === 'cursor'))
  const [required, optional] = [query.filter((item) => item.required), query.filter((item) => !item.required)]
  const named = [
    ...required.map((item) => `${item.name}: ${givenType(item.schema)}`),
    ...optional.map((item) => `${item.name}: ${givenType(item.schema)} | None = None`),
    ...(hasKey(operation) ? ['idempotency_key: str | None = None'] : []),
  ]
  const signature = [
    'self',
    ...path.map((name) => `${name}: str`),
    ...(operation.body === null ? [] : [`body: ${typed(operation.body)}`]),
    ...(named.length === 0 ? [] : ['*', ...named]),
  ]
  const names = [...path, ...query.map((item) => item.name)]
  const given = names.length === 0 ? '{}' : `{${names.map((name) => `"${name}": ${name}`).join(', ')}}`
  const item = operation.data === null ? 'Any' : typed(operation.data)
  const constant = `op.${operation_id.toUpperCase()}`
  const list = is_table ? words.history : words.pages
  const returns = is_list ? `${list}[${item}]` : operation.data === null ? 'bytes' : item
  const extra = [
    ...(operation.body === null ? [] : ['body']),
    ...(hasKey(operation) ? ['idempotency_key=idempotency_key'] : []),
  ]
  const call = is_list
    ? `${list}(self, ${constant}, arguments)`
    : `${words.wait}self._one(${[constant, 'arguments', ...extra].join(', ')})`
  const value = is_list ? `return ${call}` : `found: ${returns} = ${call}\n        return found`
  return `    ${is_list ? 'def' : words.def} ${operation_id}(
        ${signature.join(',\n        ')},
    ) -> ${returns}:
        """${sentence(operation.summary)}"""
        arguments: dict[str, Any] = ${given}
        ${value}
`
}

/** Returns the type of a parameter: an instant may be a datetime. */
function givenType(schema: JsonSchema): string {
  return isLike(schema, '2026-01-17T00:00:00Z') ? 'str | datetime' : typed(schema)
}

/** Returns a type with the prefix of the module of types. Inline objects are plain dictionaries here. */
function typed(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return `t.${schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)}`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typed))].join(' | ')
  if (schema.type === 'array') return `list[${typed(schema.items ?? {})}]`
  if (schema.properties !== undefined) return 'dict[str, Any]'
  return typeOf(schema, 'Value', new Set(), [])
}

function pageLimit({ page_limit }: ContractOperation): readonly string[] {
  if (page_limit === null) return []
  const smaller = Object.entries(page_limit.with).map(([name, max]) => `("${name}", ${max})`)
  return [`page_max=${page_limit.max}`, ...(smaller.length === 0 ? [] : [`page_max_with=(${smaller.join(', ')},)`])]
}

function namesIn(operation: ContractOperation, place: 'path' | 'query'): readonly string[] {
  return operation.parameters.filter((item) => item.in === place).map((item) => item.name)
}

function hasKey(operation: ContractOperation): boolean {
  return operation.parameters.some((item) => item.in === 'header' && item.name === 'Idempotency-Key')
}

function tuple(names: readonly string[]): string {
  return names.length === 0 ? '()' : `(${names.map((name) => `"${name}"`).join(', ')},)`
}
