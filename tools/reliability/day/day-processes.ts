import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type StartedProcess, startProcess } from '../../../bench/load/served-processes.ts'
import { invariant } from '../../../primitives/errors.ts'
import { processEnvironment } from '../../../service/configuration.ts'
import { childArgv } from '../../../test/support/child-argv.ts'
import { createPool, type Pool } from '../../../trading/store/create-pool.ts'
import { isAlive } from '../../../trading/store/postgres/postmaster-file.ts'
import { type StartedPostgres, startPostgres } from '../../../trading/store/start-postgres.ts'
import type { DayKill } from './plan-day-kills.ts'
import type { WorkerArgs } from './settlement-worker.ts'

const WORKER = fileURLToPath(new URL('./settlement-worker.ts', import.meta.url))
/** A process that is to end at a named place ends within this time, or is ended. */
const ARMED_MS = 3_000
const LOOK_MS = 10

/** Postgres, engine and settlement worker of a day, each to be ended by signal 9; what was ended is started again. */
export class DayProcesses {
  readonly url: string
  /** Connections of the driver; they outlive the database's restarts. */
  readonly pool: Pool
  readonly rail: string
  readonly #home: string
  readonly #seed: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #log: number
  #postgres: StartedPostgres
  /** The last start of Postgres: a close waits for it. */
  #restart: Promise<unknown> = Promise.resolve()
  #engine: StartedProcess<unknown> | null = null
  #worker: ChildProcess | null = null

  private constructor(
    home: string,
    seed: string,
    settings: Readonly<Record<string, string>>,
    postgres: StartedPostgres,
  ) {
    this.#home = home
    this.#seed = seed
    this.#settings = settings
    this.#postgres = postgres
    this.#log = openSync(join(home, 'notes.log'), 'a')
    this.url = postgres.url
    this.rail = join(home, 'rail')
    this.pool = createPool({ url: postgres.url, name: 'day', onError: () => undefined })
  }

  static async start(home: string, seed: string, settings: Readonly<Record<string, string>>): Promise<DayProcesses> {
    const postgres = await startPostgres({ folder: join(home, 'postgres'), settings, onError: () => undefined })
    const day = new DayProcesses(home, seed, settings, postgres)
    await day.#startEngine('')
    await day.#startWorker(null)
    return day
  }

  /** Ends something, and starts it again. @returns false: it did not come to the place in time, and was ended elsewhere */
  async kill(kill: DayKill): Promise<boolean> {
    switch (kill.target) {
      case 'engine':
        await signal(this.#engine!.child, 'SIGKILL')
        await this.#startEngine('')
        return true
      case 'engine-at': {
        // An engine that gives its lease back is followed by one that ends itself, at a place and time that commits bring about.
        await signal(this.#engine!.child, 'SIGTERM')
        await this.#startEngine(kill.killpoint)
        const came = await endsBy(this.#engine!.child)
        await this.#startEngine('')
        return came
      }
      case 'worker':
        await signal(this.#worker!, 'SIGKILL')
        await this.#startWorker(null)
        return true
      case 'worker-at': {
        await signal(this.#worker!, 'SIGKILL')
        await this.#startWorker(kill.dies_at)
        const came = await endsBy(this.#worker!)
        await this.#startWorker(null)
        return came
      }
      case 'postgres':
        this.#restart = this.#killPostgres()
        await this.#restart
        return true
    }
  }

  async close(): Promise<void> {
    if (this.#worker !== null) await signal(this.#worker, 'SIGKILL')
    if (this.#engine !== null) await signal(this.#engine.child, 'SIGTERM')
    await this.pool.end()
    await this.#restart.catch(() => undefined)
    await this.#postgres.stop()
    closeSync(this.#log)
  }

  async #startEngine(killpoint: string): Promise<void> {
    const { DATABASE_URL: _, ...inherited } = processEnvironment()
    const environment = { ...inherited, DATABASE_URL: this.url, TIDEMARK_HOME: this.#home }
    const flags = killpoint === '' ? [] : ['--killpoint', killpoint]
    this.#engine = await startProcess(['engine', '--json', '--attached', ...flags], environment, this.#log)
  }

  async #startWorker(dies_at: WorkerArgs['dies_at']): Promise<void> {
    const args: WorkerArgs = { url: this.url, rail: this.rail, seed: this.#seed, dies_at }
    const worker = spawn(process.execPath, childArgv(WORKER, JSON.stringify(args)), {
      stdio: ['pipe', 'pipe', this.#log],
    })
    this.#worker = worker
    worker.stdin!.on('error', () => undefined)
    const said = await Promise.race([once(worker.stdout!, 'data').then(() => true), ended(worker).then(() => false)])
    invariant(said, 'a settlement worker starts')
  }

  async #killPostgres(): Promise<void> {
    const { server_pid, pool } = this.#postgres
    invariant(server_pid !== null, 'the server is ours')
    process.kill(server_pid, 'SIGKILL')
    // One that is dying looks as if it could be joined.
    while (isAlive(server_pid)) await sleep(LOOK_MS)
    this.#postgres = await startPostgres({
      folder: join(this.#home, 'postgres'),
      settings: this.#settings,
      onError: () => undefined,
    })
    await pool.end()
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function signal(child: ChildProcess, name: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(name)
  await gone
}

/** Whether it ends by itself within a time; it is ended then. */
async function endsBy(child: ChildProcess): Promise<boolean> {
  const over = new AbortController()
  const late = sleep(ARMED_MS, false, { signal: over.signal }).catch(() => false)
  const came = await Promise.race([ended(child).then(() => true), late])
  over.abort()
  await signal(child, 'SIGKILL')
  return came
}
