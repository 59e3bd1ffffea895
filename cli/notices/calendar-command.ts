import { Option } from 'commander'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { CALENDAR_KINDS } from '../../vocabulary/notices.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, fromOption, toOption } from '../options.ts'

/** `tidemark governance calendar`: what is due. */
export function calendarCommand(context: CommandContext) {
  const command = defineCommand('calendar', 'list rebalances, fixings, ends of notices, and expiries to come', [
    'tidemark governance calendar',
    'tidemark governance calendar --kind fixing --index idx_demo',
    'tidemark governance calendar --from 2026-01-01T00:00:00Z --to 2026-07-01T00:00:00Z --json',
  ])
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(CALENDAR_KINDS))
    .option('--index <index>', 'only entries about this index')
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(asOfOption())
  type Options = Readonly<Partial<Record<'kind' | 'index' | 'from' | 'to' | 'asOf', string>>>
  return onAction<Options>(command, context, async ({ options, settings, output }) => {
    const { readCalendar } = await import('../../operations/notices/read-calendar.ts')
    const { kind, index, from = null, to = null, asOf = null } = options
    const all = await withWarehouse(settings, { create: false }, (warehouse) =>
      readCalendar(warehouse, { from, to, as_of: asOf }),
    )
    const entries = all.filter(
      (entry) => (kind === undefined || entry.kind === kind) && (index === undefined || entry.index_id === index),
    )
    if (output.json) return void (await output.document(entries))
    if (entries.length === 0) return void (await output.line('nothing is due in this range'))
    await output.table(
      ['at', 'kind', 'title'],
      entries.map(({ at, kind, title }) => [at, kind, title]),
    )
  })
}
