import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

/** `tidemark rating list`: current ratings of all markets. */
export function ratingListCommand(context: CommandContext) {
  const command = defineCommand('list', 'list the current ratings, best first', [
    'tidemark rating list',
    'tidemark rating list --as-of 2026-01-17T00:00:00Z --json',
  ]).addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listRatings } = await import('../../operations/rating/read-ratings.ts')
    const ratings = await withWarehouse(settings, { create: false }, (warehouse) =>
      listRatings({ as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(ratings))
    const cell = (value: unknown) => (value === null || value === undefined ? null : String(value))
    await output.list(
      ['market', 'title', 'band', 'score', 'outlook', 'watch', 'confidence', 'state', 'effective from'],
      ratings.map((row) => [
        cell(row.market_id),
        cell(row.title)?.slice(0, 50),
        cell(row.band),
        cell(row.score),
        cell(row.outlook),
        cell(row.watch_status),
        cell(row.confidence),
        cell(row.review_state),
        cell(row.effective_from),
      ]),
    )
  })
}
