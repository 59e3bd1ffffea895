import { Option } from 'commander'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { CANDLE_INTERVALS } from '../../vocabulary/market.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, fromOption, toOption } from '../options.ts'

type Options = { from: string; to: string; interval: string; asOf?: string }

/** `tidemark index candles INDEX`: open, high, low and close per half-open bucket; empty buckets are left out. */
export function candlesCommand(context: CommandContext) {
  const command = defineCommand(
    'candles',
    'open, high, low and close of the levels in [from, to), without a limit of buckets',
    ['tidemark index candles idx_demo --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --interval P1D'],
  )
    .argument('<index>', 'index id')
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
    .addOption(new Option('--interval <duration>', 'bucket length').choices(CANDLE_INTERVALS).default('P1D'))
    .addOption(asOfOption())
  return onAction<Options>(command, context, async ({ args, options, settings, output }) => {
    const { indexCandles } = await import('../../operations/index/index-candles.ts')
    const { from, to, interval } = options
    const candles = await withWarehouse(settings, { create: false }, (warehouse) =>
      indexCandles({ index_id: args[0]!, from, to, interval, as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(candles))
    await output.table(
      ['bucket', 'open', 'high', 'low', 'close', 'count', 'lowest coverage', 'states'],
      candles.map((candle) => [
        candle.bucket_start,
        candle.open,
        candle.high,
        candle.low,
        candle.close,
        candle.observation_count,
        candle.coverage_ratio_min,
        candle.quality_states.join(' '),
      ]),
    )
  })
}
