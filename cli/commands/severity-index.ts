import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, atOption, clockOption } from '../options.ts'
import { printRows } from '../review/print-record.ts'
import { versionsText } from './index-apply.ts'

/** `tidemark severity index ...`: severity indexes of events. They are not prices, and nothing trades on them. */
export function severityIndexCommand(context: CommandContext) {
  const group = defineCommand('index', 'define and publish severity indexes; they are not prices')
  for (const command of [applyCommand, computeCommand, listCommand, showCommand]) group.addCommand(command(context))
  return group
}

function applyCommand(context: CommandContext) {
  const command = defineCommand('apply', 'register a severity index and every version not yet published', [
    'tidemark severity index apply quakes.yaml',
  ]).argument('<file>', 'definition file (YAML or JSON)')
  return onAction(command, context, async ({ args, settings, output }) => {
    const { applySeverityIndex } = await import('../../operations/severity/apply-severity-index.ts')
    const applied = await withWarehouse(settings, { create: true }, (warehouse) =>
      applySeverityIndex({ file: args[0]!, warehouse }),
    )
    if (output.json) return void (await output.document(applied))
    const { severity_index_id, created, updated, versions_published, versions_unchanged } = applied
    await output.table(
      ['index', 'index is', 'published', 'unchanged'],
      [
        [
          severity_index_id,
          created ? 'new' : updated ? 'updated' : 'known',
          versionsText(versions_published),
          versionsText(versions_unchanged),
        ],
      ],
    )
  })
}

function computeCommand(context: CommandContext) {
  const command = defineCommand('compute', 'publish the value of a severity index', [
    'tidemark severity index compute svi_quakes',
    'tidemark severity index compute svi_quakes --at 2026-01-17T00:00:00Z --json',
  ])
    .argument('<index>', 'severity index id')
    .addOption(atOption())
    .addOption(clockOption())
  return onAction<{ at?: string; clock: ImportClock }>(
    command,
    context,
    async ({ args, options, settings, output }) => {
      const { computeSeverityIndex } = await import('../../operations/severity/compute-severity-index.ts')
      const { at = null, clock } = options
      const done = await withWarehouse(settings, { create: false }, (warehouse) =>
        computeSeverityIndex({ severity_index_id: args[0]!, at, clock, warehouse }),
      )
      if (output.json) return void (await output.document(done))
      await printRows(output, done.published ? 'Published' : 'Published before', VALUE_FIELDS, [done.value])
    },
  )
}

const VALUE_FIELDS = ['source_cutoff_at', 'value', 'level_equivalent', 'coverage_ratio', 'quality_state', 'value_id']

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list the severity indexes with their newest values', [
    'tidemark severity index list',
  ]).addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listSeverityIndexes } = await import('../../operations/severity/read-severity.ts')
    const rows = await withWarehouse(settings, { create: false }, (warehouse) =>
      listSeverityIndexes({ as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(rows))
    await printRows(output, 'Severity indexes', ['severity_index_id', 'name', ...VALUE_FIELDS.slice(0, 5)], rows)
  })
}

function showCommand(context: CommandContext) {
  const command = defineCommand('show', 'show a severity index, its versions and values', [
    'tidemark severity index show svi_quakes',
  ])
    .argument('<index>', 'severity index id')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { showSeverityIndex } = await import('../../operations/severity/read-severity.ts')
    const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
      showSeverityIndex({ severity_index_id: args[0]!, as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(shown))
    await printRows(output, 'Index', ['severity_index_id', 'name', 'description', 'status', 'unit'], [shown.index])
    await printRows(output, 'Versions', ['version', 'effective_from', 'assessment_type', 'definition'], shown.versions)
    await printRows(output, 'Values', VALUE_FIELDS, shown.values)
  })
}
