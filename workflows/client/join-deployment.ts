import type { Connection } from '@temporalio/client'
import { waitFor } from '../../operations/live/wait-for.ts'
import type { ServerAddress } from '../server/server-file.ts'
import { DEPLOYMENT, type WorkKind } from '../task-queues.ts'
import { connectTemporal, type TemporalClient } from './connect.ts'
import { currentBuild } from './has-workers.ts'
import { serverError } from './server-error.ts'
import { findDeployment, UNVERSIONED } from './worker-versions.ts'

export type JoinOptions = {
  readonly server: ServerAddress
  /** Build of the worker; null: it has no version. */
  readonly build_id: string | null
  /** Kind of work that it does, of several any. */
  readonly kind: WorkKind
  readonly signal: AbortSignal
  readonly on_note: (text: string) => void
  readonly on_problem: (error: unknown) => void
}

/** Wait after a failed attempt, and for the server to know a build that has just started. */
const EVERY_MS = 2_000

/**
 * Makes the build of a started worker the current one if none ever was, so that a first fleet works without a further command. Notes
 * which build receives new work if it is another one.
 */
export async function joinDeployment({
  server,
  build_id,
  kind,
  signal,
  on_note,
  on_problem,
}: JoinOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      const connected = await connectTemporal(server)
      try {
        const current = await (build_id === null ? currentBuild(connected, kind) : adopt(connected, build_id))
        if (current !== build_id && current !== undefined) on_note(idleNote(build_id, current))
        if (current !== undefined) return
      } finally {
        await connected.close()
      }
    } catch (error) {
      on_problem(serverError(error, server))
    }
    await waitFor(EVERY_MS, signal)
  }
}

/** Returns the current build, null for workers without a version; undefined: the server does not know this build yet. */
async function adopt(connected: TemporalClient, build_id: string): Promise<string | null | undefined> {
  const { info, conflictToken } = await findDeployment(connected)
  if (!info?.versionSummaries?.some(({ deploymentVersion }) => deploymentVersion?.buildId === build_id))
    return undefined
  const { currentDeploymentVersion, currentVersionChangedTime } = info.routingConfig ?? {}
  // Once somebody has chosen, also workers without a version, only people choose.
  if (currentVersionChangedTime) return currentDeploymentVersion?.buildId || null
  const { workflowService } = connected.client.connection as Connection
  const { namespace } = connected.server
  const adopted = { namespace, deploymentName: DEPLOYMENT, buildId: build_id, conflictToken }
  await workflowService.setWorkerDeploymentCurrentVersion(adopted)
  return build_id
}

function idleNote(build_id: string | null, current: string | null): string {
  return build_id === null
    ? `this worker has no version and receives no new work: build ${current} is current; allowed: --versioned, or \`tidemark worker promote ${UNVERSIONED}\``
    : `build ${build_id} receives no new work before \`tidemark worker promote ${build_id}\`; current is ${current ?? UNVERSIONED}`
}
