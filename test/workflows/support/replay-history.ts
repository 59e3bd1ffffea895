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

/**
 * Runs today's code over many histories in one worker, which takes far longer to make than a history to replay.
 * @returns for each run id null, or the error where today's code decides otherwise
 */
export async function replayOutcomes(many: readonly object[]): Promise<Map<string, Error | null>> {
  const histories = many.map((json) => {
    const { workflow_id, history } = historyOf(json)
    return { workflowId: workflow_id, history }
  })
  const results = Worker.runReplayHistories({ workflowBundle: await workflowBundle(CACHE) }, histories)
  const outcomes = new Map<string, Error | null>()
  for await (const { runId, error } of results) outcomes.set(runId, error ?? null)
  return outcomes
}
