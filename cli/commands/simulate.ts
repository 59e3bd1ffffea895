import { Option } from 'commander'
import { durationMicros, toMicros } from '../../primitives/instants.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import type { SimulateReport } from '../../simulator/files/simulate-files.ts'
import type { VenueId } from '../../simulator/world/options.ts'
import { PREDICTION_VENUES } from '../../vocabulary/venue.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { parseCount } from '../options.ts'

type SimulateOptions = {
  readonly venue: VenueId | 'all'
  readonly days: number
  readonly markets: number
  readonly seed: string
  readonly out: string
  readonly interval: string
  readonly start: string
}

/** `tidemark simulate`: writes days of seeded venue data in the venues' wire formats. */
export function simulateCommand(context: CommandContext) {
  const command = defineCommand('simulate', 'write days of seeded venue data in the venues’ wire formats', [
    'tidemark simulate --venue kalshi --days 2 --markets 20 --seed 7 --out simulated',
    'tidemark simulate --venue all --days 7 --markets 50 --seed tide --interval PT1M --out simulated --json',
  ])
    .addOption(
      new Option('--venue <venue>', 'venue whose wire format is written')
        .choices([...PREDICTION_VENUES, 'all'])
        .makeOptionMandatory(),
    )
    .requiredOption('--days <n>', 'whole days', parseCount)
    .requiredOption('--markets <n>', 'markets per venue', parseCount)
    .requiredOption('--seed <text>', 'any text; the same seed gives the same data')
    .requiredOption('--out <dir>', 'new or empty folder for the files')
    .option('--interval <duration>', 'interval between trader visits to each market (ISO 8601)', 'PT10S')
    .option('--start <instant>', 'first instant (RFC 3339, UTC)', '2026-01-01T00:00:00Z')
  return onAction<SimulateOptions>(command, context, async ({ options, output, signal }) => {
    const { simulateFiles } = await import('../../simulator/files/simulate-files.ts')
    const { venue, days, markets, seed, out } = options
    const progress = await output.progress('simulate')
    const report = await simulateFiles({
      options: {
        seed,
        days,
        markets,
        start: toMicros(options.start, 'start'),
        interval: durationMicros(options.interval, 'interval'),
      },
      venues: venue === 'all' ? PREDICTION_VENUES : [venue],
      dir: out,
      signal,
      on_progress: progress.update,
    }).finally(progress.finish)
    await (output.json ? output.document(report) : printReport(output, out, report))
    return undefined
  })
}

async function printReport(output: Output, dir: string, report: SimulateReport): Promise<void> {
  await output.table(
    ['venue', 'payloads', 'trades', 'bytes'],
    report.venues.map(({ venue_id, payloads, trades, bytes }) => [
      venue_id,
      count(payloads),
      count(trades),
      count(bytes),
    ]),
  )
  await output.line(
    `${count(report.markets)} markets of ${count(report.events)} events from ${report.from} to ${report.to}, ` +
      `${count(report.files.length)} files in ${dir}`,
  )
}
