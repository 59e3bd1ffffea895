import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlannedProcess } from './plan-topology.ts'

/** Delay of a process that ended before it is started again, as `restart: unless-stopped` does. */
const AGAIN_MS = 500
const LOOK_MS = 250
const ANSWER_MS = 10_000
/** Longest start of a process. */
const STARTS_MS = 240_000

export type Program = {
  readonly file: string
  readonly argv: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

/** A process of a running topology. */
export type Running = PlannedProcess & {
  /** Sends a signal to the process that runs now, and any but SIGTERM to those that it started, as to a container. */
  signal(name: NodeJS.Signals): void
  /** Process id of the one that runs now; null: it is being started again. */
  pid(): number | null
  /** Waits until its health answers. */
  answers(): Promise<void>
}

/** Runs a program with its output in a log, and starts it again whenever it ends, until `end` is called. */
export function keep(planned: PlannedProcess, { file, argv, environment }: Program, folder: string) {
  let child: ChildProcess | null = null
  let is_ending = false
  const log = openSync(join(folder, `${planned.name}.log`), 'a')
  const run = async () => {
    while (!is_ending) {
      child = spawn(file, argv, { cwd: folder, env: environment, stdio: ['ignore', log, log], detached: true })
      await once(child, 'close')
      child = null
      if (!is_ending) await sleep(AGAIN_MS)
    }
  }
  const ended = run()
  const end = async () => {
    is_ending = true
    signal('SIGCONT')
    signal('SIGTERM')
    await ended
  }
  const signal = (name: NodeJS.Signals) => {
    if (name === 'SIGTERM') child?.kill(name)
    else if (child?.pid !== undefined) signalGroup(child.pid, name)
  }
  const answers = async () => {
    if (planned.health_url !== null) await answerOf(planned.health_url)
  }
  return { ...planned, signal, pid: () => child?.pid ?? null, answers, end }
}

/** Sends a signal to a group of processes, which may have ended. */
function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Asks until the answer is 200. */
export async function answerOf(url: string): Promise<string> {
  const end = performance.now() + STARTS_MS
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null)
    if (answer?.status === 200) return answer.text()
    await answer?.body?.cancel()
    if (performance.now() > end) throw new Error(`${url} did not answer within ${STARTS_MS} ms`)
    await sleep(LOOK_MS)
  }
}
