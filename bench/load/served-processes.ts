import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { invariant } from '../../primitives/errors.ts'

/** Engine and API as separate processes, as in a deployment. */
export type ServedProcesses = {
  readonly base_url: () => string
  /** Process ids by name: engine, api, postgres. */
  readonly pids: () => Readonly<Record<'engine' | 'api' | 'postgres', number>>
  /** Kills all three by signal 9 and restarts them. */
  killAll(): Promise<void>
  close(): Promise<void>
}

const BIN = fileURLToPath(new URL('../../cli/tidemark.mjs', import.meta.url))

/** Starts engine and API over the embedded database of a home folder. */
export async function startProcesses(home: string, database_url: string): Promise<ServedProcesses> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const environment = { ...inherited, TIDEMARK_HOME: home, TIDEMARK_WAREHOUSE: join(home, 'warehouse') }
  let engine = await startProcess(['engine', '--json'], environment)
  const startApi = (port: string) =>
    startProcess<{ readonly base_url: string }>(['api', '--json', '--port', port], {
      ...environment,
      DATABASE_URL: database_url,
    })
  let api = await startApi('0')
  const base_url = api.said.base_url
  const pids = () => ({ engine: engine.child.pid!, api: api.child.pid!, postgres: postmaster(home) })
  return {
    base_url: () => base_url,
    pids,
    killAll: async () => {
      const ended = [engine.child, api.child].map((child) => once(child, 'exit'))
      for (const pid of Object.values(pids())) process.kill(pid, 'SIGKILL')
      await Promise.all(ended)
      engine = await startProcess(['engine', '--json'], environment)
      api = await startApi(new URL(base_url).port)
    },
    close: async () => {
      for (const { child } of [api, engine]) {
        const ended = once(child, 'exit')
        if (child.kill('SIGTERM')) await ended
      }
    },
  }
}

export type StartedProcess<Said = { readonly base_url?: string }> = {
  readonly child: ChildProcess
  readonly said: Said
}

/** Starts `tidemark ARGV`. */
export function spawnTidemark(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  log: number | 'inherit' = 'inherit',
): ChildProcess {
  return spawn(process.execPath, [BIN, ...argv], { env, stdio: ['pipe', 'pipe', log] })
}

/** Starts `tidemark ARGV`; resolves once it has printed its first line. `log`: open file that receives its standard error. */
export async function startProcess<Said>(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  log: number | 'inherit' = 'inherit',
): Promise<StartedProcess<Said>> {
  const child = spawnTidemark(argv, env, log)
  const lines = createInterface({ input: child.stdout! })
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(() => null),
  ])
  invariant(first !== null, `tidemark ${argv[0]} starts`)
  return { child, said: JSON.parse(first) as Said }
}

function postmaster(home: string): number {
  return Number.parseInt(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}
