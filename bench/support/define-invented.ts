import { type DefinedVersion, decodeDefinition } from '../../pipelines/index/definition.ts'
import type { DefinitionFile } from '../../pipelines/index/definition-schema.ts'
import { indexRecord, methodologyRecord, versionRecord } from '../../pipelines/index/version-record.ts'
import { FIRST_REVISION } from '../../primitives/append-only.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

export type Append = (table: TableName, rows: readonly Row[]) => Promise<void>

/** Appends commits under the wall clock, one after the other. */
export function appender(warehouse: Warehouse, app_id = 'bench'): Append {
  let app_sequence = 0
  return async (table, rows) => {
    app_sequence += 1
    await warehouse.append(table, rows, { app_id, app_sequence, stamp: { kind: 'wall' }, operation: 'BENCH' })
  }
}

/** Commits the rows that `tidemark index apply` would commit for indexes of one methodology. */
export async function defineInvented(append: Append, files: readonly DefinitionFile[]): Promise<void> {
  const defined = files.map((file) => decodeDefinition(file))
  await append('methodology', [methodologyRecord(defined[0]!)])
  await append(
    'index_definition',
    defined.map(({ index }) => {
      const created_at = index.base_date
      return { ...FIRST_REVISION, ...indexRecord(index), created_at, updated_at: created_at }
    }),
  )
  await append(
    'index_version',
    defined.flatMap(({ versions }) => versions.map((version: DefinedVersion) => versionRecord(version, null) as Row)),
  )
}
