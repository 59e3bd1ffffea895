import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../service/configuration.ts'
import { connectionSecurity } from '../../service/temporal/connection-security.ts'
import { connectTemporal } from '../../workflows/client/connect.ts'
import { awaitServing, isServing } from '../../workflows/server/await-serving.ts'
import type { ServerAddress } from '../../workflows/server/server-file.ts'
import { TASK_QUEUES } from '../../workflows/task-queues.ts'
import { runWorker } from '../../workflows/worker/run-worker.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { CACHE } from './support/cache.ts'
import { fakePorts, TICK } from './support/fake-ports.ts'
import { testServer } from './support/temporal.ts'

/** A CA of nobody's, a certificate for temporal.test and one for a client, good until 2126 (openssl, prime256v1). */
const FILES = fileURLToPath(new URL('./support/tls/', import.meta.url))
const file = (name: string) => join(FILES, name)
const SAID = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem'),
  TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
  TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file('client-key.pem'),
}
const security = (environment: Record<string, string>) => connectionSecurity(readSettings({}, environment))

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
let proxy: Server

/** TLS in front of the server, as a remote one has it: it shows a certificate and wants one. */
beforeAll(async () => {
  const [host, port] = temporal.server().address.split(':') as [string, string]
  proxy = createServer(
    {
      key: readFileSync(file('server-key.pem')),
      cert: readFileSync(file('server.pem')),
      ca: readFileSync(file('ca.pem')),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      const plain = connect(Number(port), host)
      for (const end of [socket, plain]) end.on('error', () => undefined)
      socket.pipe(plain).pipe(socket)
    },
  )
  proxy.on('tlsClientError', () => undefined) // told to the client
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
}, 900_000)

afterAll(() => void proxy.close())

const through = (environment: Record<string, string>): ServerAddress => {
  const found = security(environment)
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { address, ui_url: null, namespace: 'default', ...(found !== null && { security: found }) }
}

describe('a server behind TLS', () => {
  test('a client and a worker reach it with a certificate of their own', async () => {
    const server = through(SAID)
    await awaitServing(server, 60_000, new AbortController().signal)
    const stop = new AbortController()
    const connected = await connectTemporal(server)
    const ports = fakePorts({ root: folder }, folder)
    let work: Promise<void> = Promise.resolve()
    await new Promise<void>((on_ready, refused) => {
      work = runWorker({ server, cache: CACHE, queues: ['live'], ports, signal: stop.signal, on_ready })
      work.catch(refused)
    })
    const start = { workflowId: 'tls', taskQueue: TASK_QUEUES.live, args: [{ tick_at: TICK.at }] }
    expect(await connected.client.workflow.execute('publishTick', start)).toEqual(TICK)
    stop.abort()
    await work
    await connected.close()
  }, 120_000)

  const { TEMPORAL_TLS_CLIENT_CERT_PATH: _cert, TEMPORAL_TLS_CLIENT_KEY_PATH: _key, ...without_client } = SAID
  const { TEMPORAL_TLS_SERVER_NAME: _name, ...without_name } = SAID
  const { TEMPORAL_TLS_SERVER_CA_CERT_PATH: _ca, ...without_ca } = SAID
  // Each waits for its deadline.
  test.concurrent.each([
    ['in the clear', {}],
    ['without a certificate of the client', without_client],
    ['for another name than the address', without_name],
    ['signed by somebody whom this machine does not trust', without_ca],
  ])(
    'is not reached %s',
    async (_how, environment) => {
      expect(await isServing(through(environment))).toBe(false)
      await expect(connectTemporal(through(environment))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    },
    60_000,
  )

  test('a file that is not there is named', async () => {
    const gone = through({ ...SAID, TEMPORAL_TLS_CLIENT_KEY_PATH: file('gone.pem') })
    await expect(connectTemporal(gone)).rejects.toThrow(/gone\.pem, which cannot be read; allowed: a PEM file/)
  })
})

describe('settings', () => {
  test('nothing said is nothing; a key alone is TLS, and it is never shown', () => {
    expect(security({})).toBeNull()
    expect(security({ TEMPORAL_TLS: 'true' })).toEqual({
      server_ca_path: null,
      server_name: null,
      client: null,
      api_key: null,
    })
    expect(security({ TEMPORAL_API_KEY: 'key' })).toMatchObject({ api_key: 'key' })
    expect(security({ ...SAID, TEMPORAL_TLS: 'false' })).toBeNull()
  })

  test.each([
    [{ TEMPORAL_TLS: 'yes' }, 'TEMPORAL_TLS is "yes"; allowed: 1, 0, true or false'],
    [{ TEMPORAL_TLS: '0', TEMPORAL_API_KEY: 'key' }, 'TEMPORAL_TLS is "0"; allowed: 1 or none'],
    [{ TEMPORAL_TLS_CLIENT_CERT_PATH: 'a' }, 'TEMPORAL_TLS_CLIENT_KEY_PATH is ""; allowed: the key'],
    [{ TEMPORAL_TLS_CLIENT_KEY_PATH: 'a' }, 'TEMPORAL_TLS_CLIENT_CERT_PATH is ""; allowed: the certificate'],
  ])('%j is refused', (environment, sentence) => {
    expect(() => security(environment)).toThrow(sentence)
  })
})
