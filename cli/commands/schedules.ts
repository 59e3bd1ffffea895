import { Option } from 'commander'
import { isServiceError, notAllowed } from '../../primitives/errors.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { ScheduleView } from '../../service/schedules/schedule-views.ts'
import type { TemporalClient } from '../../workflows/client/connect.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { fromOption, toOption } from '../options.ts'

type ByFlags = { readonly by?: string; readonly reason?: string }
type RangeFlags = { readonly from: string; readonly to: string }

/** `tidemark schedules`: schedules of ingest, publication and upkeep, whoever runs them. */
export function schedulesCommand(context: CommandContext) {
  const command = defineCommand('schedules', 'list, pause, resume and trigger schedules', [
    'tidemark schedules',
    'tidemark schedules pause ingest-venue/kalshi --reason "wrong books since 09:00"',
    'tidemark schedules trigger compact',
  ])
  onAction(command, context, list)
  const listing = defineCommand('list', 'list the schedules with their last and next runs and what is paused', [
    'tidemark schedules list --json',
  ])
  command.addCommand(onAction(listing, context, list))
  for (const child of [pauseCommand(context), resumeCommand(context), makeUpCommand(context)]) command.addCommand(child)
  for (const child of [triggerCommand(context), backfillCommand(context), removeCommand(context)])
    command.addCommand(child)
  return command
}

function onSchedule(name: string, summary: string, examples: readonly string[]) {
  return defineCommand(name, summary, examples).argument('<id>', 'schedule id, as `tidemark schedules` lists it')
}

const byOption = () => new Option('--by <name>', 'who acts (default: user and machine)')
const reasonOption = () => new Option('--reason <text>', 'why, shown with the pause')

function pauseCommand(context: CommandContext) {
  const command = onSchedule('pause', 'stop it until resumed: for every scheduler, also after restarts', [
    'tidemark schedules pause publish-tick --reason "bad prices of kalshi"',
  ])
  command.addOption(reasonOption().makeOptionMandatory()).addOption(byOption())
  return onAction<ByFlags>(command, context, (run) =>
    beside(run, async (connected) => {
      const { actBy, pauseByHand } = await import('../../service/schedules/act-on-schedule.ts')
      const { pauseText } = await import('../../operations/pause/pauses.ts')
      const pause = await pauseByHand(run.settings, connected, run.args[0]!, actBy(run.options))
      run.output.note(`${run.args[0]} is ${pauseText(pause)}`)
    }),
  )
}

function resumeCommand(context: CommandContext) {
  const command = onSchedule('resume', 'end a pause; ticks of a pause of publication are not made up for', [
    'tidemark schedules resume publish-tick',
  ])
  command.addOption(reasonOption()).addOption(byOption())
  return onAction<ByFlags>(command, context, (run) =>
    beside(run, async (connected) => {
      const { actBy, resumeByHand } = await import('../../service/schedules/act-on-schedule.ts')
      const { pauseText } = await import('../../operations/pause/pauses.ts')
      const ended = await resumeByHand(run.settings, connected, run.args[0]!, actBy(run.options))
      run.output.note(`${run.args[0]} ${ended === null ? 'was not paused' : `runs again; it was ${pauseText(ended)}`}`)
    }),
  )
}

function makeUpCommand(context: CommandContext) {
  const command = onSchedule(
    'make-up',
    'publish the levels and marks that pauses of publication withheld; of a range: both --from and --to',
    [
      'tidemark schedules make-up publish-tick',
      'tidemark schedules make-up publish-tick --from 2026-01-01T09:00:00Z --to 2026-01-01T10:00:00Z',
    ],
  )
  command.addOption(fromOption()).addOption(toOption()).addOption(reasonOption()).addOption(byOption())
  return onAction<ByFlags & Partial<RangeFlags>>(
    command,
    context,
    async ({ args, options, settings, output, signal }) => {
      const { from, to } = options
      if (args[0] !== 'publish-tick')
        throw notAllowed(
          'VALIDATION_USAGE_INVALID',
          'id',
          args[0]!,
          'publish-tick; other schedules make up by themselves',
        )
      if ((from === undefined) !== (to === undefined))
        throw notAllowed('VALIDATION_USAGE_INVALID', 'from', from ?? 'missing', 'both --from and --to, or none')
      const range = from === undefined || to === undefined ? null : { from, to }
      const { actBy, makeUpByHand } = await import('../../service/schedules/act-on-schedule.ts')
      const made = await makeUpByHand(settings, { ...actBy(options), range, signal })
      if (output.json) await output.document(made)
      else {
        const rows = made.map((one) => [one.from, one.to, one.levels, one.marks, one.refused.length])
        await output.table(['from', 'to', 'levels', 'marks', 'refused'], rows)
      }
      for (const { index_id, error } of made.flatMap(({ refused }) => refused)) output.note(`${index_id}: ${error}`)
      return made.some(({ refused }) => refused.length > 0) ? 1 : 0
    },
  )
}

function triggerCommand(context: CommandContext) {
  const command = onSchedule('trigger', 'run it now, unless it is paused', ['tidemark schedules trigger publish-tick'])
  return onAction(command, context, (run) =>
    onServer(run, async ({ client }) => {
      await requireUnpaused(run)
      await (await schedules()).triggerSchedule(client, run.args[0]!)
    }),
  )
}

function backfillCommand(context: CommandContext) {
  const command = onSchedule('backfill', 'run the schedule for [from, to) again; completed runs are not repeated', [
    'tidemark schedules backfill seal --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z',
  ])
  command.addOption(fromOption().makeOptionMandatory()).addOption(toOption().makeOptionMandatory())
  return onAction<RangeFlags>(command, context, (run) =>
    onServer(run, async ({ client }) => {
      await requireUnpaused(run)
      await (await schedules()).backfillSchedule(client, run.args[0]!, run.options.from, run.options.to)
    }),
  )
}

function removeCommand(context: CommandContext) {
  const command = onSchedule(
    'remove',
    'delete it from the server; a running worker whose table has it makes it again',
    ['tidemark schedules remove ingest-venue/manifold'],
  )
  return onAction(command, context, (run) =>
    onServer(run, async ({ client }) => (await schedules()).removeSchedule(client, run.args[0]!)),
  )
}

const schedules = () => import('../../workflows/client/schedules.ts')

async function requireUnpaused({ settings, args }: Invocation<object>): Promise<void> {
  const { requireUnpausedByHand } = await import('../../service/schedules/act-on-schedule.ts')
  await requireUnpausedByHand(settings, args[0]!)
}

/** Runs work on the Temporal server: the one of TEMPORAL_ADDRESS, or that of `tidemark up` in this home. */
async function onServer(
  { settings, signal }: Invocation<object>,
  act: (connected: TemporalClient) => Promise<void>,
): Promise<undefined> {
  const { onServer: workOnServer } = await import('../../service/temporal/on-server.ts')
  await workOnServer(settings, signal, act)
  return undefined
}

/** Runs work beside the server where one answers; the record of pauses needs none. Work that lost its server is not begun again. */
async function beside(
  run: Invocation<object>,
  act: (connected: TemporalClient | null) => Promise<void>,
): Promise<undefined> {
  let has_begun = false
  try {
    return await onServer(run, (connected) => {
      has_begun = true
      return act(connected)
    })
  } catch (error) {
    if (has_begun || !isServiceError(error, 'SERVICE_UNAVAILABLE')) throw error
    if (run.settings.temporal_address !== '') run.output.note(`${error.message}; its workers read the record of pauses`)
    await act(null)
  }
}

/** Reason why runs have no times; the scheduler of a process holds them in memory alone. */
const NO_TIMES =
  'last and next are unknown: no Temporal server answers, and the scheduler inside `tidemark up` records no runs; `tidemark tables` shows what was written last'

async function list(run: Invocation<object>): Promise<undefined> {
  return beside(run, async (connected) => {
    const [{ scheduleViews }, { pauseText }, { isHomeServed }] = await Promise.all([
      import('../../service/schedules/schedule-views.ts'),
      import('../../operations/pause/pauses.ts'),
      import('../../service/up/lock-home.ts'),
    ])
    const unpaused = connected !== null || (await isHomeServed(run.settings.home)) ? 'runs' : 'unknown'
    const noteOf = ({ schedule_id, paused_by, paused_at, reason, also, note }: ScheduleView) =>
      paused_by === null || paused_at === null || reason === null
        ? (note ?? '-')
        : pauseText({ schedule_id, paused_by, paused_at, reason, also })
    const found = await scheduleViews(run.settings, connected)
    if (connected === null && found.length > 0) run.output.note(NO_TIMES)
    if (run.output.json) return run.output.document(found)
    await run.output.table(
      ['schedule', 'every', 'state', 'last', 'next', 'owner', 'note'],
      found.map((one) => [
        one.schedule_id,
        one.every_s === null ? '-' : `${one.every_s} s`,
        one.paused ? 'paused' : unpaused,
        one.last_at ?? '-',
        one.next_at ?? '-',
        one.owner ?? '-',
        noteOf(one),
      ]),
    )
    if (found.length === 0) run.output.note('there are no schedules')
  })
}
