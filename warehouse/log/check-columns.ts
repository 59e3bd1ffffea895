import { ServiceError } from '../../primitives/errors.ts'
import type { TableSchema } from '../schema.ts'
import { deltaSchema } from './table-definition.ts'

type Fields = { readonly fields: readonly { readonly name: string; readonly type: unknown }[] }

/**
 * A table may get new columns, which are null in older rows; anything else would change what is published.
 * @param schema_string  the table's columns as its log has them
 * @throws {ServiceError} WAREHOUSE_SCHEMA_CHANGED names the first column that is not as this code knows it
 */
export function checkColumns(table: string, schema_string: string, schema: TableSchema): void {
  const known = new Map((deltaSchema(schema) as Fields).fields.map(({ name, type }) => [name, JSON.stringify(type)]))
  for (const { name, type } of (JSON.parse(schema_string) as Fields).fields) {
    const [there, here] = [JSON.stringify(type), known.get(name)]
    if (there === here) continue
    throw new ServiceError(
      'WAREHOUSE_SCHEMA_CHANGED',
      `column ${name} of table ${table} is ${there} in this warehouse and ${here ?? 'unknown'} to this version of tidemark; ` +
        'allowed: the same columns or fewer',
      { table, column: name, there, here: here ?? '' },
    )
  }
}
