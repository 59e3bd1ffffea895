import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { afterAll, beforeAll } from 'vitest'
import type { WorkerPorts } from '../../../workflows/activities/worker-ports.ts'
import { connectTemporal, type TemporalClient } from '../../../workflows/client/connect.ts'
import { ensureServerBinary } from '../../../workflows/server/ensure-binary.ts'
import { type DevServer, startDevServer } from '../../../workflows/server/start-dev-server.ts'
import { runWorker, type WorkerOptions } from '../../../workflows/worker/run-worker.ts'
import { CACHE } from './cache.ts'

/** The `temporal` program; where there is none it is made, which takes minutes once. */
export async function temporalBinary(): Promise<string> {
  const { path } = await ensureServerBinary({
    cli_path: process.env.TEMPORAL_CLI_PATH || null,
    path: process.env.PATH ?? '',
    cache: CACHE,
    on_step: (step) => process.stderr.write(`${step}\n`),
  })
  return path
}

export type TestServer = {
  readonly server: () => DevServer
  readonly client: () => Client
  /** Ends the server with SIGKILL; it is started again by whoever keeps it. */
  kill(): void
  /** Stops the server without ending it: it answers nothing until it is thawed. */
  freeze(): void
  thaw(): void
}

const START_MS = 900_000

/** A Temporal server for the tests of one file, with a database in their folder. */
export function testServer(folder: string): TestServer {
  let server: DevServer
  let connected: TemporalClient
  beforeAll(async () => {
    const on_problem = (error: unknown) => process.stderr.write(`temporal: ${error}\n`)
    server = await startDevServer({ binary: await temporalBinary(), folder, namespace: 'default', on_problem })
    connected = await connectTemporal(server)
  }, START_MS)
  afterAll(async () => {
    await connected?.close()
    await server?.close()
  })
  const send = (signal: NodeJS.Signals) =>
    void process.kill(Number(readFileSync(join(folder, 'server.pid'), 'utf8')), signal)
  return {
    server: () => server,
    client: () => connected.client,
    kill: () => send('SIGKILL'),
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
  }
}

export type TestWorker = {
  /** Ends it as a signal would. */
  stop(): Promise<void>
}

/** A worker in this process, once it works. */
export async function startWorker(
  { server }: Pick<TestServer, 'server'>,
  ports: WorkerPorts,
  options: Partial<Pick<WorkerOptions, 'queues' | 'venues' | 'build_id' | 'interceptors'>> = {},
): Promise<TestWorker> {
  const stop = new AbortController()
  const { queues = ['live', 'bulk', 'settlement'], ...more } = options
  let run: Promise<void> = Promise.resolve()
  await new Promise<void>((ready, refused) => {
    run = runWorker({ server: server(), cache: CACHE, queues, ports, signal: stop.signal, on_ready: ready, ...more })
    run.catch(refused)
  })
  return {
    stop: async () => {
      stop.abort()
      await run
    },
  }
}

/** What is looked at may be a query of a warehouse: more often would keep a core busy. */
const LOOK_MS = 250

/** Waits for something that a server or a worker does; what takes long need not be looked at often. */
export async function eventually<T>(look: () => Promise<T | null>, wait_ms = 110_000, look_ms = LOOK_MS): Promise<T> {
  const end = Date.now() + wait_ms
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > end) throw new RangeError(`still waiting after ${wait_ms} ms`)
    await sleep(look_ms)
  }
}
