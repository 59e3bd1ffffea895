import { count } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { durationOption } from '../options.ts'

/** `tidemark vacuum`: deletes files that no snapshot names and that are older than the retention time. */
export function vacuumCommand(context: CommandContext) {
  const command = defineCommand('vacuum', 'delete files that nothing refers to', [
    'tidemark vacuum --dry-run',
    'tidemark vacuum --retention P7D',
  ])
    .addOption(durationOption('--retention <duration>', 'keep unreferenced files younger than this').default('P7D'))
    .option('--dry-run', 'show what would be deleted')
  return onAction<{ retention: string; dryRun?: boolean }>(command, context, async ({ options, settings, output }) => {
    const { vacuumWarehouse } = await import('../../operations/upkeep/vacuum-warehouse.ts')
    const { retention, dryRun: dry_run = false } = options
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      vacuumWarehouse({ warehouse, retention, dry_run }),
    )
    if (output.json) return void (await output.document(report))
    await output.table(
      ['table', dry_run ? 'would delete' : 'deleted', 'bytes'],
      report.tables.map((table) => [table.table, count(table.files), count(table.bytes)]),
    )
  })
}
