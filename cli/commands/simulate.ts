import { Option } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import type { SimulateReport } from '../../simulator/files/simulate-files.ts'
import type { VenueId, WorldOptions } from '../../simulator/world/options.ts'
import { PREDICTION_VENUES } from '../../vocabulary/venue.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { durationOption, instantOption, microsOption, parseCount, parsePort } from '../options.ts'

type SimulateOptions = {
  readonly venue: VenueId | 'all'
  readonly days: number
  readonly markets: number
  readonly seed: string
  readonly out?: string
  readonly serve?: boolean
  readonly interval: Micros
  readonly start?: string
  readonly port?: number
  readonly fault?: readonly string[]
  readonly stall?: string
}

const FILES_START = '2026-01-01T00:00:00Z'

/** `tidemark simulate`: writes days of seeded venue data in the venues’ wire formats, or serves the venues. */
export function simulateCommand(context: CommandContext) {
  const command = defineCommand(
    'simulate',
    'write days of seeded venue data in the venues’ wire formats, or serve them',
    [
      'tidemark simulate --venue kalshi --days 2 --markets 20 --seed 7 --out simulated',
      'tidemark simulate --venue all --days 7 --markets 50 --seed tide --interval PT1M --out simulated --json',
      'tidemark simulate --venue kalshi --days 3 --markets 20 --seed 7 --serve --port 8811 --fault 500=0.3 --fault stall=0.05',
    ],
  )
    .addOption(
      new Option('--venue <venue>', 'venue whose wire format is written')
        .choices([...PREDICTION_VENUES, 'all'])
        .makeOptionMandatory(),
    )
    .requiredOption('--days <n>', 'whole days', parseCount)
    .requiredOption('--markets <n>', 'markets per venue', parseCount)
    .requiredOption('--seed <text>', 'any text; the same seed gives the same data')
    .option('--out <dir>', 'new or empty folder for the files')
    .option('--serve', 'serve the venues over HTTP and websocket by the clock of this machine, until stopped')
    .addOption(
      microsOption('--interval <duration>', 'interval between trader visits to each market').default(10e6, '10s'),
    )
    .addOption(
      instantOption('--start <instant>', `first instant (default: ${FILES_START}; with --serve: yesterday, 00:00)`),
    )
    .addOption(
      new Option('--port <port>', 'with --serve: port of the first venue; the others have the next ones').argParser(
        parsePort,
      ),
    )
    .addOption(
      new Option(
        '--fault <rule>',
        'fault of served venues: [VENUE/][rest/|ws/]NAME=SHARE, repeatable (docs/simulator.md)',
      ).argParser((rule: string, given: readonly string[] = []) => [...given, rule]),
    )
    .addOption(durationOption('--stall <duration>', 'with --serve: length of a stall (default: 20s)'))
  return onAction<SimulateOptions>(command, context, async ({ options, output, signal }) => {
    requireOneForm(options)
    const { venue } = options
    const run = { venues: venue === 'all' ? PREDICTION_VENUES : [venue], signal }
    if (options.out === undefined) {
      const { serveSimulator, startOfServedWorld } = await import('../../service/serve-simulator.ts')
      const { port = 0, fault: faults = [], stall = null } = options
      const world = worldOf(options, formatMicros(startOfServedWorld(wallClock())))
      await serveSimulator({ ...run, options: world, port, faults, stall }, output)
      return undefined
    }
    const { simulateFiles } = await import('../../simulator/files/simulate-files.ts')
    const progress = await output.progress('simulate')
    const report = await simulateFiles({
      ...run,
      options: worldOf(options, FILES_START),
      dir: options.out,
      on_progress: progress.update,
    }).finally(progress.finish)
    await (output.json ? output.document(report) : printReport(output, options.out, report))
    return undefined
  })
}

function worldOf({ seed, days, markets, interval, start }: SimulateOptions, default_start: string): WorldOptions {
  return {
    seed,
    days,
    markets,
    start: toMicros(start ?? default_start),
    interval,
  }
}

function requireOneForm(options: SimulateOptions): void {
  const { out, serve = false } = options
  if (serve === (out !== undefined)) {
    const value = serve ? `${out}, and serve is given` : 'missing'
    throw usage('out', value, 'one of --out and --serve')
  }
  for (const name of ['port', 'fault', 'stall'] as const) {
    const value = options[name]
    if (!serve && value !== undefined) throw usage(name, String(value), 'none without --serve')
  }
}

function usage(field: string, value: string, allowed: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', `${field} is ${value}; allowed: ${allowed}`, { field, value })
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
