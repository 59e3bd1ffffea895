import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeViews } from '../../warehouse/describe/describe-view.ts'
import { deltaSchema } from '../../warehouse/log/table-definition.ts'
import { currentOf, visibleOf } from '../../warehouse/read/table-relations.ts'
import { tablesOfView, VIEW_NAMES, viewQueries } from '../../warehouse/read/views.ts'
import { TABLE_NAMES, type TableName, tableSchema } from '../../warehouse/tables.ts'

const TOOLS = fileURLToPath(new URL('../python/', import.meta.url))
const TRANSLATOR = `${TOOLS}spark_views.py`

/** Relations of a table in the queries that are translated: every row of it, those known at the instant, the current ones. */
const rows = (table: TableName) => `rows__${table}`
const visible = (table: TableName) => `visible__${table}`
const current = (table: TableName) => `current__${table}`
/** Name of the instant in the queries that are translated. */
const AT = 'instant__at'

/**
 * Returns the file of the views in Spark's SQL, made from the queries of our own views. sqlglot translates them, in Python, and only
 * if the file was made from other queries.
 */
export async function renderSparkViews(): Promise<(current: string) => string> {
  const described = await describeViews(VIEW_NAMES)
  const queries = viewQueries({ at: AT, visible, current }, new Set(TABLE_NAMES))
  const source = JSON.stringify({
    views: described.map(({ view, columns }) => ({
      name: view,
      tables: tablesOfView(view),
      columns: columns.map(({ column }) => column),
      query: queries.get(view)!.query(),
    })),
    relations: TABLE_NAMES.flatMap((table) => [
      { name: visible(table), query: visibleOf(table, rows(table), AT) },
      { name: current(table), query: currentOf(table, visible(table)) },
    ]),
    schemas: Object.fromEntries(TABLE_NAMES.map((table) => [table, deltaSchema(tableSchema(table))])),
  })
  const digest = createHash('sha256').update(source).update(readFileSync(TRANSLATOR)).digest('hex')
  return (written) => (written.includes(digest) ? written : translate(source, digest))
}

function translate(source: string, digest: string): string {
  const ensured = spawnSync(process.execPath, [`${TOOLS}ensure.mjs`, 'spark-views.txt'], { encoding: 'utf8' })
  if (ensured.status !== 0) throw new Error(`the views cannot be translated for Spark: ${ensured.stderr.trim()}`)
  const answer = spawnSync(ensured.stdout.trim(), [TRANSLATOR, digest], {
    input: source,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (answer.status !== 0) throw new Error(`the views cannot be translated for Spark: ${answer.stderr.trim()}`)
  return answer.stdout
}
