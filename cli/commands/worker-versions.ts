import type { Invocation } from '../../service/invocation.ts'
import type { TemporalClient } from '../../workflows/client/connect.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark worker versions`: builds of versioned workers. */
export function workerVersionsCommand(context: CommandContext) {
  const summary = 'list the builds of versioned workers: which is current, its workers, the workflows that need it'
  const command = defineCommand('versions', summary, ['tidemark worker versions', 'tidemark worker versions --json'])
  return onAction(command, context, (run) =>
    connected(run, async (client) => {
      const { workerVersions } = await import('../../workflows/client/worker-versions.ts')
      const versions = await workerVersions(client)
      if (run.output.json) return void (await run.output.document(versions))
      await run.output.table(
        ['build', 'state', 'workers', 'open workflows', 'may stop'],
        versions.map((one) => [one.build_id, one.state, one.workers, one.open_workflows, one.may_stop ? 'yes' : 'no']),
      )
      for (const { build_id, workers, open_workflows } of versions)
        if (open_workflows > 0 && workers === 0) run.output.note(idleNote(build_id, open_workflows))
    }),
  )
}

function idleNote(build_id: string, count: number): string {
  return `${count === 1 ? '1 open workflow waits' : `${count} open workflows wait`} for a worker of build ${build_id}, which has none`
}

/** `tidemark worker promote`: makes new work that of a build. */
export function workerPromoteCommand(context: CommandContext) {
  const command = defineCommand('promote', 'make a build current: its workers receive all new work', [
    'tidemark worker promote 3f9c0a71be52',
    'tidemark worker promote unversioned',
  ]).argument('<build>', 'build, as `tidemark worker versions` lists it; unversioned: workers without --versioned')
  return onAction(command, context, (run) =>
    connected(run, async (client) => {
      const { promoteBuild } = await import('../../workflows/client/worker-versions.ts')
      const [current] = run.args
      const before = await promoteBuild(client, current!)
      if (run.output.json) await run.output.document({ current, before })
      else
        run.output.note(
          before === current ? `${current} is current already` : `${current} is current; it was ${before}`,
        )
    }),
  )
}

async function connected(
  { settings, signal }: Invocation<object>,
  act: (client: TemporalClient) => Promise<void>,
): Promise<undefined> {
  const { onServerAlone } = await import('../../service/temporal/on-server.ts')
  await onServerAlone(settings, signal, act)
}
