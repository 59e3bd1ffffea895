import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPauses } from '../../operations/pause/pauses.ts'
import { readSettings } from '../../service/configuration.ts'
import { reportRetry } from '../../service/exit-codes.ts'
import { createOutput } from '../../service/output.ts'
import { onServer } from '../../service/temporal/on-server.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { keepSchedules } from '../../workflows/client/keep-schedules.ts'
import { listSchedules } from '../../workflows/client/schedules.ts'
import { watchServing } from '../../workflows/server/await-serving.ts'
import { runWorker } from '../../workflows/worker/run-worker.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { CACHE } from './support/cache.ts'
import { fakePorts } from './support/fake-ports.ts'
import { eventually, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))

/** A way to the server that can be closed: then nobody listens at its address. */
class Way {
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #port = 0

  async open(): Promise<number> {
    const to = Number(temporal.server().address.split(':')[1])
    this.#server = createServer((near) => {
      const far = connect(to, '127.0.0.1')
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one)
        one.on('error', () => other.destroy()).on('close', () => other.destroy())
        one.pipe(other)
      }
    }).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
    return this.#port
  }

  get port(): number {
    return this.#port
  }

  close(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }
}

const way = new Way()
const stop = new AbortController()
let lines: string[]
let ended: Promise<unknown>
/** Calls that noticed the outage. */
let noticed = 0

beforeAll(async () => {
  const stderr = new PassThrough()
  let text = ''
  stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    lines = text.trimEnd().split('\n')
  })
  lines = []
  const output = createOutput({ stdout: new PassThrough(), stderr }, false)
  const on_problem = (error: unknown) => {
    noticed += 1
    reportRetry(output, 'worker', error)
  }
  const server = { ...temporal.server(), address: `127.0.0.1:${await way.open()}` }
  const warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const pauses = openPauses(warehouse)
  const kept = keepSchedules({
    ...{ server, warehouse, pauses, table: [], owner: 'ours', signal: stop.signal, on_problem },
    every_ms: 500,
  })
  const of = { server, cache: CACHE, ports: fakePorts(warehouse, folder, { pauses }), on_problem, signal: stop.signal }
  const worked = new Promise<void>((on_ready, refused) => {
    const on_note = (text: string) => output.problem(text)
    ended = runWorker({ ...of, queues: ['live', 'bulk'], on_note, on_ready }).then(() => kept)
    ended.catch(refused)
  })
  await worked
}, 120_000)

afterAll(async () => {
  stop.abort()
  await ended
  way.close()
})

test('an outage of the server is one line, whoever notices it and however often: a sentence that says what to do', async () => {
  const before = lines.length
  way.close()
  await eventually(async () => (noticed >= 12 ? true : null))
  await way.open()
  expect(lines.slice(before)).toEqual([
    expect.stringMatching(
      /^warn: Temporal does not answer at 127\.0\.0\.1:\d+; allowed: a running server \(.*\); without TEMPORAL_ADDRESS, .* starts one; retrying \(SERVICE_UNAVAILABLE\)$/,
    ),
  ])
}, 120_000)

const settings = () => readSettings({ home: join(folder, 'home') }, { TEMPORAL_ADDRESS: `127.0.0.1:${way.port}` })

test('a command whose Temporal server goes away names the server and says what is allowed', async () => {
  const lost = onServer(settings(), stop.signal, async ({ client }) => {
    way.close()
    await listSchedules(client)
  })
  await expect(lost).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/^Temporal does not answer at 127\.0\.0\.1:\d+; allowed: a running server/),
  })
  await way.open()
}, 60_000)

test('a worker is not ready while its server does not answer', async () => {
  const over = new AbortController()
  const answers = watchServing({ ...temporal.server(), address: `127.0.0.1:${way.port}` }, over.signal, 50)
  expect(answers()).toBe(true)
  way.close()
  await eventually(async () => (answers() ? null : true))
  await way.open()
  await eventually(async () => (answers() ? true : null))
  over.abort()
}, 60_000)
