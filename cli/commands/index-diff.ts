import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { EXIT } from '../exit.ts'
import { count } from '../options.ts'
import { withWarehouse } from '../with-warehouse.ts'

type Options = { asOf: string; with: string }

/** `tidemark index diff INDEX`: what changed between two instants of knowledge; exit 1 when something did. */
export function diffCommand(context: CommandContext) {
  const command = defineCommand('diff', 'what became known, was superseded or changed state between two instants', [
    'tidemark index diff idx_demo --as-of 2026-01-17T00:00:00Z --with 2026-01-19T00:00:00Z',
  ])
    .argument('<index>', 'index id')
    .requiredOption('--as-of <instant>', 'the earlier knowledge')
    .requiredOption('--with <instant>', 'the later knowledge')
  return onAction<Options>(command, context, async ({ args, options, settings, output }) => {
    const { diffIndex } = await import('../../operations/diff-index.ts')
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      diffIndex({ index_id: args[0]!, as_of: options.asOf, with: options.with, warehouse }),
    )
    if (output.json) await output.document(report)
    else {
      await output.table(
        ['tick', 'change', 'level before', 'level after', 'state before', 'state after'],
        report.changes.map(({ tick_at, change, before, after }) => [
          tick_at,
          change,
          before?.level,
          after?.level,
          before?.quality_state,
          after?.quality_state,
        ]),
      )
      await output.line(`${count(report.changes.length)} changes`)
    }
    return report.changes.length === 0 ? EXIT.done : EXIT.no
  })
}
