import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StartedProcess, startProcess } from '../../../bench/load/served-processes.ts'
import { invariant } from '../../../primitives/errors.ts'
import { processEnvironment } from '../../../service/configuration.ts'
import type { EngineReady } from '../../../service/trading/run-engine.ts'
import { type KeyEncryptionKey, keyEncryptionKey } from '../../../trading/auth/seal-secret.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { readLease } from '../../../trading/store/lease.ts'
import { type StartedPostgres, startPostgres } from '../../../trading/store/start-postgres.ts'

type Engine = StartedProcess<EngineReady>
type Api = StartedProcess<{ readonly base_url: string }>

/** A leader and a standby. */
const ENGINES = 2
const LOOK_MS = 20
const LEADER_MS = 120_000
const ARMED_MS = 60_000

/**
 * Postgres, engines and API as a deployment has them, each to be ended by signal 9: Postgres is this process's child, the others are
 * `tidemark engine` and `tidemark api`.
 */
export class KillTargets {
  readonly sealing: KeyEncryptionKey
  readonly #environment: NodeJS.ProcessEnv
  readonly #home: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #log: number
  #postgres: StartedPostgres
  /** The last start of Postgres anew: a close waits for it. */
  #restart: Promise<void> = Promise.resolve()
  #engines: Engine[] = []
  #api: Api | null = null

  private constructor(home: string, settings: Readonly<Record<string, string>>, postgres: StartedPostgres) {
    const { DATABASE_URL: _, ...inherited } = processEnvironment()
    const key = randomBytes(32).toString('hex')
    this.sealing = keyEncryptionKey(key, 'a run of its own')
    const own = { DATABASE_URL: postgres.url, TIDEMARK_HOME: home, TIDEMARK_KEY_ENCRYPTION_KEY: key }
    this.#environment = { ...inherited, ...own }
    this.#home = home
    this.#settings = settings
    this.#log = openSync(join(home, 'notes.log'), 'a')
    this.#postgres = postgres
  }

  /** @param settings of Postgres, over those of the product */
  static async start(home: string, settings: Readonly<Record<string, string>>): Promise<KillTargets> {
    const targets = new KillTargets(home, settings, await startPostgres({ folder: join(home, 'postgres'), settings }))
    try {
      await Promise.all([targets.addEngine(), targets.#startApi('0')])
      await targets.addEngine()
    } catch (error) {
      await targets.close()
      throw error
    }
    return targets
  }

  get pool(): Pool {
    return this.#postgres.pool
  }

  readonly base_url = (): string => this.#api!.said.base_url

  /** One more engine, which stands by unless none leads. `killpoint`: where it ends itself once it leads. */
  async addEngine(killpoint = ''): Promise<Engine> {
    const flags = killpoint === '' ? [] : ['--killpoint', killpoint]
    const engine = await startProcess<EngineReady>(
      ['engine', '--json', '--attached', ...flags],
      this.#environment,
      this.#log,
    )
    this.#engines.push(engine)
    return engine
  }

  /** Starts engines until the intended number runs. */
  async fill(): Promise<void> {
    this.#engines = this.#engines.filter(isRunning)
    await Promise.all(Array.from({ length: ENGINES - this.#engines.length }, () => this.addEngine()))
  }

  async killLeader(): Promise<void> {
    await kill(await this.#leader())
  }

  async killStandby(): Promise<void> {
    const leader = await this.#leader()
    await Promise.all(this.#engines.filter((engine) => engine !== leader).map(kill))
  }

  async killEngines(): Promise<void> {
    await Promise.all(this.#engines.map(kill))
  }

  async killApi(): Promise<void> {
    const port = new URL(this.base_url()).port
    await kill(this.#api!)
    await this.#startApi(port)
  }

  /** And starts it again in the same place: whoever is connected has to connect anew. */
  killPostgres(): Promise<void> {
    const restarted = this.#restartPostgres()
    this.#restart = restarted
    return restarted
  }

  async #restartPostgres(): Promise<void> {
    const former = this.#postgres
    invariant(former.server_pid !== null, 'the server is ours')
    process.kill(former.server_pid, 'SIGKILL')
    this.#postgres = await startPostgres({ folder: join(this.#home, 'postgres'), settings: this.#settings })
    await former.pool.end()
  }

  /** Stops the leader for a while and lets it go on: beyond its lease, another one leads meanwhile. */
  async pauseLeader(for_ms: number): Promise<void> {
    const { child } = await this.#leader()
    child.kill('SIGSTOP')
    try {
      await sleep(for_ms)
    } finally {
      child.kill('SIGCONT')
    }
  }

  /** Hands the lead over to an engine that ends itself at a named place; others are started while it leads. */
  async dieAt(killpoint: string): Promise<void> {
    const others = [...this.#engines]
    const armed = await this.addEngine(killpoint)
    const died = once(armed.child, 'exit')
    await Promise.all(others.map(end))
    const late = new AbortController()
    const ended = await Promise.race([died, sleep(ARMED_MS, null, { signal: late.signal })])
    late.abort()
    invariant(ended !== null, `an engine comes to ${killpoint}`)
    invariant(ended[1] === 'SIGKILL', `an engine ends at ${killpoint} by itself`)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#engines, ...(this.#api === null ? [] : [this.#api])].map(end))
    await this.#restart.catch(() => undefined)
    await this.#postgres.stop()
    closeSync(this.#log)
  }

  async #startApi(port: string): Promise<void> {
    const argv = ['api', '--json', '--attached', '--port', port]
    this.#api = await startProcess(argv, this.#environment, this.#log)
  }

  /** Whoever the lease names, once that one runs. */
  async #leader(): Promise<Engine> {
    const until = performance.now() + LEADER_MS
    while (performance.now() < until) {
      const lease = await readLease(this.pool)
      const leader = this.#engines.find(({ said }) => said.address === lease?.address)
      if (leader !== undefined && isRunning(leader)) return leader
      await sleep(LOOK_MS)
    }
    throw new RangeError(`nobody led for ${LEADER_MS} ms`)
  }
}

function isRunning({ child }: StartedProcess<unknown>): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function kill(process: StartedProcess<unknown>): Promise<void> {
  await signal(process, 'SIGKILL')
}

/** In order: it gives its lease back. */
async function end(process: StartedProcess<unknown>): Promise<void> {
  await signal(process, 'SIGTERM')
}

async function signal(process: StartedProcess<unknown>, name: NodeJS.Signals): Promise<void> {
  if (!isRunning(process)) return
  const ended = once(process.child, 'exit')
  process.child.kill(name)
  await ended
}
