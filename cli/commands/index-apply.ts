import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { clockOption } from '../options.ts'

/** `tidemark index apply FILE ...`: registers an index, its methodology and the versions not yet published. */
export function applyCommand(context: CommandContext) {
  const command = defineCommand('apply', 'register an index, its methodology and every version not yet published', [
    'tidemark index apply demo.yaml',
    'tidemark index apply demo.yaml other.yaml --clock recorded --json',
  ])
    .argument('<file...>', 'definition files (YAML or JSON)')
    .addOption(clockOption())
  return onAction<{ clock: ImportClock }>(command, context, async ({ args, options, settings, output }) => {
    const { applyDefinitions } = await import('../../operations/index/apply-definitions.ts')
    const report = await withWarehouse(settings, { create: true }, (warehouse) =>
      applyDefinitions({ files: args, clock: options.clock, warehouse }),
    )
    if (output.json) return void (await output.document(report))
    await output.table(
      ['index', 'index is', 'methodology is', 'versions published', 'versions unchanged'],
      report.indexes.map((index) => [
        index.index_id,
        index.created ? 'new' : index.updated ? 'updated' : 'known',
        index.methodology_published ? 'new' : 'known',
        index.versions_published.join(' ') || 'none',
        index.versions_unchanged.join(' ') || 'none',
      ]),
    )
  })
}
