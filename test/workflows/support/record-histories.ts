import { Context } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import type { WorkerInterceptors } from '@temporalio/worker'
import { invariant } from '../../../primitives/errors.ts'
import type { PlanPageArgs } from '../../../workflows/activities/activity-types.ts'
import { TASK_QUEUES } from '../../../workflows/task-queues.ts'
import { historyJson } from './history-json.ts'
import { planPage, SCENARIOS, type Scenario } from './scenarios.ts'
import { eventually } from './temporal.ts'

/** A history and the workflow that it is of. */
export type RecordedHistory = { readonly workflow: string; readonly name: string; readonly history: object }

/** Sessions of one venue go on for ever; so many are recorded. */
const RUNS_MAX = 2
/** Scenarios side by side. */
const LANES = 6

/** Has every scenario take its course on a server, and gives the histories of all workflows that took part. */
export async function recordHistories(client: Client, round: number): Promise<RecordedHistory[]> {
  const left = [...SCENARIOS]
  const recorded: RecordedHistory[] = []
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      recorded.push(...(await recordOne(client, next, round)))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return recorded
}

async function recordOne(client: Client, scenario: Scenario, round: number): Promise<RecordedHistory[]> {
  const { workflow, name, args, queue } = scenario
  const workflowId = idOf(scenario, round)
  const handle = await client.workflow.start(workflow, { workflowId, taskQueue: TASK_QUEUES[queue], args: [args] })
  if (scenario.cancels) {
    await eventually(async () => (hanging.has(workflowId) ? true : null))
    await handle.cancel()
  }
  if (workflow === 'ingestVenue' && (name === 'ordinary' || name === 'retried')) await endlessly(client, workflowId)
  else await handle.result().catch(() => undefined)
  return historiesOf(client, workflowId, name)
}

const idOf = ({ workflow, name }: Scenario, round: number) => `recorded/${workflow}/${name}/${round}`

async function endlessly(client: Client, workflowId: string): Promise<void> {
  await eventually(async () => ((await runsOf(client, workflowId)).length > RUNS_MAX ? true : null))
  await client.workflow.getHandle(workflowId).terminate()
}

type Run = { readonly workflowId: string; readonly runId: string; readonly type: string }

/** A workflow's runs and those of its children, by the ids that begin with its own. */
async function runsOf(client: Client, workflowId: string): Promise<Run[]> {
  const runs: Run[] = []
  for await (const run of client.workflow.list({ query: `WorkflowId STARTS_WITH "${workflowId}"` })) runs.push(run)
  return runs
}

async function historiesOf(client: Client, workflowId: string, name: string): Promise<RecordedHistory[]> {
  await eventually(async () => ((await runsOf(client, workflowId)).length > 0 ? true : null)) // its index follows
  const recorded: RecordedHistory[] = []
  for (const { workflowId: id, runId, type } of await runsOf(client, workflowId)) {
    const history = await client.workflow.getHandle(id, runId).fetchHistory()
    recorded.push({ workflow: type, name, history: historyJson(id, history) })
  }
  return recorded
}

const hanging = new Set<string>()

/** Activities do what the script of their workflow's scenario says. */
export const SCRIPTED: WorkerInterceptors = {
  activity: [
    (context) => ({
      inbound: { execute: (input) => act(context, input.args[0]) },
    }),
  ],
}

async function act({ info }: Context, args: unknown): Promise<unknown> {
  const { activityType, attempt } = info
  const workflowId = info.workflowExecution!.workflowId
  const [, workflow, name] = workflowId.split('/')
  const scenario = SCENARIOS.find((one) => one.workflow === workflow && one.name === name) ?? scheduledOf(workflowId)
  const step = scenario.script[activityType as keyof typeof scenario.script]
  if (step === undefined && activityType === 'readBackfillPlan') {
    const { offset, limit } = args as PlanPageArgs
    return planPage(offset, limit)
  }
  invariant(step !== undefined, `${workflowId}: nothing is said of ${activityType}`)
  const does = step(attempt)
  if (does === 'until cancelled') return hang(workflowId.split('/').slice(0, 4).join('/'))
  if ('fails' in does) throw does.fails
  return does.gives
}

/** What a schedule starts has an id of its own. */
function scheduledOf(workflowId: string): Scenario {
  const found = SCENARIOS.find(({ args }) =>
    workflowId.startsWith((args as { workflow_id?: string }).workflow_id?.split('/')[0] ?? ' '),
  )
  invariant(found !== undefined, `${workflowId} is of no scenario`)
  return found
}

async function hang(workflowId: string): Promise<never> {
  const context = Context.current()
  const timer = setInterval(() => context.heartbeat(), 100)
  hanging.add(workflowId)
  try {
    return await context.cancelled
  } finally {
    clearInterval(timer)
  }
}
