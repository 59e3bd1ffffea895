import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { waitFor } from '../../operations/live/wait-for.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import { ERROR_CODES, type ErrorCode, ServiceError } from '../../primitives/errors.ts'
import type { Environment } from '../configuration.ts'

export type ProcessOptions<Said> = {
  /** Of what it is told that it ended, such as `API`. */
  readonly name: string
  /** Arguments of `tidemark`; `said`: what the one before it said, null for the first. */
  readonly argv: (said: Said | null) => readonly string[]
  readonly environment: Environment
  readonly on_problem: (error: unknown) => void
  /** A line that it wrote to its standard error. */
  readonly on_note: (line: string) => void
}

/** A `tidemark` process beside this one. */
export type SupervisedProcess<Said> = {
  /** What it said when it was ready: the first line of its standard output, as JSON. */
  readonly said: Said
  /** Ends it within a few seconds. */
  close(): Promise<void>
}

const BIN = fileURLToPath(new URL('../../cli/tidemark.mjs', import.meta.url))
/** What is under way is told and stored, and then it is ended. */
const CLOSE_MS = 7_000

type Running<Said> = { readonly child: ChildProcess; readonly said: Said }

/**
 * A `tidemark` command as a process of its own. One that ends is started again. It ends with this process, however that ends:
 * its standard input does.
 * @throws {ServiceError} what it said when it did not start
 */
export async function superviseProcess<Said extends object>(
  options: ProcessOptions<Said>,
): Promise<SupervisedProcess<Said>> {
  const { name, on_problem } = options
  const closing = new AbortController()
  let running = await start(options, null)
  const { said } = running
  const watched = watch()
  return {
    said,
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
      if (closing.signal.aborted) return
      on_problem(new ServiceError('SERVICE_UNAVAILABLE', `the ${name} process ended; it is started again`))
      while (!closing.signal.aborted) {
        await waitFor(backoff.next(), closing.signal)
        if (closing.signal.aborted) return
        try {
          running = await start(options, said)
          break
        } catch (error) {
          on_problem(error)
        }
      }
      if (closing.signal.aborted) await end(running.child)
    }
  }
}

/** The first line that it prints says what it is, or why it is not. */
async function start<Said extends object>(
  { name, argv, environment, on_note }: ProcessOptions<Said>,
  before: Said | null,
): Promise<Running<Said>> {
  // A group of its own: Ctrl-C in a terminal reaches this process, which ends it.
  const child = spawn(process.execPath, [BIN, ...argv(before)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...environment },
    detached: true,
  })
  child.stdin.on('error', () => undefined) // it has ended
  const notes = createInterface({ input: child.stderr })
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'close').then(
      () => null,
      () => null,
    ),
  ])
  const said = first === null ? null : (JSON.parse(first) as Said | Refused)
  if (said === null || 'error' in said) {
    await end(child)
    throw failureOf(said, name)
  }
  notes.on('line', on_note)
  return { child, said }
}

type Refused = { readonly error: { readonly code: string; readonly message: string } }

function failureOf(said: Refused | null, name: string): ServiceError {
  if (said === null) return new ServiceError('SERVICE_UNAVAILABLE', `the ${name} process ended before it was ready`)
  const { code, message } = said.error
  return new ServiceError(code in ERROR_CODES ? (code as ErrorCode) : 'SERVICE_UNAVAILABLE', message)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Asks it to end, and ends it when it does not. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
  child.kill('SIGTERM')
  await ended(child)
  clearTimeout(timer)
}
