import { type Connection, isGrpcServiceError } from '@temporalio/client'
import { notAllowed } from '../../primitives/errors.ts'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import { DEPLOYMENT, kindsOf, QUEUE_NAMES, servedTasks } from '../task-queues.ts'
import type { TemporalClient } from './connect.ts'
import { queueWorkers } from './has-workers.ts'

/** Name of the workers without a version where a build is named. */
export const UNVERSIONED = 'unversioned'

/** States of a build by `temporal.api.enums.v1.WorkerDeploymentVersionStatus`. */
const STATES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'inactive'] as const

export type WorkerVersion = {
  readonly build_id: string
  /** current: new work is its own; inactive: it was never current; draining and drained: it was, and open workflows may or do not need it. */
  readonly state: (typeof STATES)[number]
  /** Processes that asked for tasks within about the last minute. */
  readonly workers: number
  /** Open workflows that only its workers continue. */
  readonly open_workflows: number
  /** Whether its workers may be stopped for good: the server has seen that no open workflow needs them. */
  readonly may_stop: boolean
}

/**
 * Returns the builds of the deployment, newest first, and the workers without a version if there are any or they receive new work.
 * @throws errors of the server
 */
export async function workerVersions(connected: TemporalClient): Promise<readonly WorkerVersion[]> {
  const [{ info }, queues] = await Promise.all([findDeployment(connected), seenQueues(connected)])
  const builds = await Promise.all(
    (info?.versionSummaries ?? []).map(async ({ deploymentVersion, status }) => {
      const build_id = deploymentVersion?.buildId ?? ''
      const state = STATES[status ?? 0] ?? 'unknown'
      const open_workflows = await countPinned(connected, build_id)
      const is_unused = state === 'drained' || state === 'inactive'
      return {
        build_id,
        state,
        workers: countWorkers(queues, build_id),
        open_workflows,
        may_stop: is_unused && open_workflows === 0,
      }
    }),
  )
  const is_current = !info?.routingConfig?.currentDeploymentVersion?.buildId
  const plain = { workers: countWorkers(queues, null), open_workflows: 0, may_stop: !is_current }
  if (!is_current && plain.workers === 0) return builds
  return [...builds, { build_id: UNVERSIONED, state: is_current ? 'current' : 'inactive', ...plain }]
}

/**
 * Makes new work that of a build, or of the workers without a version.
 * @returns the build that it was before
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the build is unknown, or its workers do not serve what those of the current one serve; errors of the server
 */
export async function promoteBuild(connected: TemporalClient, build_id: string): Promise<string> {
  const [{ info, conflictToken }, queues] = await Promise.all([findDeployment(connected), seenQueues(connected)])
  const refuse = (value: string, allowed: string) => notAllowed('VALIDATION_USAGE_INVALID', 'build', value, allowed)
  const builds = (info?.versionSummaries ?? []).map(({ deploymentVersion }) => deploymentVersion?.buildId ?? '')
  const known = [...builds, UNVERSIONED]
  if (!known.includes(build_id)) throw refuse(build_id, known.join(', '))
  if (info === null) return UNVERSIONED
  const keyOf = (id: string) => (id === UNVERSIONED ? null : id)
  const current = info.routingConfig?.currentDeploymentVersion?.buildId || UNVERSIONED
  const serves = (id: string) => queues.filter(({ workers }) => workers.some((one) => one.build_id === keyOf(id)))
  const served = serves(build_id)
  if (served.length === 0)
    throw refuse(`${build_id}, which no worker serves`, 'a build with workers, see `tidemark worker versions`')
  const missing = serves(current).filter((queue) => !served.includes(queue))
  if (missing.length > 0) {
    const names = [...new Set(missing.map(({ name }) => name))].join(', ')
    throw refuse(
      `${build_id}, whose workers do not serve ${names}`,
      `after its workers serve all that those of ${current} serve`,
    )
  }
  const { workflowService } = connected.client.connection as Connection
  const { namespace } = connected.server
  const chosen = { namespace, deploymentName: DEPLOYMENT, buildId: keyOf(build_id) ?? '', conflictToken }
  await workflowService.setWorkerDeploymentCurrentVersion(chosen)
  return current
}

/** gRPC statuses. */
const DEADLINE_EXCEEDED = 4
const NOT_FOUND = 5
const ATTEMPTS = 3

/**
 * Returns what the server knows of the deployment; null before its first versioned worker. The server asks a workflow of its own, whose
 * worker may be slow to answer: the client does not repeat a read that took too long, so this does.
 */
export async function findDeployment({ client, server }: TemporalClient) {
  const { workflowService } = client.connection as Connection
  for (let attempt = 1; ; attempt++) {
    try {
      const of = { namespace: server.namespace, deploymentName: DEPLOYMENT }
      const { workerDeploymentInfo, conflictToken } = await workflowService.describeWorkerDeployment(of)
      return { info: workerDeploymentInfo ?? null, conflictToken }
    } catch (error) {
      const status = isGrpcServiceError(error) ? error.code : null
      if (status === NOT_FOUND) return { info: null, conflictToken: new Uint8Array() }
      if (status !== DEADLINE_EXCEEDED || attempt === ATTEMPTS) throw error
    }
  }
}

type SeenQueue = Awaited<ReturnType<typeof seenQueues>>[number]

function seenQueues(connected: TemporalClient) {
  const tasks = servedTasks(kindsOf(QUEUE_NAMES), LIVE_VENUES)
  return Promise.all(
    tasks.map(async ({ name, task }) => ({ name, task, ...(await queueWorkers(connected, name, task)) })),
  )
}

function countWorkers(queues: readonly SeenQueue[], build_id: string | null): number {
  const own = queues.flatMap(({ workers }) => workers.filter((worker) => worker.build_id === build_id))
  return new Set(own.map(({ identity }) => identity)).size
}

async function countPinned({ client }: TemporalClient, build_id: string): Promise<number> {
  const of_build = `TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${build_id}'`
  const query = `${of_build} and TemporalWorkflowVersioningBehavior = 'Pinned' and ExecutionStatus = 'Running'`
  return (await client.workflow.count(query)).count
}
