import { Option } from 'commander'
import type { AppliedIndex } from '../../operations/index/plan-definition.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { clockOption } from '../options.ts'

/** Option of commands that check definitions. */
export const allowUnknownOption = () =>
  new Option('--allow-unknown', 'accept markets that are not stored yet, such as planned ones')

/** Returns whether unknown markets are accepted. */
export function unknownMarkets(allow_unknown: true | undefined): 'allowed' | 'refused' {
  return allow_unknown === true ? 'allowed' : 'refused'
}

/** `tidemark index apply FILE ...`: registers an index, its methodology and the versions not yet published. */
export function applyCommand(context: CommandContext) {
  const command = defineCommand('apply', 'register an index, its methodology and every version not yet published', [
    'tidemark index apply demo.yaml',
    'tidemark index apply demo.yaml other.yaml --clock recorded --json',
    'tidemark index apply planned.yaml --allow-unknown',
  ])
    .argument('<file...>', 'definition files (YAML or JSON)')
    .addOption(clockOption())
    .addOption(allowUnknownOption())
  return onAction<{ clock: ImportClock; allowUnknown?: true }>(command, context, async (invocation) => {
    const { args: files, options, settings, output } = invocation
    const { applyDefinitions } = await import('../../operations/index/apply-definitions.ts')
    const unknown_markets = unknownMarkets(options.allowUnknown)
    const { outlookText, publicationOutlooks } = await import('../../service/publication-outlook.ts')
    const { indexes, outlooks } = await withWarehouse(settings, { create: true }, async (warehouse) => {
      const applied = await applyDefinitions({ files, clock: options.clock, unknown_markets, warehouse })
      return { ...applied, outlooks: await publicationOutlooks(settings, warehouse, applied.indexes) }
    })
    if (output.json) {
      const described = indexes.map((index, i) => ({ ...index, publisher: outlooks[i]?.publisher ?? null }))
      return void (await output.document({ indexes: described }))
    }
    await printPlanned(output, indexes, 'published')
    for (const [i, outlook] of outlooks.entries())
      if (outlook !== null) await output.line(outlookText(indexes[i]!.index_id, outlook))
  })
}

/** Returns names of versions as text; a bare name such as 2 would read as a count. */
export function versionsText(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return `${names.length === 1 ? 'version' : 'versions'} ${names.join(', ')}`
}

/** Prints what definitions publish, or would. */
export async function printPlanned(output: Output, indexes: readonly AppliedIndex[], published: string): Promise<void> {
  await output.table(
    ['index', 'index is', 'methodology is', published, 'unchanged'],
    indexes.map((index) => [
      index.index_id,
      index.created ? 'new' : index.updated ? 'updated' : 'known',
      index.methodology_published ? 'new' : 'known',
      versionsText(index.versions_published),
      versionsText(index.versions_unchanged),
    ]),
  )
  const silent = indexes.flatMap((index) => index.silent_constituents)
  if (silent.length === 0) return
  const { silentText } = await import('../../operations/index/check-links.ts')
  for (const one of silent) output.problem(silentText(one))
}
