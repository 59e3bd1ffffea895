import { ServiceError } from '../../primitives/errors.ts'
import { didYouMean } from '../../primitives/nearest-word.ts'
import type { Connection } from '../duckdb/memory-database.ts'
import { quoteText } from '../sql/read-sql.ts'
import { type CteScope, childrenInScope, definedNames, NO_CTES, type Node } from './cte-scope.ts'
import { VIEW_NAMES } from './views.ts'

/** Accepted statement: its text without a terminator, and the views it reads. */
export type GuardedSql = { readonly text: string; readonly views: readonly string[] }

/**
 * Accepts exactly one SELECT over the views. The statement is checked by its syntax tree, and everything not known to be
 * harmless is rejected: other statements, all but a few table functions, names that are not views (such as file names), other
 * catalogs, and functions that read the session or its settings.
 * @throws {ServiceError} VALIDATION_SQL_REFUSED names the rejected part and the accepted ones
 */
export async function guardSql(connection: Connection, sql: string): Promise<GuardedSql> {
  const tree = await syntaxTree(connection, sql)
  if (tree.error)
    throw refused(tree.error_type === 'parser' ? `a syntax error (${tree.error_message})` : otherStatement(sql))
  if (tree.statements.length !== 1) throw refused(`${tree.statements.length} statements`)
  const views = new Set<string>()
  inspect(tree.statements[0], NO_CTES, views)
  return { text: await withoutTerminator(connection, sql, JSON.stringify(tree.statements)), views: [...views] }
}

type SyntaxTree = { error: boolean; error_type?: string; error_message?: string; statements: Node[] }

/** Accepted kinds of nodes of a SELECT: query nodes, table references, modifiers. */
const ALLOWED_NODES = new Set([
  'SELECT_NODE',
  'SET_OPERATION_NODE',
  'RECURSIVE_CTE_NODE',
  'CTE_NODE',
  'BASE_TABLE',
  'SUBQUERY',
  'JOIN',
  'TABLE_FUNCTION',
  'EMPTY',
  'EMPTY_FROM',
  'EXPRESSION_LIST',
  'PIVOT',
  'ORDER_MODIFIER',
  'LIMIT_MODIFIER',
  'LIMIT_PERCENT_MODIFIER',
  'DISTINCT_MODIFIER',
  'ASCENDING',
  'DESCENDING',
  'ORDER_DEFAULT',
])

const ALLOWED_TABLE_FUNCTIONS = new Set(['unnest', 'range', 'generate_series'])

/** Scalar functions that read the session, the server or other statements instead of their arguments. */
const REFUSED_FUNCTIONS =
  /^(getenv|getvariable|current_setting|current_query.*|current_connection_id|current_schemas?|current_database|nextval|currval|setseed|write_log|parse_duckdb_log_message|in_search_path|json_(de)?serialize_.*|json_execute.*|sleep_ms|txid_current|version|read_.*|duckdb_.*|pragma_.*|pg_(?!typeof$|size_pretty$).*|inet_.*|has_.*_privilege)$/

function inspect(value: unknown, scope: CteScope, views: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) inspect(item, scope, views)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return
  const node = value as Node
  checkNames(node)
  checkKind(node)
  if (node.type === 'BASE_TABLE') checkTable(node, scope, views)
  if (typeof node.function_name === 'string') checkFunction(node.function_name)
  for (const [child, inner] of childrenInScope(node, scope)) inspect(child, inner, views)
}

/** Refuses common table expressions with the names of files. */
function checkNames(node: Node): void {
  const strange = definedNames(node).find((name) => !/^[a-z_][a-z0-9_]*$/i.test(name))
  if (strange !== undefined) throw refused(`a common table expression named "${strange}"`)
}

/** Checks the kind of every node with a type; expressions have a class and are not checked. */
function checkKind(node: Node): void {
  if (typeof node.type !== 'string' || node.class !== undefined) return
  if (ALLOWED_NODES.has(node.type) || node.type.endsWith('_TYPE_INFO')) {
    if (node.type === 'TABLE_FUNCTION') checkTableFunction(node)
    return
  }
  throw node.type === 'SHOW_REF' ? refused('a DESCRIBE, SHOW or SUMMARIZE', SHOW_INSTEAD) : refused(node.type)
}

function checkTableFunction(node: Node): void {
  const name = String((node.function as Node).function_name).toLowerCase()
  if (!ALLOWED_TABLE_FUNCTIONS.has(name)) throw refused(`the table function ${name}`)
}

function checkFunction(name: string): void {
  if (REFUSED_FUNCTIONS.test(name.toLowerCase())) throw refused(`the function ${name}`)
}

function checkTable(node: Node, scope: CteScope, views: Set<string>): void {
  const name = String(node.table_name)
  const qualifier = [node.catalog_name, node.schema_name].filter((part) => typeof part === 'string' && part !== '')
  if (qualifier.length > 0) throw unknownTable([...qualifier, name].join('.'))
  if (node.at_clause !== undefined) throw refused(`an AT clause on ${name}`)
  const lower = name.toLowerCase()
  if (scope.visible.has(lower)) return
  if (VIEW_NAMES.includes(lower)) views.add(lower)
  else throw scope.later.has(lower) ? definedLater(name) : unknownTable(name)
}

/** Removes a closing semicolon, found by comparing syntax trees, so that the text fits inside parentheses. */
async function withoutTerminator(connection: Connection, sql: string, tree: string): Promise<string> {
  for (let end = sql.lastIndexOf(';'); end > 0; end = sql.lastIndexOf(';', end - 1)) {
    const text = sql.slice(0, end)
    const shorter = await syntaxTree(connection, text)
    if (!shorter.error && JSON.stringify(shorter.statements) === tree) return withoutTerminator(connection, text, tree)
  }
  return sql
}

async function syntaxTree(connection: Connection, sql: string): Promise<SyntaxTree> {
  const options = 'skip_null := true, skip_empty := true, skip_default := true'
  const reader = await connection.runAndReadAll(`select json_serialize_sql(${quoteText(sql)}, ${options})`)
  const tree = JSON.parse(String(reader.getRows()[0]![0])) as SyntaxTree
  return { ...tree, statements: tree.statements ?? [] }
}

const SHOW_INSTEAD = '; the commands tidemark describe VIEW, tidemark summarize VIEW and tidemark tables answer those'

/** @param instead what answers the question, after a semicolon */
function refused(seen: string, instead = ''): ServiceError {
  return new ServiceError(
    'VALIDATION_SQL_REFUSED',
    `sql has ${seen}; allowed: one read-only SELECT over the views, without files, settings or table functions other than unnest, range and generate_series${instead}`,
    { seen },
  )
}

function definedLater(name: string): ServiceError {
  return new ServiceError(
    'VALIDATION_SQL_REFUSED',
    `sql reads ${JSON.stringify(name)} where it is not defined yet; allowed: a common table expression of an earlier place in the WITH, its own name only after the UNION of a WITH RECURSIVE`,
    { seen: name },
  )
}

function unknownTable(name: string): ServiceError {
  const views = VIEW_NAMES.filter((view) => !view.endsWith('_history'))
  return new ServiceError(
    'VALIDATION_SQL_REFUSED',
    `sql reads ${JSON.stringify(name)}${didYouMean(name.toLowerCase(), VIEW_NAMES)}; allowed: the views ${views.join(', ')}, each also as <view>_history`,
    { seen: name },
  )
}

/** Names what is not a SELECT. DuckDB runs a PIVOT without listed values as several statements, which are not checked. */
function otherStatement(sql: string): string {
  const word = /^(?:\s+|\(|--[^\n]*\n|\/\*[\s\S]*?\*\/)*([a-z_]+)/i.exec(sql)?.[1]?.toUpperCase()
  if (word !== undefined && !/^(SELECT|WITH|FROM|VALUES|TABLE|PIVOT|PIVOT_WIDER)$/.test(word))
    return `the statement ${word}`
  return /\bpivot(_wider)?\b/i.test(sql)
    ? 'a PIVOT without its values (write them: pivot VIEW on COLUMN in (...)), or a second statement'
    : 'a second statement'
}
