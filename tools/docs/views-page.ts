import { type DescribedColumn, describeViews, VIEW_MEANINGS } from '../../warehouse/describe/describe-view.ts'
import { tablesOfView } from '../../warehouse/read/views.ts'
import { tableSchema } from '../../warehouse/tables.ts'

const HEAD = `# Views

Columns of every view that \`tidemark sql\` reads, with their types and meanings. Made from the one description of the
views by \`npm run docs\`; \`tidemark describe VIEW\` prints the same. [Queries](warehouse.md#queries) explains what a
view shows of the stored rows.

Each view has a form \`<view>_history\` with every revision. Columns that only one of the two forms has say so. A chain is
one record with its corrections: the plain view shows its current row.
`

/** docs/views.md: the views, then one section each. */
export async function renderViewsPage(): Promise<string> {
  const names = Object.keys(VIEW_MEANINGS)
  const plain = await describeViews(names)
  const history = await describeViews(names.map((name) => `${name}_history`))
  const list = plain.map(({ view, row }) => `| [\`${view}\`](#${view}) | ${row} | ${chainOf(view)} |`)
  const sections = plain.map(({ view, row, columns }, at) => {
    const rows = rowsOf(columns, history[at]!.columns)
    return `## ${view}\n\nOne row is ${row}.\n\n| column | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return [HEAD, `| view | one row is | chain |\n|---|---|---|\n${list.join('\n')}\n`, ...sections].join('\n')
}

/** Returns the columns that identify a correction chain of the table behind a view. */
function chainOf(view: string): string {
  const [table] = tablesOfView(view)!
  return tableSchema(table!)
    .chain.map((column) => `\`${column}\``)
    .join(', ')
}

function rowsOf(plain: readonly DescribedColumn[], history: readonly DescribedColumn[]): string[] {
  const has = (columns: readonly DescribedColumn[], name: string) => columns.some(({ column }) => column === name)
  const all = [...plain, ...history.filter(({ column }) => !has(plain, column))]
  return all.map(({ column, type, meaning }) => {
    const form = !has(plain, column) ? ' (`_history` alone)' : has(history, column) ? '' : ' (not in `_history`)'
    return `| \`${column}\` | ${typeText(type)} | ${meaning}${form} |`
  })
}

/** Returns a type with the names of its fields, without their types. */
function typeText(type: string): string {
  const list = type.endsWith('[]') ? ' list' : ''
  const [, fields] = /^STRUCT\((.*)\)(\[\])?$/.exec(type) ?? []
  if (fields === undefined) return `\`${type}\``
  return `struct${list} of ${namesOf(fields)
    .map((name) => `\`${name}\``)
    .join(', ')}`
}

/** Returns the names of the outer fields of a struct's type. */
function namesOf(fields: string): string[] {
  const names: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= fields.length; at += 1) {
    const one = fields[at]
    if (one === '(') depth += 1
    if (one === ')') depth -= 1
    if (depth > 0 || (one !== ',' && one !== undefined)) continue
    names.push(fields.slice(start, at).trim().split(' ')[0]!.replaceAll('"', ''))
    start = at + 1
  }
  return names
}
