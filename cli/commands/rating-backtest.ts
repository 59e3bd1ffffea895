import { Option } from 'commander'
import type { GroupRates, Rate } from '../../pipelines/rating/backtest.ts'
import { count, percent } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { writeOutput } from '../../warehouse/export/output-file.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, durationOption, fromOption, toOption } from '../options.ts'

type Options = { from?: string; to?: string; asOf?: string; lead: string; delay: string; report?: string }

/** `tidemark rating backtest`: disputes, delays and voids by the rating band before the end. */
export function ratingBacktestCommand(context: CommandContext) {
  const command = defineCommand(
    'backtest',
    'count disputes, delays and voids by the rating band that markets had before they ended',
    [
      'tidemark rating backtest',
      'tidemark rating backtest --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --lead P2D --report ratings.html',
    ],
  )
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(asOfOption())
    .addOption(durationOption('--lead <duration>', 'time before the end at which the rating is taken').default('P1D'))
    .addOption(
      durationOption('--delay <duration>', 'time from the close after which a final outcome counts as late').default(
        'PT72H',
      ),
    )
    .addOption(new Option('--report <file>', 'also write an HTML report: rates with intervals, control, markets'))
  return onAction<Options>(command, context, async ({ options, settings, output }) => {
    const { backtestPublishedRatings } = await import('../../operations/rating/backtest-ratings.ts')
    const { from = null, to = null, asOf: as_of = null, lead, delay } = options
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      backtestPublishedRatings({ from, to, as_of, lead, delay, warehouse }),
    )
    if (options.report !== undefined) {
      const { renderRatingBacktest } = await import('../../report/rating-backtest-report.ts')
      await writeOutput(options.report, renderRatingBacktest(report), { option: 'report' })
      output.note(`report written to ${options.report}`)
    }
    if (output.json) return void (await output.document(report))
    await output.line(
      `${count(report.outcomes.length)} markets ended before ${report.to}, ${count(report.rated.markets)} had a band ${lead} before`,
    )
    const groups = [...report.bands, report.rated, ...report.control]
    await output.table(['group', 'markets', 'disputes', 'delays', 'voids'], groups.map(rowOf))
  })
}

function rowOf({ group, markets, rates }: GroupRates): string[] {
  const cell = ({ failures, markets: of, share, low, high }: Rate) =>
    share === null ? '-' : `${failures} of ${of} ${percent(share)} [${percent(low)}, ${percent(high)}]`
  return [group, count(markets), cell(rates.dispute), cell(rates.delay), cell(rates.void)]
}
