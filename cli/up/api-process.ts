import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createBackoff } from '../../operations/live/backoff.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import { ERROR_CODES, type ErrorCode, ServiceError } from '../../primitives/errors.ts'
import type { Environment } from '../config.ts'

export type ApiProcessOptions = {
  readonly warehouse: string
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly environment: Environment
  readonly on_problem: (error: unknown) => void
  /** A line that it wrote to its standard error. */
  readonly on_note: (line: string) => void
}

export type ApiProcess = {
  readonly base_url: string
  readonly stream_url: string
  /** Ends it within a few seconds. */
  close(): Promise<void>
}

const BIN = fileURLToPath(new URL('../tidemark.mjs', import.meta.url))
/** It tells its streams, and what was asked is answered; then it is ended. */
const CLOSE_MS = 7_000

type Started = { readonly child: ChildProcess; readonly base_url: string; readonly stream_url: string }

/**
 * `tidemark api` as a process of its own, so that publication never delays an answer. One that ends is started again at the
 * same port. It ends with this process, however that ends: its standard input does.
 * @throws {ServiceError} what it said when it did not start
 */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const closing = new AbortController()
  let running = await start(options)
  const { base_url, stream_url } = running
  const port = Number(new URL(base_url).port)
  const watched = watch()
  return {
    base_url,
    stream_url,
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
      options.on_problem(new ServiceError('SERVICE_UNAVAILABLE', 'the API process ended; it is started again'))
      while (!closing.signal.aborted) {
        await waitFor(backoff.next(), closing.signal)
        if (closing.signal.aborted) return
        try {
          running = await start({ ...options, port })
          break
        } catch (error) {
          options.on_problem(error)
        }
      }
      if (closing.signal.aborted) await end(running.child)
    }
  }
}

/** The first line that it prints says where it serves, or why it does not. */
async function start({ warehouse, host, port, environment, on_note }: ApiProcessOptions): Promise<Started> {
  const argv = ['api', '--attached', '--json', '--warehouse', warehouse, '--host', host, '--port', String(port)]
  // A group of its own: Ctrl-C in a terminal reaches this process, which ends it.
  const child = spawn(process.execPath, [BIN, ...argv], {
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
  const said = first === null ? null : (JSON.parse(first) as Said)
  if (said === null || 'error' in said) {
    await end(child)
    throw failureOf(said)
  }
  notes.on('line', on_note)
  return { child, ...said }
}

type Said =
  | { readonly base_url: string; readonly stream_url: string }
  | { readonly error: { readonly code: string; readonly message: string } }

function failureOf(said: Said | null): ServiceError {
  if (said === null || !('error' in said)) {
    return new ServiceError('SERVICE_UNAVAILABLE', 'the API process ended before it served')
  }
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
