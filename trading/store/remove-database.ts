import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { runningPostmaster } from './postgres/postmaster-file.ts'
import { serverPaths } from './postgres/server-paths.ts'

const STOP_MS = 20_000
const POLL_MS = 20

/**
 * Deletes the data of an embedded server; a server left running by an earlier process is stopped first.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the server does not stop
 */
export async function removeDatabase(folder: string): Promise<void> {
  const { data } = serverPaths(resolve(folder))
  const end = Date.now() + STOP_MS
  for (let running = runningPostmaster(data); running !== null; running = runningPostmaster(data)) {
    if (Date.now() > end) throw new ServiceError('SERVICE_UNAVAILABLE', `Postgres in ${data} does not stop`)
    process.kill(running.pid, 'SIGINT')
    await sleep(POLL_MS)
  }
  await rm(data, { recursive: true, force: true })
}
