import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { isAlive } from '../../../trading/store/postgres/postmaster-file.ts'
import { ROOT } from '../source-files.ts'
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
export default async function globalSetup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Vitest calls this for each project; the first call serves them all.
  if (process.env[RUN_FOLDER] !== undefined) return undefined
  // Sources that are watched change during a run.
  if (vitest.config.watch === false) await tellCompiledFolders()
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

type CompiledFolder = (checkout: object) => string
type Modules = readonly [
  { readonly compiledFolder: CompiledFolder; readonly CHECKOUT: object },
  { readonly CHILD_CHECKOUT: object },
]

/** Tells all processes of the run what they begin from, so that not each of them looks for changes in thousands of sources. */
async function tellCompiledFolders(): Promise<void> {
  // Plain JavaScript that the compiler of the tests does not read.
  const load = (path: string) => import(pathToFileURL(join(ROOT, path)).href)
  const loaded = Promise.all([load('launch/compiled-entry.mjs'), load('test/support/child-checkout.mjs')])
  const [{ compiledFolder, CHECKOUT }, { CHILD_CHECKOUT }] = (await loaded) as unknown as Modules
  for (const checkout of [CHECKOUT, CHILD_CHECKOUT]) compiledFolder(checkout)
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
