import type { Invocation } from '../../service/invocation.ts'
import type { TemporalClient } from '../../workflows/client/connect.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { fromOption, toOption } from '../options.ts'

type RangeFlags = { readonly from: string; readonly to: string }

/** `tidemark schedules`: schedules of the Temporal server. */
export function schedulesCommand(context: CommandContext) {
  const command = defineCommand('schedules', 'list, pause, resume and trigger schedules', [
    'tidemark schedules',
    'tidemark schedules pause ingest-venue/kalshi',
    'tidemark schedules trigger compact',
  ])
  command.option('--home <dir>', 'home folder of the server (default: $TIDEMARK_HOME or .tidemark)')
  const list = (invocation: Invocation<object>) => onServer(invocation, ({ client }) => print(invocation, client))
  onAction(command, context, list)
  command.addCommand(
    onAction(
      defineCommand('list', 'list the schedules with their last and next runs', ['tidemark schedules list --json']),
      context,
      list,
    ),
  )
  for (const { name, summary, act } of ACTIONS) {
    const action = defineCommand(name, summary, [`tidemark schedules ${name} publish-tick`]).argument(
      '<id>',
      'schedule id, as `tidemark schedules` lists it',
    )
    command.addCommand(onAction(action, context, (run) => onServer(run, ({ client }) => act(client, run.args[0]!))))
  }
  const again = defineCommand('backfill', 'run the schedule for [from, to) again; completed runs are not repeated', [
    'tidemark schedules backfill seal --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z',
  ])
    .argument('<id>', 'schedule id, as `tidemark schedules` lists it')
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
  command.addCommand(
    onAction<RangeFlags>(again, context, (run) =>
      onServer(run, async ({ client }) => {
        const { backfillSchedule } = await schedules()
        await backfillSchedule(client, run.args[0]!, run.options.from, run.options.to)
      }),
    ),
  )
  return command
}

type Client = TemporalClient['client']

const schedules = () => import('../../workflows/client/schedules.ts')

const ACTIONS: readonly {
  readonly name: string
  readonly summary: string
  readonly act: (client: Client, schedule_id: string) => Promise<void>
}[] = [
  {
    name: 'pause',
    summary: 'pause a schedule; it stays paused across restarts',
    act: async (client, id) => (await schedules()).pauseSchedule(client, id),
  },
  {
    name: 'resume',
    summary: 'resume a paused schedule',
    act: async (client, id) => (await schedules()).resumeSchedule(client, id),
  },
  {
    name: 'trigger',
    summary: 'run a schedule now, even if paused',
    act: async (client, id) => (await schedules()).triggerSchedule(client, id),
  },
]

/** Runs work on the Temporal server: the one of TEMPORAL_ADDRESS, or that of `tidemark up` in this home. */
async function onServer(
  { settings, signal }: Invocation<object>,
  act: (connected: TemporalClient) => Promise<void>,
): Promise<undefined> {
  const [{ requireTemporal }, { connectTemporal }] = await Promise.all([
    import('../../service/temporal/open-temporal.ts'),
    import('../../workflows/client/connect.ts'),
  ])
  const connected = await connectTemporal(await requireTemporal(settings, signal))
  await act(connected).finally(() => connected.close())
}

async function print({ output }: Invocation<object>, client: Client): Promise<void> {
  const { listSchedules } = await schedules()
  const found = await listSchedules(client)
  if (output.json) return output.document(found)
  await output.table(
    ['schedule', 'every', 'paused', 'last', 'next', 'note'],
    found.map(({ schedule_id, every_s, paused, last_at, next_at, note }) => [
      schedule_id,
      every_s === null ? '-' : `${every_s} s`,
      paused ? 'yes' : 'no',
      last_at ?? '-',
      next_at ?? '-',
      note ?? '-',
    ]),
  )
}
