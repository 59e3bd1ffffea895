import { Option } from 'commander'
import { standardInputEnded } from '../../service/shutdown.ts'
import { refuseInventedData } from '../../service/up/invented-data.ts'
import { refuseUnfinished } from '../../service/usable-home.ts'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import { kindsOf, QUEUE_NAMES, type QueueName } from '../../workflows/task-queues.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { inUrl, parseAddress } from '../options.ts'
import { workerPromoteCommand, workerVersionsCommand } from './worker-versions.ts'

export type WorkerFlags = {
  readonly queue?: readonly QueueName[]
  readonly venue?: readonly string[]
  /** `--no-schedules` */
  readonly schedules: boolean
  readonly versioned?: boolean
  readonly attached?: boolean
  readonly metrics?: string
}

/** `tidemark worker`: runs ingest, publication, settlement, backfills and upkeep for a Temporal server. */
export function workerCommand(context: CommandContext) {
  const command = defineCommand(
    'worker',
    'run ingest, publication, settlement, backfills, replays and upkeep for a Temporal server until stopped',
    [
      'tidemark worker',
      'tidemark worker --queue backfill --no-schedules',
      'tidemark worker --queue ingest --venue kalshi --venue polymarket --json',
      'tidemark worker --versioned',
    ],
  )
    .addCommand(workerVersionsCommand(context))
    .addCommand(workerPromoteCommand(context))
    .addOption(
      new Option(
        '--queue <queue...>',
        'publish: ticks; ingest: sessions of venues; compute: replays, corrections, ratings, upkeep; replay: parts of replays; backfill; trading: settlement and venue, our own exchange; live: publish and ingest; bulk: compute, replay and backfill (default: all)',
      ).choices(QUEUE_NAMES),
    )
    .addOption(
      new Option(
        '--venue <venue...>',
        'venues to schedule and to run the sessions of (default: all with live data)',
      ).choices(LIVE_VENUES),
    )
    .option('--no-schedules', 'do not change the schedules of the server')
    .addOption(
      new Option(
        '--metrics <host:port>',
        'address of GET /metrics, /healthz and /readyz of this worker; port 0 picks a free one (default: a free one of TIDEMARK_METRICS_HOST)',
      ).argParser(parseAddress),
    )
    .option(
      '--versioned',
      'workflows that this release begins end with its workers; `tidemark worker promote` makes a later release begin them',
    )
    .option('--attached', 'stop when standard input ends, as the child of another process')
  return onAction<WorkerFlags>(command, context, async (invocation) => {
    const { options, settings } = invocation
    refuseUnfinished(settings.home)
    await refuseInventedData(settings)
    const signal = options.attached ? AbortSignal.any([invocation.signal, standardInputEnded()]) : invocation.signal
    const { runWorkerProcess } = await import('../../service/temporal/run-worker-process.ts')
    await runWorkerProcess({
      ...invocation,
      signal,
      environment: context.environment,
      venues: (options.venue ?? LIVE_VENUES) as typeof LIVE_VENUES,
      schedules: options.schedules,
      versioned: options.versioned ?? false,
      queues: kindsOf(options.queue ?? QUEUE_NAMES),
      metrics: options.metrics ?? `${inUrl(settings.metrics_host)}:0`,
    })
  })
}
