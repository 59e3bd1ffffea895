import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { aborted } from '../aborted.ts'
import { SEARCH_ATTRIBUTES } from '../search-attributes.ts'
import { awaitServing } from './await-serving.ts'
import { freePort } from './free-port.ts'
import { keepEndedFor } from './keep-for.ts'
import { diskFault, untilSpace, watchDisk } from './server-disk.ts'
import { isRunning, removeServerFile, type ServerAddress, writeServerFile } from './server-file.ts'

export type DevServerOptions = {
  /** The `temporal` program. */
  readonly binary: string
  /** Folder of its database and log. */
  readonly folder: string
  readonly namespace: string
  /** Reports that it ended by itself, or that a restart failed. */
  readonly on_problem: (error: unknown) => void
}

export type DevServer = ServerAddress & {
  /** Stops it within a few seconds; its database is kept. */
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const WATCHDOG = fileURLToPath(new URL('./watchdog.mjs', import.meta.url))
const SERVING_MS = 60_000
const RESTART: BackoffRule = { first_ms: 500, max_ms: 10_000 }
/** Consecutive failed starts after which the database counts as damaged. */
const FAILURES_MAX = 3

type Running = { readonly child: ChildProcess; readonly ended: AbortSignal }

/**
 * Starts this process's own Temporal server, on loopback, with its state in a file. A server that ends is restarted at the same
 * address with the same database; a database that cannot be opened is renamed, because the warehouse knows everything in it. While its
 * disk is full it is not started, and nothing is renamed. The server ends with this process, however that ends.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: it did not start; the message names its log; WAREHOUSE_STORE_FULL: its disk is full
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { folder, on_problem } = options
  await mkdir(folder, { recursive: true })
  const first = await firstStart(() => startAnywhere(options), on_problem)
  const { server, ports } = first
  const start = () => startOnce(options, server, ports)
  let { running } = first
  await writeServerFile(folder, server)
  const closing = new AbortController()
  watchDisk(folder, closing.signal, on_problem)
  const watched = watch()
  return {
    ...server,
    close: async () => {
      closing.abort()
      running.child.stdin?.end()
      await watched
      await removeServerFile(folder)
    },
  }

  async function watch(): Promise<void> {
    for (;;) {
      await aborted(running.ended)
      if (closing.signal.aborted) return
      on_problem(new ServiceError('SERVICE_UNAVAILABLE', 'the Temporal server ended and is being restarted'))
      await restart()
    }
  }

  async function restart(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      await delay(backoffMs(RESTART, failures + 1))
      await untilSpace(folder, closing.signal, on_problem)
      if (closing.signal.aborted) return
      if (failures === FAILURES_MAX) await putDatabaseAside(folder, on_problem)
      try {
        running = await start()
        if (closing.signal.aborted) running.child.stdin?.end()
        return
      } catch (error) {
        if (isServiceError(error, 'WAREHOUSE_STORE_FULL')) failures -= 1 // its database is not to blame
        on_problem(error)
      }
    }
  }
}

/** Starts it at free ports. Another program may take one of them before it does: then it ends, and is started at others. */
async function startAnywhere(options: DevServerOptions) {
  const { namespace } = options
  const ports = [await freePort(HOST), await freePort(HOST)] as const
  const [port, ui_port] = ports
  const server = { address: `${HOST}:${port}`, ui_url: `http://${HOST}:${ui_port}`, namespace }
  return { server, ports, running: await startOnce(options, server, ports) }
}

/** The first start, repeated if the server ends meanwhile, as a killed one does; one that hangs is not waited for again. */
async function firstStart<T>(start: () => Promise<T>, on_problem: (error: unknown) => void): Promise<T> {
  const end = performance.now() + SERVING_MS
  for (let failures = 1; ; failures++) {
    try {
      return await start()
    } catch (error) {
      if (failures === FAILURES_MAX || performance.now() > end || isServiceError(error, 'WAREHOUSE_STORE_FULL'))
        throw error
      on_problem(error)
      await delay(backoffMs(RESTART, failures))
    }
  }
}

async function startOnce(
  { binary, folder, namespace }: DevServerOptions,
  server: ServerAddress,
  [port, ui_port]: readonly [number, number],
): Promise<Running> {
  const pid_file = join(folder, 'server.pid')
  await endOrphan(pid_file, folder)
  const log = await open(join(folder, 'server.log'), 'a')
  const argv = [
    ...['server', 'start-dev', '--ip', HOST, '--port', String(port), '--ui-port', String(ui_port)],
    ...['--db-filename', databaseOf(folder), '--namespace', namespace, '--log-level', 'error'],
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]
  // Its own process group: Ctrl-C in a terminal reaches only this process, which stops the server.
  const child = spawn(process.execPath, [WATCHDOG, pid_file, binary, ...argv], {
    stdio: ['pipe', log.fd, log.fd],
    detached: true,
  })
  child.stdin?.on('error', () => undefined) // it has ended
  const ended = new AbortController()
  void once(child, 'exit').then(
    () => ended.abort(),
    () => ended.abort(),
  )
  await log.close()
  try {
    await awaitServing(server, SERVING_MS, ended.signal)
    await keepEndedFor(server)
  } catch (error) {
    child.stdin?.end()
    await aborted(ended.signal)
    const full = diskFault(folder, error)
    if (full !== null) throw full
    const text = `the Temporal server did not start; its log is ${join(folder, 'server.log')}`
    throw new ServiceError('SERVICE_UNAVAILABLE', text, {}, error)
  }
  return { child, ended: ended.signal }
}

function databaseOf(folder: string): string {
  return join(folder, 'temporal.db')
}

/** Kills a server whose watchdog was killed: it still holds the database. */
async function endOrphan(pid_file: string, folder: string): Promise<void> {
  const pid = Number(await readFile(pid_file, 'utf8').catch(() => ''))
  if (!(pid > 0) || !isRunning(pid)) return
  if (!commandOf(pid).includes(databaseOf(folder))) return // another program has this pid now
  process.kill(pid, 'SIGKILL')
  while (isRunning(pid)) await delay(20)
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

async function putDatabaseAside(folder: string, on_problem: (error: unknown) => void): Promise<void> {
  const database = databaseOf(folder)
  const aside = `${database}.damaged`
  await rename(database, aside).catch(() => undefined) // it does not exist
  on_problem(
    new ServiceError('SERVICE_UNAVAILABLE', `Temporal's database cannot be opened; it was renamed to ${aside}`),
  )
}
