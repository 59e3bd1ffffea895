import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Micros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { databaseFolder } from '../../../service/trading/open-database.ts'
import { descendants, type Service, startService } from '../../../test/support/service-process.ts'
import { runningPostmaster } from '../../../trading/store/postgres/postmaster-file.ts'
import { serverPaths } from '../../../trading/store/postgres/server-paths.ts'
import { serverFolder } from '../../../workflows/server/server-file.ts'
import { begin } from './commands.ts'

/** Processes below `tidemark up` that are killed. */
const PROCESSES = ['worker', 'api', 'engine', 'Temporal server', 'Postgres'] as const
type LiveProcess = (typeof PROCESSES)[number]

/** Kinds of acts: kills of the processes and of `up` itself, and a pause of publication. */
export const LIVE_ACTS = [...PROCESSES, 'up', 'pause'] as const
export type LiveAct = (typeof LIVE_ACTS)[number]

const ACCOUNTS = ['--sandbox-accounts', '2'] as const
/** Longer than a minute, so that each pause holds a tick back. */
const PAUSE_MS = 100_000
/** Time within which a process that was killed is there again. */
const BACK_MS = 120_000
const LOOK_MS = 500
const COMMANDS_MAX = 10

/** A `tidemark up`, and what is done to it. */
export class LiveService {
  /** Instants at which it began, and so read whole tapes. */
  readonly starts: Micros[] = []
  readonly #home: string
  #service: Service | null = null
  #pause: Promise<void> = Promise.resolve()

  constructor(home: string) {
    this.#home = home
  }

  async start(): Promise<void> {
    this.starts.push(wallClock())
    this.#service = await startService(this.#home, ACCOUNTS)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const service = this.#service
    this.#service = null
    await service?.stop(signal)
  }

  /** Carries out one act of the drill. A pause lasts while later acts run. @returns false if the killed process did not restart */
  async do(act: LiveAct): Promise<boolean> {
    switch (act) {
      case 'pause':
        await this.#pause
        await this.#persist(['schedules', 'pause', 'publish-tick', '--reason', 'drill'])
        this.#pause = sleep(PAUSE_MS).then(() => this.#persist(['schedules', 'resume', 'publish-tick']))
        this.#pause.catch(() => undefined) // awaited later
        return true
      case 'up':
        await this.stop('SIGKILL')
        await sleep(2_000)
        await this.start()
        return true
      default:
        return await this.#kill(act)
    }
  }

  /** Waits for the end of the last pause. */
  async resumed(): Promise<void> {
    await this.#pause
  }

  /** Returns the size of Temporal's database. */
  temporalMib(): number {
    const folder = serverFolder(this.#home)
    const files = readdirSync(folder).filter((name) => name.startsWith('temporal.db'))
    return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 2 ** 20
  }

  async #kill(process_name: LiveProcess): Promise<boolean> {
    const end = Date.now() + BACK_MS
    for (let pid = this.#pidOf(process_name); ; pid = this.#pidOf(process_name)) {
      if (pid !== null) return process.kill(pid, 'SIGKILL')
      if (Date.now() > end) return false
      await sleep(LOOK_MS)
    }
  }

  #pidOf(process_name: LiveProcess): number | null {
    const below = descendants(this.#service!.child.pid!)
    switch (process_name) {
      case 'Temporal server': {
        const pid = Number(contentOf(join(serverFolder(this.#home), 'server.pid')))
        return below.includes(pid) ? pid : null
      }
      case 'Postgres':
        return runningPostmaster(serverPaths(databaseFolder(this.#home)).data)?.pid ?? null
      default: {
        const command = new RegExp(`/tidemark\\.mjs ${process_name} `)
        return below.find((pid) => command.test(contentOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))) ?? null
      }
    }
  }

  /** Runs a command until it ends well, as an operator does while servers come and go. */
  async #persist(argv: readonly string[]): Promise<void> {
    for (let runs = 1; ; runs += 1) {
      const { exit_code, stderr } = await begin(argv, { TIDEMARK_HOME: this.#home }).ended
      if (exit_code === 0) return
      if (runs === COMMANDS_MAX) throw new Error(`tidemark ${argv.join(' ')} ended with ${exit_code}: ${stderr}`)
      await sleep(2_000)
    }
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}
