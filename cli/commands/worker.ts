import { Option } from 'commander'
import { standardInputEnded } from '../../service/shutdown.ts'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

export type WorkerFlags = {
  readonly queue?: readonly (typeof QUEUES)[number][]
  readonly venue?: readonly string[]
  /** `--no-schedules` */
  readonly schedules: boolean
  readonly attached?: boolean
}

/** Task queues of the workflows. */
const QUEUES = ['live', 'bulk', 'settlement', 'venue'] as const

/** `tidemark worker`: ingests, publishes, fills and keeps the warehouse for a Temporal server. */
export function workerCommand(context: CommandContext) {
  const command = defineCommand(
    'worker',
    'work for a Temporal server: ingest, publication, settlement, backfills, replays, upkeep; until stopped',
    [
      'tidemark worker',
      'tidemark worker --queue bulk settlement',
      'tidemark worker --venue kalshi --venue polymarket --json',
    ],
  )
    .addOption(
      new Option(
        '--queue <queue...>',
        'live: ticks and venues; bulk: what takes long; settlement, venue: of what is traded here (default: all)',
      ).choices(QUEUES),
    )
    .addOption(
      new Option('--venue <venue...>', 'venues whose schedules are kept (default: all that are read live)').choices(
        LIVE_VENUES,
      ),
    )
    .option('--home <dir>', 'folder of plans, definitions and replays (default: $TIDEMARK_HOME or .tidemark)')
    .option('--no-schedules', 'leave the schedules as they are')
    .option('--attached', 'end when standard input ends, as the child of another process should')
  return onAction<WorkerFlags>(command, context, async (invocation) => {
    const { options } = invocation
    const signal = options.attached ? AbortSignal.any([invocation.signal, standardInputEnded()]) : invocation.signal
    const { runWorkerProcess } = await import('../../service/temporal/run-worker-process.ts')
    await runWorkerProcess({
      ...invocation,
      signal,
      environment: context.environment,
      venues: (options.venue ?? LIVE_VENUES) as typeof LIVE_VENUES,
      schedules: options.schedules,
      queues: options.queue ?? QUEUES,
    })
  })
}
