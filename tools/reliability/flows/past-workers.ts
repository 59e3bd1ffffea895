import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { processEnvironment } from '../../../service/configuration.ts'
import { BIN } from '../../../test/support/run-cli.ts'
import { ROOT } from '../../../test/support/source-files.ts'
import { temporalBinary } from '../../../test/workflows/support/temporal.ts'
import { type DevServer, startDevServer } from '../../../workflows/server/start-dev-server.ts'
import { killed, type Variables } from './commands.ts'

/** A Temporal server and two workers. A process that is killed is replaced by a new one. */
export class PastWorkers {
  readonly variables: Variables
  readonly #folder: string
  readonly #home: string
  readonly #server: DevServer
  readonly #workers: ChildProcess[] = []
  #is_closing = false

  private constructor(folder: string, home: string, server: DevServer, variables: Variables) {
    this.#folder = folder
    this.#home = home
    this.#server = server
    this.variables = { ...variables, TEMPORAL_ADDRESS: server.address }
  }

  static async start(folder: string, home: string, variables: Variables): Promise<PastWorkers> {
    const on_problem = () => undefined // it is killed again and again
    const binary = await temporalBinary()
    const server = await startDevServer({ binary, folder, namespace: 'default', on_problem })
    return new PastWorkers(folder, home, server, variables)
  }

  async work(): Promise<void> {
    await this.#startWorker()
    await this.#startWorker()
  }

  /** Kills the older worker and starts another one. */
  async killWorker(): Promise<void> {
    await killed(this.#workers.shift()!)
    await this.#startWorker()
  }

  /** Kills the server, which its keeper starts again. @returns false: it was not running */
  killServer(): boolean {
    try {
      return process.kill(Number(readFileSync(join(this.#folder, 'server.pid'), 'utf8')), 'SIGKILL')
    } catch {
      return false
    }
  }

  async close(): Promise<void> {
    this.#is_closing = true
    await Promise.all(this.#workers.map(killed))
    await this.#server.close()
  }

  /** Starts a worker, again until it works: without a server it ends at its start. */
  async #startWorker(): Promise<void> {
    const argv = [BIN, 'worker', '--queue', 'bulk', '--no-schedules', '--json', '--home', this.#home]
    const env = { ...processEnvironment(), ...this.variables }
    while (!this.#is_closing) {
      const worker = spawn(process.execPath, argv, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] })
      this.#workers.push(worker)
      const [line] = await Promise.race([once(worker.stdout, 'data'), once(worker, 'close').then(() => [''])])
      worker.stdout.resume()
      if (String(line).includes('"ready"')) return
      await killed(worker)
      this.#workers.splice(this.#workers.indexOf(worker), 1)
    }
  }
}
