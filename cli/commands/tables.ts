import { count } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark tables`: lists the tables of the warehouse. */
export function tablesCommand(context: CommandContext) {
  const command = defineCommand('tables', 'list the tables: rows, files, bytes, publication span, log version', [
    'tidemark tables',
    'tidemark tables --json',
  ])
  return onAction(command, context, async ({ settings, output }) => {
    const { listTables } = await import('../../operations/query/list-tables.ts')
    const tables = await withWarehouse(settings, { create: false }, (warehouse) => listTables({ warehouse }))
    if (output.json) return void (await output.document(tables))
    await output.table(
      ['table', 'rows', 'files', 'bytes', 'first published', 'last published', 'sealed through', 'version'],
      tables.map((table) => [
        table.table,
        count(table.rows),
        count(table.files),
        count(table.bytes),
        table.first_published_at,
        table.last_published_at,
        table.sealed_through,
        table.log_version,
      ]),
    )
  })
}
