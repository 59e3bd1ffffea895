import { Option } from 'commander'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { writeOutput } from '../../warehouse/export/output-file.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

/** `tidemark index factsheet INDEX`: what an index is and was, on one page for print. */
export function factsheetCommand(context: CommandContext) {
  const command = defineCommand(
    'factsheet',
    'write a page for print: rule, constituents, history of the level, quality, versions, notices',
    [
      'tidemark index factsheet idx_demo --out factsheet.html',
      'tidemark index factsheet idx_demo --as-of 2026-01-17T00:00:00Z --out factsheet.html',
    ],
  )
    .argument('<index>', 'index id')
    .addOption(
      new Option('--out <file>', 'HTML file to write; it appears complete or not at all').makeOptionMandatory(),
    )
    .addOption(asOfOption())
  return onAction<{ out: string; asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const [{ readFactsheet }, { renderFactsheet }] = await Promise.all([
      import('../../operations/index/read-factsheet.ts'),
      import('../../report/factsheet.ts'),
    ])
    const sheet = await withWarehouse(settings, { create: false }, (warehouse) =>
      readFactsheet({ index_id: args[0]!, as_of: options.asOf ?? null, warehouse }),
    )
    await writeOutput(options.out, renderFactsheet(sheet), { option: 'out' })
    if (output.json) return void (await output.document({ file: options.out, as_of: sheet.as_of }))
    await output.line(`factsheet written to ${options.out}`)
  })
}
