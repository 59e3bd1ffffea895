import { Argument, Option } from 'commander'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { parseCount } from '../options.ts'

/** `tidemark tail TABLE`: prints new rows as they are committed, one JSON object per row, until stopped. */
export function tailCommand(context: CommandContext) {
  const command = defineCommand('tail', 'print new rows of a table as they are committed (NDJSON), until stopped', [
    'tidemark tail index_observation',
    'tidemark tail market_quote --from-version 0 --once',
  ])
    .addArgument(new Argument('<table>', 'table name, see `tidemark tables`'))
    .addOption(
      new Option('--from-version <version>', 'start after this log version (default: the latest)').argParser(
        parseCount,
      ),
    )
    .option('--once', 'stop after the newest row')
  return onAction<{ fromVersion?: number; once?: boolean }>(
    command,
    context,
    async ({ args, options, settings, output, signal }) => {
      const { tailTable } = await import('../../operations/query/tail-table.ts')
      const from_version = options.fromVersion ?? null
      await withWarehouse(settings, { create: false }, async (warehouse) => {
        for await (const row of tailTable({
          table: args[0]!,
          from_version,
          once: options.once ?? false,
          warehouse,
          signal,
        })) {
          await output.record(row)
        }
      })
    },
  )
}
