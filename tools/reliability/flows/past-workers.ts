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

/** A Temporal server and two workers, which are started again when they are killed. */
export class PastWorkers {
  readonly variables: Variables
  readonly #folder: string
  readonly #home: string
  readonly #server: DevServer
  readonly #workers: ChildProcess[] = []

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
    const workers = new PastWorkers(folder, home, server, variables)
    await workers.#startWorker()
    await workers.#startWorker()
    return workers
  }

  /** Kills the older worker and starts another one. */
  async killWorker(): Promise<void> {
    await killed(this.#workers.shift()!)
    await this.#startWorker()
  }

  /** Kills the server, which its keeper starts again. */
  killServer(): void {
    process.kill(Number(readFileSync(join(this.#folder, 'server.pid'), 'utf8')), 'SIGKILL')
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map(killed))
    await this.#server.close()
  }

  async #startWorker(): Promise<void> {
    const argv = [BIN, 'worker', '--queue', 'bulk', '--no-schedules', '--json', '--home', this.#home]
    const env = { ...processEnvironment(), ...this.variables }
    const worker = spawn(process.execPath, argv, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] })
    this.#workers.push(worker)
    await Promise.race([once(worker.stdout!, 'data'), once(worker, 'exit')])
  }
}
