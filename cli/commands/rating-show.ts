import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { PERIOD_FIELDS, printRecord } from '../review/print-record.ts'

const RECORD_FIELDS = [
  ...['rating_id', 'market_id', 'band', 'score', 'outlook', 'watch_status', 'confidence', 'reason_codes', 'rationale'],
  ...['methodology_id', 'methodology_version', 'issuer', 'effective_from', 'effective_to', 'observation_cutoff_at'],
  ...['published_at', 'review_state', 'override', 'dispute', 'withdrawal'],
]
const HISTORY_FIELDS = [
  ...['rating_id', 'revision', 'band', 'score', 'review_state', 'correction_reason'],
  ...PERIOD_FIELDS,
]

/** `tidemark rating show MARKET`: the current rating, its evidence, all records and acts. */
export function ratingShowCommand(context: CommandContext) {
  const command = defineCommand('show', "show a market's current rating, its evidence, all records and acts", [
    'tidemark rating show mkt_example',
    'tidemark rating show mkt_example --as-of 2026-01-17T00:00:00Z --json',
  ])
    .argument('<market>', 'market id')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { showRating } = await import('../../operations/rating/read-ratings.ts')
    const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
      showRating({ market_id: args[0]!, as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(shown))
    const { rating, history, acts } = shown
    await printRecord(output, { record: rating, history, acts }, { record: RECORD_FIELDS, history: HISTORY_FIELDS })
  })
}
