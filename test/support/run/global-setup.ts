import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../../trading/store/postgres/postmaster-file.ts'
import { RUN_FOLDER, resultFile } from './once-in-run.ts'
import { POSTGRES, type RunPostgres } from './run-postgres.ts'

const STOP_MS = 10_000
const PREFIX = 'tidemark-run-'
const ABANDONED = new RegExp(`^${PREFIX}(\\d+)-`)

/** File system in memory: nothing there waits for a disk, and a warehouse is made in half the CPU time. */
const IN_MEMORY = '/dev/shm'
/** Free bytes of memory from which it is used; a run keeps less than a tenth of them at a time. */
const FREE_MIN = 8e9

/** Makes the folder of this test run and, after the last test, ends what was started in it and removes it. */
export default function globalSetup(): (() => Promise<void>) | undefined {
  // Vitest calls this for each project; the first call serves them all.
  if (process.env[RUN_FOLDER] !== undefined) return undefined
  const { TMPDIR } = process.env
  const parent = hasMemory() ? IN_MEMORY : tmpdir()
  removeAbandoned(parent)
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  process.env[RUN_FOLDER] = folder
  process.env.TMPDIR = folder // of the tests and of all that they start
  return async () => {
    delete process.env[RUN_FOLDER]
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    await stopPostgres(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of runs that were killed: in memory they would stay until the machine restarts. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = ABANDONED.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) removeUnlessMounted(join(parent, name))
  }
}

/** A killed test of a full disk leaves its file system mounted in its folder, which stays: only root could unmount it. */
function removeUnlessMounted(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error
  }
}

function hasMemory(): boolean {
  if (!existsSync(IN_MEMORY)) return false
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return Math.min(bavail * bsize, freemem()) > FREE_MIN
}

/** Its data is removed next, so it need not be shut down in order. */
async function stopPostgres(folder: string): Promise<void> {
  const file = resultFile(folder, POSTGRES)
  if (!existsSync(file)) return
  const { server_pid } = JSON.parse(readFileSync(file, 'utf8')) as RunPostgres
  if (isAlive(server_pid)) process.kill(server_pid, 'SIGQUIT')
  for (const end = Date.now() + STOP_MS; isAlive(server_pid) && Date.now() < end; ) await sleep(20)
}
