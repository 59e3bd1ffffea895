import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { waitFor } from '../../operations/live/wait-for.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Environment } from '../configuration.ts'
import type { ProcessBoard } from './process-board.ts'

export type ProcessOptions<Ready> = {
  /** Name of the process in messages, such as `API`. */
  readonly name: string
  /** Arguments of `tidemark`; `ready`: output of the previous process, null for the first. */
  readonly argv: (ready: Ready | null) => readonly string[]
  readonly environment: Environment
  readonly board: ProcessBoard
  readonly on_problem: (error: unknown) => void
  /** Receives each line of its standard error. */
  readonly on_note: (line: string) => void
}

/** Supervised `tidemark` process. */
export type SupervisedProcess<Ready> = {
  /** First line of its standard output, parsed as JSON: printed when it was ready. */
  readonly ready: Ready
  /** Stops it within a few seconds. */
  close(): Promise<void>
}

const BIN = fileURLToPath(new URL('../../cli/tidemark.mjs', import.meta.url))
/** Time to complete work in progress before the process is killed. */
const CLOSE_MS = 7_000
/** A process that is not ready by then says why: its notes are passed on as they come. */
const EARLY_MS = 5_000

type Running<Ready> = { readonly child: ChildProcess; readonly ready: Ready }

/**
 * Starts a `tidemark` command as a separate process and restarts it if it exits. It exits with this process, even when that is killed,
 * because its standard input ends.
 * @throws {ServiceError} its error if it does not start
 */
export async function superviseProcess<Ready extends object>(
  options: ProcessOptions<Ready>,
): Promise<SupervisedProcess<Ready>> {
  const { name, on_problem, board } = options
  const closing = new AbortController()
  let running = await start(options, null)
  const { ready } = running
  const watched = watch()
  return {
    ready,
    close: async () => {
      closing.abort()
      await end(running.child)
      await watched
    },
  }

  async function watch(): Promise<void> {
    const backoff = createBackoff()
    while (!closing.signal.aborted) {
      await ended(running.child)
      board.ended(name.toLowerCase())
      if (closing.signal.aborted) return
      on_problem(
        new ServiceError('SERVICE_UNAVAILABLE', `the ${name} process stopped (${endOf(running.child)}); restarting it`),
      )
      while (!closing.signal.aborted) {
        await waitFor(backoff.next(), closing.signal)
        if (closing.signal.aborted) return
        try {
          running = await start(options, ready)
          break
        } catch (error) {
          on_problem(error)
        }
      }
      if (closing.signal.aborted) await end(running.child)
    }
  }
}

/**
 * Starts the process and waits for its first line: ready or an error. What it logs before that is passed on once it is ready, or is not
 * for a while.
 */
async function start<Ready extends object>(
  { name, argv, environment, on_note, board }: ProcessOptions<Ready>,
  before: Ready | null,
): Promise<Running<Ready>> {
  // A process group of its own: Ctrl-C in a terminal reaches only this process, which stops it.
  const child = spawn(process.execPath, [BIN, ...argv(before)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...environment },
    detached: true,
  })
  child.stdin.on('error', () => undefined) // the process exited
  const notes = createInterface({ input: child.stderr })
  const early: string[] = []
  const keep = (line: string) => void early.push(line)
  notes.on('line', keep)
  const passOn = () => {
    clearTimeout(waited)
    notes.off('line', keep)
    for (const line of early.splice(0)) on_note(line)
    if (!notes.listeners('line').includes(on_note)) notes.on('line', on_note)
  }
  const waited = setTimeout(passOn, EARLY_MS)
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'close').then(
      () => null,
      () => null,
    ),
  ])
  const ready = first === null ? null : (JSON.parse(first) as Ready | Refused)
  if (ready === null || 'error' in ready) {
    clearTimeout(waited)
    await end(child)
    throw failureOf(ready, name)
  }
  passOn()
  board.started(name.toLowerCase(), 'metrics_url' in ready ? String(ready.metrics_url) : null)
  return { child, ready }
}

type Refused = { readonly error: { readonly code: string; readonly message: string } }

function failureOf(ready: Refused | null, name: string): ServiceError {
  if (ready === null) return new ServiceError('SERVICE_UNAVAILABLE', `the ${name} process stopped before it was ready`)
  const { code, message } = ready.error
  return new ServiceError(code in ERROR_CODES ? (code as ErrorCode) : 'SERVICE_UNAVAILABLE', message)
}

/** Returns how a process ended: its signal, or its exit code. */
function endOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${exitCode}`
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Sends SIGTERM, then SIGKILL if the process does not exit. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
  child.kill('SIGTERM')
  await ended(child)
  clearTimeout(timer)
}
