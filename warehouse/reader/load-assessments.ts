import { toMicros } from '../../primitives/instants.ts'
import { readRows } from '../read/duckdb.ts'
import { fillTemplate, quoteName } from '../read/sql-template.ts'
import { columnList, dataRelation, instantLiteral } from '../read/table-relations.ts'
import type { Row } from '../schema.ts'
import { MODEL_RECORDS_KEPT } from './assessment-rows.ts'
import { type AssessmentTableName, SERIES_OF } from './followed-tables.ts'
import type { KnownBase, LoadContext } from './load-table.ts'
import { seqOfRow } from './seq-of-row.ts'
import type { TableMemory } from './table-memory.ts'

/** Fills an empty memory with what was in force, or may come into force, at the last version that is read as a whole. */
export async function loadAssessments(
  memory: TableMemory,
  table: AssessmentTableName,
  paths: readonly string[],
  base: KnownBase,
  context: LoadContext,
): Promise<void> {
  const { connection, versions } = context
  const rows = dataRelation(table, paths)
  const series = SERIES_OF[table].map(quoteName).join(', ')
  const known = `published_at <= ${instantLiteral(base.stamp)}`
  const place = "{'published_at': published_at, 'row_ordinal': row_ordinal}"
  const seen = await readRows(
    connection,
    fillTemplate('newest_places', { key: series, order: place, rows, as_of: instantLiteral(base.stamp) }),
  )
  for (const one of seen) {
    const last = one.last_order as Row
    memory.assessments!.seen(one, toMicros(one.first_published_at), toMicros(last.published_at))
    memory.setLast(one, await seqOfRow(last, base.version, versions))
  }
  // One more than is kept, so that memory knows that it does not have all.
  const heads = await readRows(
    connection,
    fillTemplate('assessment_heads', { series, rows, known, kept: String(MODEL_RECORDS_KEPT + 1) }),
  )
  const found = await readRows(
    connection,
    fillTemplate('rows_at_places', { columns: columnList(table), rows, known }),
    {
      stamps: heads.map(({ published_at }) => String(published_at)),
      ordinals: heads.map(({ row_ordinal }) => String(row_ordinal)),
    },
  )
  for (const row of found) memory.assessments!.add(row, await seqOfRow(row, base.version, versions))
}
