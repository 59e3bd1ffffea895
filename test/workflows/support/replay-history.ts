import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { workflowBundle } from '../../../workflows/worker/workflow-bundle.ts'
import { CACHE } from './cache.ts'
import { historyOf } from './history-json.ts'

Runtime.install({
  logger: new DefaultLogger('ERROR', () => undefined),
  telemetryOptions: { logging: { forward: { level: 'ERROR' } } },
})

/** Runs today's code over a recorded history. @throws it decides otherwise than the code that was recorded */
export async function replayHistory(json: object): Promise<void> {
  const { workflow_id, history } = historyOf(json)
  await Worker.runReplayHistory({ workflowBundle: await workflowBundle(CACHE) }, history, workflow_id)
}

/** Runs today's code over many. @throws as replayHistory, of the first that it decides otherwise */
export async function replayHistories(many: readonly object[]): Promise<void> {
  const histories = many.map((json) => {
    const { workflow_id, history } = historyOf(json)
    return { workflowId: workflow_id, history }
  })
  const results = Worker.runReplayHistories({ workflowBundle: await workflowBundle(CACHE) }, histories)
  for await (const { error } of results) if (error !== undefined) throw error
}
