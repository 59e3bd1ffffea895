import type { ColumnSummary } from '../../operations/query/summarize-view.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import type { DescribedView } from '../../warehouse/describe/describe-view.ts'

/** Prints the columns of a view for people. */
export async function printDescription(output: Output, { view, row, columns }: DescribedView): Promise<void> {
  await output.line(`${view}: ${row}`)
  await output.table(
    ['column', 'type', 'meaning'],
    columns.map(({ column, type, meaning }) => [column, shortType(type), meaning]),
  )
}

/** Prints the figures of the columns of a view for people. */
export async function printSummary(output: Output, columns: readonly ColumnSummary[]): Promise<void> {
  await output.table(
    ['column', 'type', 'nulls', 'about_distinct', 'min', 'q25', 'q50', 'q75', 'max'],
    columns.map(({ column, type, nulls, about_distinct, min, q25, q50, q75, max }) => {
      return [column, shortType(type), count(nulls), count(about_distinct), min, q25, q50, q75, max]
    }),
  )
  await output.line(`${count(columns[0]?.rows ?? 0)} rows`)
}

/** Returns the type without the fields of structs, which can be longer than a screen. */
function shortType(type: string): string {
  return type.replace(/STRUCT\(.*\)/, 'STRUCT(…)')
}
