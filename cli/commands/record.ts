import { Argument, Option } from 'commander'
import type { RecordingReport } from '../../operations/record/record-venue.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import { LIVE_VENUES, type LiveVenue, PREDICTION_VENUES } from '../../vocabulary/venue.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { microsOption, parseSize } from '../options.ts'

type RecordFlags = {
  readonly out: string
  readonly market?: readonly string[]
  readonly for?: Micros
  readonly baseUrl?: string
  readonly fileSize?: number
  readonly fileSpan: Micros
  readonly sizeMax?: number
  readonly whenFull: 'stop' | 'drop-oldest'
  readonly keepFree?: number
}

/** `tidemark record VENUE`: keeps what a venue sends as received, in files that `tidemark import` reads. */
export function recordCommand(context: CommandContext) {
  const command = defineCommand(
    'record',
    'keep the answers and messages of a venue as received, in files that `tidemark import` reads; a repeat continues',
    [
      'tidemark record kalshi --out recordings/kalshi --for 10m',
      'tidemark record polymarket --out recordings/election --market 0x5f65… --size-max 20GB --when-full drop-oldest',
    ],
  )
    .addArgument(new Argument('<venue>', 'venue or feed to record').choices(LIVE_VENUES))
    .requiredOption('--out <dir>', 'folder of the recording')
    .option('--market <id...>', 'market ids of the venue (default: all markets)')
    .addOption(microsOption('--for <duration>', 'time after which it ends (default: until Ctrl-C or SIGTERM)'))
    .option('--base-url <url>', 'address of a proxy or simulator of the venue (default: its public addresses)')
    .option('--file-size <size>', 'size on disk after which a new file begins (default: 64MB)', parseSize)
    .addOption(microsOption('--file-span <duration>', 'time after which a new file begins').default(3_600e6, '1h'))
    .option('--size-max <size>', 'size of all files together (default: no limit)', parseSize)
    .addOption(
      new Option('--when-full <action>', 'at that size: end with an error, or remove the oldest file')
        .choices(['stop', 'drop-oldest'])
        .default('stop'),
    )
    .option('--keep-free <size>', 'free space to leave on the disk (default: 256MB)', parseSize)
  return onAction<RecordFlags>(command, context, async ({ args, options, settings, output, signal }) => {
    const [{ recordVenue }, { connectVenues }, { reportRetry }] = await Promise.all([
      import('../../operations/record/record-venue.ts'),
      import('../../service/connect-venues.ts'),
      import('../../service/exit-codes.ts'),
    ])
    const venue_id = args[0] as LiveVenue
    const markets = marketsOf(venue_id, options.market)
    const at_venue = options.baseUrl === undefined ? settings : { ...settings, [`${venue_id}_url`]: options.baseUrl }
    const connect = await connectVenues(at_venue)
    const over = new AbortController()
    const timer =
      options.for === undefined ? undefined : setTimeout(() => over.abort(), Math.min(options.for / 1000, TIMER_MS_MAX))
    output.note(`recording ${venue_id} in ${options.out}; Ctrl-C or SIGTERM ends it with complete files`)
    const report = await recordVenue({
      ...{ venue_id, dir: options.out, markets, connect: () => connect(venue_id, markets) },
      limits: {
        file_bytes_max: options.fileSize ?? parseSize('64MB'),
        file_span_max: options.fileSpan,
        total_bytes_max: options.sizeMax ?? null,
        when_full: options.whenFull,
        free_bytes_min: options.keepFree ?? parseSize('256MB'),
      },
      signal: AbortSignal.any([signal, over.signal]),
      on_problem: (error) => reportRetry(output, 'recording', error),
    }).finally(() => clearTimeout(timer))
    await (output.json ? output.document(report) : printReport(output, report))
    return undefined
  })
}

/** Longest wait of a timer, 24 days. */
const TIMER_MS_MAX = 2 ** 31 - 1

function marketsOf(venue_id: LiveVenue, markets: readonly string[] | undefined): readonly string[] | null {
  if (markets === undefined) return null
  if (PREDICTION_VENUES.some((venue) => venue === venue_id)) return markets
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `market is ${markets.join(' ')}; allowed: none for ${venue_id}, which has no markets`,
    { field: 'market', value: markets.join(' ') },
  )
}

async function printReport(output: Output, report: RecordingReport): Promise<void> {
  await output.table(
    ['venue', 'files', 'payloads', 'new', 'bytes', 'gaps'],
    [
      [
        report.venue_id,
        count(report.files),
        count(report.payloads),
        count(report.payloads_new),
        count(report.bytes),
        count(report.gaps),
      ],
    ],
  )
  await output.line(`received from ${report.first_received_at ?? '-'} to ${report.last_received_at ?? '-'}`)
  await output.line(`read it: tidemark import ${report.venue_id} ${report.dir}`)
}
