import { Option } from 'commander'
import { count } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { atOption, clockOption } from '../options.ts'

type Options = { at?: string; clock: ImportClock; facts?: string; rubric?: string }

/** `tidemark rating run`: rates every undecided market once a day. */
export function ratingRunCommand(context: CommandContext) {
  const command = defineCommand('run', 'rate every undecided market, at most once per UTC day', [
    'tidemark rating run',
    'tidemark rating run --at 2026-01-17T00:00:00Z --clock recorded --json',
  ])
    .addOption(atOption())
    .addOption(clockOption())
    .addOption(
      new Option(
        '--facts <file>',
        'facts about venues and sources (default: facts.yaml in $TIDEMARK_HOME, else the built-in ones)',
      ),
    )
    .addOption(new Option('--rubric <file>', 'rubric of rules texts (default: the built-in one)'))
  return onAction<Options>(command, context, async ({ options, settings, output, signal }) => {
    const { runRatings } = await import('../../operations/rating/run-ratings.ts')
    const { scoringOfHome } = await import('../../operations/rating/load-scoring.ts')
    const { at = null, clock, facts = null, rubric = null } = options
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      runRatings({ at, clock, files: scoringOfHome(settings.home, { facts, rubric }), warehouse, signal }),
    )
    if (output.json) return void (await output.document(report))
    const { bands, reasons, published, already_published, observation_cutoff_at } = report
    await output.line(
      `${count(published)} markets rated up to ${observation_cutoff_at}; ${count(already_published)} had their rating of the day`,
    )
    const sorted = Object.entries(bands).sort(([a], [b]) => (a < b ? -1 : 1))
    await output.table(
      ['band', 'markets'],
      sorted.map(([band, markets]) => [band, count(markets)]),
    )
    await output.table(
      ['reason', 'markets'],
      Object.entries(reasons).map(([reason, markets]) => [reason, count(markets)]),
    )
  })
}
