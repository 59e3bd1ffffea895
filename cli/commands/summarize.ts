import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { printSummary } from '../sql/print-view.ts'
import { type LimitFlags, limitOptions, limitsOf } from '../sql/sql-options.ts'

type Options = LimitFlags & { readonly asOf?: string }

/** `tidemark summarize VIEW`: figures of every column as of an instant. */
export function summarizeCommand(context: CommandContext) {
  const command = defineCommand(
    'summarize',
    'print the range, quartiles, nulls and estimated distinct values of every column of a view',
    ['tidemark summarize market_quote', 'tidemark summarize index_observation --as-of 2026-01-17 --json'],
  )
    .argument('<view>', 'view, or table of `tidemark tables`; each also with _history')
    .addOption(asOfOption())
  for (const option of limitOptions()) command.addOption(option)
  return onAction<Options>(command, context, async ({ args, options, settings, output, signal }) => {
    const { summarizeView } = await import('../../operations/query/summarize-view.ts')
    const columns = await withWarehouse(settings, { create: false }, (warehouse) =>
      summarizeView({ warehouse, view: args[0]!, as_of: options.asOf ?? null, limits: limitsOf(options), signal }),
    )
    if (output.json) await output.document(columns)
    else await printSummary(output, columns)
    return undefined
  })
}
