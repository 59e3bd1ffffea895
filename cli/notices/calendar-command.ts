import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, fromOption, toOption } from '../options.ts'

/** `tidemark governance calendar`: what is due. */
export function calendarCommand(context: CommandContext) {
  const command = defineCommand('calendar', 'list rebalances, ends of notices, and expiries to come', [
    'tidemark governance calendar',
    'tidemark governance calendar --from 2026-01-01T00:00:00Z --to 2026-07-01T00:00:00Z --json',
  ])
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(asOfOption())
  type Options = { readonly from?: string; readonly to?: string; readonly asOf?: string }
  return onAction<Options>(command, context, async ({ options, settings, output }) => {
    const { readCalendar } = await import('../../operations/notices/read-calendar.ts')
    const { from = null, to = null, asOf = null } = options
    const entries = await withWarehouse(settings, { create: false }, (warehouse) =>
      readCalendar(warehouse, { from, to, as_of: asOf }),
    )
    if (output.json) return void (await output.document(entries))
    if (entries.length === 0) return void (await output.line('nothing is due in this range'))
    await output.table(
      ['at', 'kind', 'title'],
      entries.map(({ at, kind, title }) => [at, kind, title]),
    )
  })
}
