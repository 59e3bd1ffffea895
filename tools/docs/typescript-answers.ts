import { ENDPOINTS } from '../../protocol/endpoints/endpoints.ts'
import { type ContractOperation, contractDocument, type JsonSchema } from './contract-document.ts'

/** Public reads whose answers `verify everything` compares with the contract before it uses them. */
const CHECKED_READS: readonly string[] = [
  ...['list_indexes', 'get_index', 'list_index_versions', 'get_index_version', 'list_constituents'],
  ...['list_index_prices', 'get_index_observation', 'list_methodologies', 'get_methodology'],
  ...['list_rating_methodologies', 'list_severity_methodologies', 'get_index_pro_forma'],
  ...['list_markets', 'get_market', 'list_market_prices', 'get_market_observation', 'list_trades'],
  ...['get_market_resolution', 'list_market_resolutions', 'list_ratings', 'get_rating'],
  ...['list_severity_assessments', 'get_severity_assessment', 'get_severity_index'],
  ...['list_eligibility_policies', 'get_market_eligibility'],
  ...['get_governance_roster', 'get_governance_policy', 'list_governance_acts'],
  ...['list_governance_proposals', 'get_governance_proposal', 'list_governance_notices', 'get_governance_notice'],
  ...['list_restatements', 'list_complaints', 'get_complaint'],
]

/** Returns whether the answers of an operation are checked; each proof has the same form. */
const isChecked = ({ operation_id }: ContractOperation) =>
  CHECKED_READS.includes(operation_id) || operation_id.endsWith('_proof')

/** Renders the schemas of the answers without their descriptions, so that the package stays small. */
export function renderAnswers(): string {
  const { schemas, operations } = contractDocument()
  const checked = operations.filter((operation) => !operation.is_private && isChecked(operation))
  const named = createNames(schemas)
  const rows = checked.flatMap(({ path, operation_id, is_list, data }) => {
    const schema = named.expression(data!)
    const below = path.replace(/^\/v1/, '')
    return [below, ...aliasesOf(operation_id)].map((one) => `  '${one}': [${schema}, ${is_list}],\n`)
  })
  return `import { type AnswerSchema, listOf, oneOf, orNull, record, textLike } from './answer-schema.ts'

/** Schemas of public answers, made from the OpenAPI document by \`npm run docs\`. */
const ANY: AnswerSchema = {}
const BOOLEAN: AnswerSchema = { type: 'boolean' }
const INTEGER: AnswerSchema = { type: 'integer' }
const OBJECT: AnswerSchema = { type: 'object' }
const TEXT: AnswerSchema = { type: 'string' }

${named.definitions().join('\n')}

/** Schema of one record by the path below /v1, and whether the answer is a list of them. */
export const ANSWERS: Readonly<Record<string, readonly [schema: AnswerSchema, is_list: boolean]>> = {
${rows.join('')}}
`
}

/** Resources that the verifier never asks for with `expand`: fields that come with it alone are left out. */
const EXPANDED = ['Index', 'Market']

function unexpanded({ properties = {}, required = [], ...schema }: JsonSchema): JsonSchema {
  const kept = Object.entries(properties).filter(([, { description = '' }]) => !description.startsWith('expand='))
  return { ...schema, required, properties: Object.fromEntries(kept) }
}

function aliasesOf(operation_id: string): readonly string[] {
  const endpoint = Object.values(ENDPOINTS).find((one) => one.operation_id === operation_id)
  return endpoint !== undefined && 'aliases' in endpoint ? endpoint.aliases : []
}

/** Names of schemas that were defined; a schema that occurs twice has one. */
function createNames(schemas: Readonly<Record<string, JsonSchema>>) {
  const names = new Map<string, string>()
  const define = (text: string, name: string) => {
    if (!names.has(text)) names.set(text, name)
    return names.get(text)!
  }
  const expression = (schema: JsonSchema): string => {
    const { $ref, type, pattern, items, properties, required = [] } = schema
    if ($ref !== undefined) {
      const name = $ref.slice($ref.lastIndexOf('/') + 1)
      return define(expression(EXPANDED.includes(name) ? unexpanded(schemas[name]!) : schemas[name]!), `${name}Schema`)
    }
    const values = schema.const === undefined ? schema.enum : [schema.const]
    if (values !== undefined)
      return define(`oneOf(${values.map((value) => JSON.stringify(value)).join(', ')})`, `Values${names.size}`)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return choiceOf(choices, expression)
    if (pattern !== undefined) return define(`textLike(${JSON.stringify(pattern)})`, `Text${names.size}`)
    if (type === 'array') return `listOf(${expression(items ?? {})})`
    if (properties !== undefined) return recordOf(properties, required, expression)
    return PLAIN[String(type)] ?? 'ANY'
  }
  return { expression, definitions: () => [...names].map(([text, name]) => `const ${name} = ${text}`) }
}

const PLAIN: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  integer: 'INTEGER',
  object: 'OBJECT',
  string: 'TEXT',
}

type Expression = (schema: JsonSchema) => string

function choiceOf(choices: readonly JsonSchema[], expression: Expression): string {
  const some = choices.filter(({ type }) => type !== 'null').map(expression)
  const one = some.length === 1 ? some[0]! : `{ anyOf: [${some.join(', ')}] }`
  return some.length === choices.length ? one : `orNull(${one})`
}

function recordOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  expression: Expression,
): string {
  const fields = (names: readonly string[]) =>
    `{ ${names.map((name) => `${JSON.stringify(name)}: ${expression(properties[name]!)}`).join(', ')} }`
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const always = fields(Object.keys(properties).filter((name) => required.includes(name)))
  return optional.length === 0 ? `record(${always})` : `record(${always}, ${fields(optional)})`
}
