import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ServiceError } from '../../../primitives/errors.ts'
import { isAlive, runningPostmaster } from './postmaster-file.ts'
import type { ServerPaths } from './server-paths.ts'

export const DATABASE_USER = 'tidemark'

const START_MS = 60_000
const STOP_MS = 20_000
const POLL_MS = 10
const LAST_WAITS = 100
const OWNER_FILE = 'owner.pid'
const LOG_FILE = 'server.log'

/** Commits reach the disk before they are acknowledged; replication, network and just-in-time compilation are off. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  shared_buffers: '256MB',
  max_connections: '80',
  jit: 'off',
  timezone: 'UTC',
  log_checkpoints: 'off',
  // Otherwise recovery flushes each data file separately, which takes a second.
  ...(platform() === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
}

const run = promisify(execFile)

export type EmbeddedServer = {
  /** Process id of the server. */
  readonly pid: number
  /** Stops the server if this process was its first user, or if that user is gone. */
  stop(): Promise<void>
}

/**
 * Starts the server of a data folder, created if missing, or joins a running one: left behind by a killed process of
 * ours, or started by a process beside us.
 * @param settings Postgres settings that override ours
 * @throws {ServiceError} SERVICE_UNAVAILABLE with the last lines of its log
 */
export async function startServer(
  paths: ServerPaths,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedServer> {
  if (!existsSync(join(paths.data, 'PG_VERSION'))) {
    requireEmpty(paths.data)
    await initialize(paths)
  }
  const pid = await joinOrStart(paths, { ...SETTINGS, ...settings })
  claim(paths)
  return { pid, stop: async () => (isOurs(paths) ? stopServer(paths.data) : undefined) }
}

/** Creates the data in a temporary folder and renames it, so an interrupted run leaves nothing that looks like data. */
async function initialize({ bin, data, user }: ServerPaths): Promise<void> {
  const half = `${data}-${process.pid}`
  mkdirSync(half, { mode: 0o700 })
  try {
    if (user !== undefined) chownSync(half, user.uid, user.gid)
    const flags = [
      '-D',
      half,
      '-U',
      DATABASE_USER,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
    ]
    await run(join(bin, 'initdb'), flags, { ...user, cwd: '/', env: {} })
    moveTo(data, half)
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}

/** Moves new data to its place, which is missing or empty; data that another process made meanwhile stays. */
function moveTo(data: string, half: string): void {
  try {
    renameSync(half, data)
  } catch (error) {
    if (!existsSync(join(data, 'PG_VERSION'))) throw error
  }
}

/** Refuses a folder with files that are no complete data: nothing is made in their place. */
function requireEmpty(data: string): void {
  if (!existsSync(data) || readdirSync(data).length === 0) return
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `the trading database ${data} has files, but no PG_VERSION; allowed: restore a backup into a new home, or move the folder away`,
    { data },
  )
}

async function joinOrStart(paths: ServerPaths, settings: Readonly<Record<string, string>>): Promise<number> {
  const end = Date.now() + START_MS
  let child: ChildProcess | null = null
  while (Date.now() < end) {
    const running = runningPostmaster(paths.data)
    if (running?.is_ready === true && existsSync(join(paths.socket_folder, '.s.PGSQL.5432'))) return running.pid
    // Backends of a killed server hold its memory a moment longer, and the first start is refused.
    if (running === null && (child === null || child.exitCode !== null)) child = spawnServer(paths, settings)
    await sleep(POLL_MS)
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', `Postgres in ${paths.data} did not start: ${lastLines(paths.data)}`)
}

/** Detached: a signal to our terminal's group must not stop the server before us. */
function spawnServer({ bin, data, socket_folder, user }: ServerPaths, settings: Readonly<Record<string, string>>) {
  const log = openSync(join(data, LOG_FILE), 'a')
  const flags = Object.entries({ ...settings, unix_socket_directories: socket_folder })
  const argv = ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const options = { ...user, cwd: '/', env: {}, detached: true, stdio: ['ignore', log, log] as const }
  const child = spawn(join(bin, 'postgres'), argv, { ...options, stdio: ['ignore', log, log] })
  child.on('error', () => undefined)
  child.unref()
  closeSync(log)
  return child
}

/** Claims the server: its first user stops it. When that process is gone, the next user or closer does. */
function claim(paths: ServerPaths): void {
  if (isOurs(paths)) writeFileSync(join(paths.data, OWNER_FILE), `${process.pid}\n`, { mode: 0o600 })
}

function isOurs({ data }: ServerPaths): boolean {
  const path = join(data, OWNER_FILE)
  const owner = existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : 0
  return !(owner > 0) || owner === process.pid || !isAlive(owner)
}

async function stopServer(data: string): Promise<void> {
  const running = runningPostmaster(data)
  if (running === null) return
  signal(running.pid, 'SIGINT')
  const end = Date.now() + STOP_MS
  while (runningPostmaster(data) !== null) {
    if (Date.now() > end) signal(running.pid, 'SIGQUIT')
    await sleep(POLL_MS)
  }
  // The lock file disappears shortly before the process; a zombie keeps its process id.
  for (let waits = 0; isAlive(running.pid) && waits < LAST_WAITS; waits += 1) await sleep(POLL_MS)
  rmSync(join(data, OWNER_FILE), { force: true })
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Already ended.
  }
}

function lastLines(data: string): string {
  const path = join(data, LOG_FILE)
  return existsSync(path)
    ? readFileSync(path, 'utf8').trim().split('\n').slice(-5).join('; ')
    : `no log in ${dirname(path)}`
}
