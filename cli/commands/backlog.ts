import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark backlog`: tasks that wait for workers, by queue. */
export function backlogCommand(context: CommandContext) {
  const command = defineCommand('backlog', 'count the tasks that wait for workers, and the workers, by task queue', [
    'tidemark backlog',
    'tidemark backlog --json',
  ])
  return onAction(command, context, async ({ settings, signal, output }): Promise<undefined> => {
    const { onServerAlone } = await import('../../service/temporal/on-server.ts')
    const { measureBacklog } = await import('../../workflows/client/backlog.ts')
    const queues = await onServerAlone(settings, signal, (connected) => measureBacklog(connected))
    if (output.json) return void (await output.document(queues))
    const shown = (value: number | null) => (value === null ? '-' : value.toFixed(1).replace(/\.0$/, ''))
    await output.table(
      ['kind', 'queue', 'tasks of', 'waiting', 'oldest (s)', 'added (1/s)', 'started (1/s)', 'workers'],
      queues.map((one) => [
        ...[one.kind, one.queue, one.task, shown(one.waiting), shown(one.oldest_s)],
        ...[shown(one.added_per_s), shown(one.started_per_s), one.workers],
      ]),
    )
  })
}
