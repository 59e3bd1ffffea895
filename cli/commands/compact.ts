import { count } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark compact`: rewrites many small files as few; no answer changes. */
export function compactCommand(context: CommandContext) {
  const command = defineCommand('compact', 'rewrite many small files as few; no answer changes', ['tidemark compact'])
  return onAction(command, context, async ({ settings, output, signal }) => {
    const { compactWarehouse } = await import('../../operations/upkeep/compact-warehouse.ts')
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      compactWarehouse({
        warehouse,
        signal,
        // A large table takes minutes: its past answers are recorded first.
        onTable: (table, files) => output.note(`${table}: ${count(files)} ${files === 1 ? 'file' : 'files'}`),
      }),
    )
    if (output.json) return void (await output.document(report))
    await output.table(
      ['table', 'files before', 'files after', 'rows', 'interval rows'],
      report.tables.map((table) => [
        table.table,
        count(table.files_before),
        count(table.files_after),
        count(table.rows),
        table.interval_rows === null ? null : count(table.interval_rows),
      ]),
    )
  })
}
