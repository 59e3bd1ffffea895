import type { showIndex } from '../../operations/index/show-index.ts'
import type { Output, TableCell } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { Row } from '../../warehouse/schema.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

/** `tidemark index show INDEX`: the index, its versions with constituents, and its latest level. */
export function showCommand(context: CommandContext) {
  const command = defineCommand('show', 'show an index, its versions with constituents, and its latest level', [
    'tidemark index show idx_demo',
    'tidemark index show idx_demo --as-of 2026-01-17T00:00:00Z --json',
  ])
    .argument('<index>', 'index id')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { showIndex } = await import('../../operations/index/show-index.ts')
    const { readStuck } = await import('../../operations/live/stuck-indexes.ts')
    const [index, stuck] = await withWarehouse(settings, { create: false }, async (warehouse) => [
      await showIndex({ index_id: args[0]!, as_of: options.asOf ?? null, warehouse }),
      await readStuck(warehouse.local_root),
    ])
    await (output.json ? output.document(index) : printIndex(output, index))
    for (const { since, message } of stuck.filter(({ index_id }) => index_id === args[0]))
      output.problem(`publication of ${args[0]} stopped at ${since}: ${message}`)
  })
}

type ShownIndex = Awaited<ReturnType<typeof showIndex>>

const INDEX_FIELDS = ['index_id', 'symbol', 'name', 'description', 'status', 'unit', 'base_value', 'base_date']
const LEVEL_FIELDS = [
  'tick_at',
  'level',
  'quality_state',
  'reason_codes',
  'coverage_ratio',
  'confidence',
  'published_at',
]
const VERSION_FIELDS = ['version', 'effective_from', 'effective_to', 'mode', 'calculation_frequency', 'link_factor']
const CONSTITUENT_FIELDS = ['constituent_id', 'target_weight', 'normalization', 'market_id', 'outcome_id']

async function printIndex(output: Output, index: ShownIndex): Promise<void> {
  const { latest, versions } = index
  const fields: Row = { ...index }
  await output.table(
    ['field', 'value'],
    INDEX_FIELDS.map((name) => [name, cell(fields, name)]),
  )
  if (latest !== null) await printRows(output, 'Latest level', LEVEL_FIELDS, [{ ...latest }])
  await printRows(output, 'Versions', VERSION_FIELDS, versions)
  const ruling = versions.findIndex(({ version }) => version === index.active_version)
  // Before its first version begins, an index shows that one; versions to come follow the one in force.
  for (const version of versions.slice(Math.max(0, ruling))) await printConstituents(output, version, index)
}

async function printConstituents(output: Output, version: Row, { active_version }: ShownIndex): Promise<void> {
  const is_ruling = version.version === active_version
  const when = is_ruling ? 'in force' : `from ${version.effective_from} on`
  const title = `Constituents of version ${version.version}, ${when}`
  await printRows(output, title, CONSTITUENT_FIELDS, (version.constituents ?? []) as readonly Row[])
}

async function printRows(
  output: Output,
  title: string,
  fields: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  await output.line(`\n${title}`)
  await output.table(
    fields,
    rows.map((row) => fields.map((name) => cell(row, name))),
  )
}

function cell(row: Row, name: string): TableCell {
  const value = row[name]
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
