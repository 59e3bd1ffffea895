import { notAllowed } from '../../primitives/errors.ts'
import { didYouMean } from '../../primitives/nearest-word.ts'
import { columnMeaning, VIEW_MEANINGS } from '../../vocabulary/meanings/view-meanings.ts'
import { openSharedDatabase, readRows } from '../duckdb/memory-database.ts'
import { createViews } from '../read/sources-session.ts'
import { tablesOfView, VIEW_NAMES } from '../read/views.ts'

export type DescribedColumn = { readonly column: string; readonly type: string; readonly meaning: string | null }

export type DescribedView = {
  readonly view: string
  /** Subject of one row. */
  readonly row: string
  readonly columns: readonly DescribedColumn[]
}

/**
 * Describes views: their columns with the types that DuckDB gives them, in their order, and the meaning of each. No data is read.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names an unknown view and the nearest known one
 */
export async function describeViews(names: readonly string[]): Promise<DescribedView[]> {
  names.forEach(checkView)
  const tables = [...new Set(names.flatMap((name) => tablesOfView(name) ?? []))]
  const { connection, close } = await openSharedDatabase()
  try {
    await createViews(
      connection,
      tables.map((table) => ({ table, files: [], intervals: null })),
      { as_of: 0, named_in: names.join(' ') },
    )
    const described: DescribedView[] = []
    for (const view of names) {
      const plain = view.replace(/_history$/, '')
      const { row } = VIEW_MEANINGS[plain]!
      const rows = await readRows(connection, `select column_name, column_type from (describe ${view})`)
      described.push({
        view,
        row: view.endsWith('_history') ? `${row}; every revision` : row,
        columns: rows.map(({ column_name, column_type }) => ({
          column: String(column_name),
          type: String(column_type),
          meaning: columnMeaning(plain, String(column_name)),
        })),
      })
    }
    return described
  } finally {
    await close()
  }
}

/** Refuses a name that no view has. @throws {ServiceError} VALIDATION_USAGE_INVALID */
function checkView(name: string): void {
  if (VIEW_NAMES.includes(name)) return
  const views = VIEW_NAMES.filter((view) => !view.endsWith('_history'))
  const allowed = `${views.join(', ')}, each also as <view>_history`
  throw notAllowed(
    'VALIDATION_USAGE_INVALID',
    'view',
    `${JSON.stringify(name)}${didYouMean(name, VIEW_NAMES)}`,
    allowed,
  )
}
