import { Option } from 'commander'
import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import type { BackfillReport } from '../../operations/backfill/run-types.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { count } from '../../report/number-text.ts'
import type { Environment, Settings } from '../../service/configuration.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { PREDICTION_VENUES, type PredictionVenue } from '../../vocabulary/venue.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { fromOption, toOption } from '../options.ts'
import { backfillCancelCommand } from './backfill-cancel.ts'

type BackfillFlags = {
  readonly venue?: PredictionVenue
  readonly index?: string
  readonly from: string
  readonly to: string
  readonly market?: readonly string[]
  readonly baseUrl?: string
  readonly inProcess?: boolean
  readonly detach?: boolean
}

/** `tidemark backfill`: loads historical data of a venue or computes missing levels of an index. */
export function backfillCommand(context: CommandContext) {
  const command = defineCommand(
    'backfill',
    'load historical data of a venue and publish its marks minute by minute, or compute missing levels of an index, in [from, to)',
    [
      'tidemark backfill --venue kalshi --from 2026-01-01T00:00:00Z --to 2026-01-04T00:00:00Z',
      'tidemark backfill --venue manifold --market oj4g2w07uo --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z --in-process',
      'tidemark backfill --index idx_demo --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z',
    ],
  )
    .addOption(new Option('--venue <venue>', 'venue to read').choices(PREDICTION_VENUES))
    .option('--index <index>', 'index to compute, in place of a venue')
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
    .option('--market <id...>', 'market ids of the venue (default: all markets active in the range)')
    .option('--base-url <url>', 'address of a proxy or simulator of the venue (default: its public addresses)')
    .option('--detach', 'start or continue it on a worker, without waiting')
    .addOption(new Option('--in-process', 'run in this process, without Temporal').conflicts('detach'))
  command.addCommand(backfillCancelCommand(context))
  // A backfill that is cancelled has its range already.
  command.hook('preSubcommand', () => {
    for (const option of command.options) option.makeOptionMandatory(false)
  })
  return onAction<BackfillFlags>(command, context, async (run) => {
    const { options, settings, output, signal } = run
    const subject = subjectOf(options)
    const at_venue = withBaseUrl(settings, options)
    const report = options.inProcess
      ? await runHere(subject, at_venue, output, signal)
      : await runThere(subject, { ...run, settings: at_venue, environment: context.environment })
    await (output.json ? output.document(report) : printReport(output, report))
    for (const { subject: of, from, code, message } of report.failed)
      output.note(`missing: ${of} from ${from}: ${message} (${code})`)
    if (report.state === 'cancelled')
      output.note('another command or a person cancelled this backfill; the same command continues it')
    return report.state === 'failed' || report.state === 'cancelled' ? 1 : 0
  })
}

/** Runs the backfill through Temporal. */
async function runThere(
  subject: BackfillSubject,
  { options, settings, environment, output, signal }: Invocation<BackfillFlags> & { readonly environment: Environment },
): Promise<BackfillReport> {
  const { runThroughTemporal } = await import('../../service/temporal/backfill-through-temporal.ts')
  const { baseUrl: base_url = null, detach = false } = options
  const { sums, failed, ...report } = await runThroughTemporal(subject, {
    settings,
    environment,
    output,
    base_url,
    detach,
    signal,
  })
  const { records_quarantined, marks_published = 0 } = sums
  return { ...report, records_quarantined, marks_published, chunks_resumed: report.chunks_resumed ?? 0, failed }
}

async function runHere(
  subject: BackfillSubject,
  settings: Settings,
  output: Output,
  signal: AbortSignal,
): Promise<BackfillReport> {
  const [{ connectVenues }, { backfillInProcess }, { cancelledNote }, { reportRetry }] = await Promise.all([
    import('../../service/connect-venues.ts'),
    import('../../service/backfill-in-process.ts'),
    import('../../service/backfill-notes.ts'),
    import('../../service/exit-codes.ts'),
  ])
  const connect = await connectVenues(settings)
  const progress = await output.progress('backfill')
  return withWarehouse(settings, { create: subject.kind === 'venue' }, (warehouse) =>
    backfillInProcess(subject, {
      warehouse,
      connect,
      home: settings.home,
      signal,
      on_progress: (so_far) => {
        const { chunks_done, chunks_total, state } = so_far
        progress.update({ done: chunks_done, total: state === 'planning' ? null : chunks_total })
        if (state === 'cancelled') output.note(cancelledNote(so_far))
      },
      on_problem: (error) => reportRetry(output, 'backfill', error),
    }),
  ).finally(progress.finish)
}

/** @throws {ServiceError} VALIDATION_INSTANT_INVALID, VALIDATION_RANGE_INVALID, VALIDATION_USAGE_INVALID */
function subjectOf({ venue, index, market, from, to }: BackfillFlags): BackfillSubject {
  parseRange(from, to)
  if ((venue === undefined) === (index === undefined)) {
    const seen = venue === undefined ? 'missing' : `${venue}, and index is ${index}`
    throw notAllowed('VALIDATION_USAGE_INVALID', 'venue', seen, 'one of --venue and --index')
  }
  if (venue !== undefined) return { kind: 'venue', request: { venue_id: venue, from, to, markets: market ?? null } }
  if (market !== undefined)
    throw notAllowed('VALIDATION_USAGE_INVALID', 'market', market.join(' '), 'none with --index')
  return { kind: 'index', request: { index_id: index!, from, to } }
}

function withBaseUrl(settings: Settings, { venue, baseUrl }: BackfillFlags): Settings {
  if (baseUrl === undefined) return settings
  if (venue === undefined) throw notAllowed('VALIDATION_USAGE_INVALID', 'base-url', baseUrl, 'one for a venue')
  return { ...settings, [`${venue}_url`]: baseUrl }
}

async function printReport(output: Output, report: BackfillReport): Promise<void> {
  await output.table(
    ['backfill', 'of', 'from', 'to', 'state', 'chunks', 'done', 'done before', 'new', 'quarantined', 'marks'],
    [
      [
        report.backfill_id,
        report.subject_id,
        report.from,
        report.to,
        report.state,
        count(report.chunks_total),
        count(report.chunks_done),
        count(report.chunks_resumed),
        count(report.records_new),
        count(report.records_quarantined),
        count(report.marks_published),
      ],
    ],
  )
}
