import { VIEW_MEANINGS } from '../../vocabulary/meanings/view-meanings.ts'
import { type DescribedColumn, describeViews } from '../../warehouse/describe/describe-view.ts'
import { tablesOfView } from '../../warehouse/read/views.ts'
import { tableSchema } from '../../warehouse/tables.ts'

const HEAD = `# Views

Columns of every view that \`tidemark sql\` reads, with their types and meanings. Made from the one description of the
views by \`npm run docs\`; \`tidemark describe VIEW\` prints the same. [Queries](warehouse.md#queries) explains what a
view shows of the stored rows.

Each view has a form \`<view>_history\` with every revision. Columns that only one of the two forms has say so. A chain is
one record with its corrections: the plain view shows its current row. That is the row of the chain with the greatest
values in the column "newest by", then the greatest \`published_at\` and \`row_ordinal\`.

[Other engines](warehouse.md#reading-with-other-engines) read the tables, not the views. A view whose table has another
name says which. A column that a view computes is marked "not in the files".
[Archives](archives.md#correction-chains) explains the codes in \`correction_reason\` of records of venues.
`

/** docs/views.md: the views, then one section each. */
export async function renderViewsPage(): Promise<string> {
  const names = Object.keys(VIEW_MEANINGS)
  const plain = await describeViews(names)
  const history = await describeViews(names.map((name) => `${name}_history`))
  const list = plain.map(
    ({ view, row }) => `| [\`${view}\`](#${view}) | ${row} | ${chainOf(view)} | ${newestOf(view)} |`,
  )
  const sections = plain.map(({ view, row, columns }, at) => {
    const rows = rowsOf(view, columns, history[at]!.columns)
    const from = tableOf(view) === view ? '' : `In files it is the table \`${tableOf(view)}\`.\n`
    return `## ${view}\n\nOne row is ${row}.\n${from}\n| column | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return [HEAD, `| view | one row is | chain | newest by |\n|---|---|---|---|\n${list.join('\n')}\n`, ...sections].join(
    '\n',
  )
}

/** Returns the table behind a view. */
function tableOf(view: string) {
  return tablesOfView(view)![0]!
}

/** Returns the columns that identify a correction chain of the table behind a view. */
function chainOf(view: string): string {
  return codes(tableSchema(tableOf(view)).chain)
}

/** Returns the columns that choose the current row of a chain, before those of its publication. */
function newestOf(view: string): string {
  return codes(tableSchema(tableOf(view)).current)
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Columns that the log assigns to each row. */
const STAMPED = ['published_at', 'row_ordinal']

function rowsOf(view: string, plain: readonly DescribedColumn[], history: readonly DescribedColumn[]): string[] {
  const stored = [...Object.keys(tableSchema(tableOf(view)).columns), ...STAMPED]
  const has = (columns: readonly DescribedColumn[], name: string) => columns.some(({ column }) => column === name)
  const all = [...plain, ...history.filter(({ column }) => !has(plain, column))]
  return all.map(({ column, type, meaning }) => {
    const form = !has(plain, column) ? ' (`_history` alone)' : has(history, column) ? '' : ' (not in `_history`)'
    const computed = stored.includes(column) ? '' : ' (not in the files)'
    return `| \`${column}\` | ${typeText(type)} | ${meaning}${form}${computed} |`
  })
}

/** Returns a type with the names of its fields, without their types. */
function typeText(type: string): string {
  const list = type.endsWith('[]') ? ' list' : ''
  const [, fields] = /^STRUCT\((.*)\)(\[\])?$/.exec(type) ?? []
  if (fields === undefined) return `\`${type}\``
  return `struct${list} of ${codes(namesOf(fields))}`
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
