import { Option } from 'commander'
import { count, percent } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { writeOutput } from '../../warehouse/export/output-file.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, fromOption, toOption } from '../options.ts'

type Options = { from?: string; to?: string; asOf?: string; report?: string }

/** `tidemark severity backtest`: scores forecasts and compares assessments with independent evidence. */
export function severityBacktestCommand(context: CommandContext) {
  const command = defineCommand(
    'backtest',
    'score forecasts against observations, and compare assessments with alerts that were not their input',
    ['tidemark severity backtest', 'tidemark severity backtest --from 2026-01-01T00:00:00Z --report severity.html'],
  )
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(asOfOption())
    .addOption(new Option('--report <file>', 'also write an HTML report: scores, control, tables'))
  return onAction<Options>(command, context, async ({ options, settings, output }) => {
    const { backtestSeverity } = await import('../../operations/severity/backtest-severity.ts')
    const { from = null, to = null, asOf: as_of = null } = options
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      backtestSeverity({ from, to, as_of, warehouse }),
    )
    if (options.report !== undefined) {
      const { renderSeverityBacktest } = await import('../../report/severity-backtest-report.ts')
      await writeOutput(options.report, renderSeverityBacktest(report), { option: 'report' })
      output.note(`report written to ${options.report}`)
    }
    if (output.json) return void (await output.document(report))
    const { forecasts, scored, mean_crps, with_control } = report.forecasts
    await output.line(
      `${count(forecasts)} forecasts due, ${count(scored)} scored; mean CRPS ${mean_crps ?? '-'}, of the control ${with_control.control_crps ?? '-'}`,
    )
    await output.table(
      ['assessed by', 'beside', 'earthquakes', 'known to both', 'worse alert has the greater score'],
      report.evidence.map(({ assessed_by, other, events, pairs, order }) => [
        assessed_by,
        other,
        count(events),
        count(pairs.length),
        order.share === null ? '-' : `${percent(order.share)} of ${count(order.pairs)} pairs`,
      ]),
    )
  })
}
