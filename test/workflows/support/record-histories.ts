import { Context } from '@temporalio/activity'
import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import type { WorkerInterceptors } from '@temporalio/worker'
import { invariant } from '../../../primitives/errors.ts'
import type { PlanPageArgs } from '../../../workflows/activities/activity-types.ts'
import { TASK_QUEUES } from '../../../workflows/task-queues.ts'
import { historyJson } from './history-json.ts'
import { planPage, type Scenario } from './scenarios.ts'
import { eventually } from './temporal.ts'

/** A history and the workflow that it is of. */
export type RecordedHistory = { readonly workflow: string; readonly name: string; readonly history: object }

/** Workflows that go on for ever, run after run; so many runs are recorded. */
const ENDLESS = ['ingestVenue', 'followOwnVenue', 'settleAsset', 'followSettlement']
const RUNS_MAX = 2
/** A machine that does other things too takes its time. */
const ENDLESS_MS = 300_000
/** Scenarios side by side. */
const LANES = 16

/** Has scenarios take their course on a server, and gives the histories of all workflows that took part. */
export async function recordHistories(client: Client, scenarios: readonly Scenario[]): Promise<RecordedHistory[]> {
  const left = [...scenarios]
  for (const scenario of scenarios) known.set(idOf(scenario), scenario)
  const recorded: RecordedHistory[] = []
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      recorded.push(...(await recordOne(client, next)))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return recorded
}

async function recordOne(client: Client, scenario: Scenario): Promise<RecordedHistory[]> {
  const { workflow, name, args, queue } = scenario
  const workflowId = idOf(scenario)
  const handle = await client.workflow.start(workflow, { workflowId, taskQueue: TASK_QUEUES[queue], args: [args] })
  for (let act = 1; act <= (scenario.acts ?? 0); act += 1) await sendAct(client, workflowId, act)
  if (scenario.cancels) {
    const runs = async () => (await handle.describe()).status.name === 'RUNNING'
    await eventually(async () => (hanging.has(workflowId) || !(await runs()) ? true : null))
    await handle.cancel().catch(() => undefined) // nothing of it hung
  }
  if (ENDLESS.includes(workflow)) await endlessly(client, workflowId)
  else await handle.result().catch(() => undefined)
  return historiesOf(client, workflowId, name)
}

/** Whatever is said of it, and also where the review has ended before. */
async function sendAct(client: Client, workflowId: string, act: number): Promise<void> {
  const signed = { signed_text: `act ${act}`, public_key: 'a key', signature: 'a signature' }
  await client.workflow
    .getHandle(workflowId)
    .executeUpdate('act', { args: [signed], updateId: `act-${act}` })
    .catch(() => undefined)
}

const idOf = ({ workflow, name }: Scenario) => `recorded/${workflow}/${name}`

/** Until it has ended, or there are enough of its runs. */
async function endlessly(client: Client, workflowId: string): Promise<void> {
  const ended = async () => (await runsOf(client, workflowId)).every(({ status }) => status.name !== 'RUNNING')
  const enough = async () => (await runsOf(client, workflowId)).length > RUNS_MAX
  await eventually(async () => ((await enough()) || (await ended()) ? true : null), ENDLESS_MS)
  await client.workflow
    .getHandle(workflowId)
    .terminate()
    .catch(() => undefined) // it has ended
}

type Run = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'type' | 'status'>

/** A workflow's runs and those of its children, by the ids that begin with its own. */
async function runsOf(client: Client, workflowId: string): Promise<Run[]> {
  const runs: Run[] = []
  const query = `WorkflowId = "${workflowId}" OR WorkflowId STARTS_WITH "${workflowId}/"`
  for await (const run of client.workflow.list({ query })) runs.push(run)
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

const known = new Map<string, Scenario>()
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
  const started_as = workflowId.split('/').slice(0, 3).join('/')
  const scenario = known.get(started_as) ?? scheduledOf(workflowId)
  const step = scenario.script[activityType as keyof typeof scenario.script]
  if (step === undefined && activityType === 'readBackfillPlan') {
    const { offset, limit } = args as PlanPageArgs
    return planPage(offset, limit)
  }
  invariant(step !== undefined, `${workflowId}: nothing is said of ${activityType}`)
  const does = step(attempt, args)
  if (does === 'until cancelled') return hang(started_as)
  if ('fails' in does) throw does.fails
  return does.gives
}

/** Returns the scenario of a workflow that a schedule started; such a workflow has an id of its own. */
function scheduledOf(workflowId: string): Scenario {
  const first = workflowId.split('/')[0]
  const found = [...known.values()].find(({ args, starts = [] }) => {
    if (starts.includes(workflowId)) return true
    return (args as { workflow_id?: string }).workflow_id?.split('/')[0] === first
  })
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
