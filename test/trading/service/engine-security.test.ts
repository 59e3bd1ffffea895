import { chmodSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectSecurely, createServer as createSecureServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../../service/configuration.ts'
import { engineSecurity } from '../../../service/trading/engine-security.ts'
import {
  type CertificateFiles,
  makeAuthority,
  makeCertificate,
  readCertificate,
  type Signed,
} from '../../../tools/topology/make-certificates.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { listenForSubmissions, type SubmissionServer } from '../../../trading/service/engine-server.ts'
import type { LinkSecurity } from '../../../trading/service/link-security.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const TOKEN = 'token-of-this-test'
const EXPIRED = '20200102000000Z'
const folder = tempFolder()

const LEADING: EngineClient = {
  submit: async () => ({ status: 200, error: null, location: null, replayed: false, data: null }),
  status: () => ({
    phase: 'leading',
    epoch: 1,
    engine_sequence: 0,
    queued: 0,
    poisoned_submissions: 0,
    queue_refused: 0,
  }),
  close: async () => undefined,
}

let files: Record<'ours' | 'theirs' | 'engine' | 'caller', CertificateFiles>
let ours: LinkSecurity
const open: SubmissionServer[] = []

beforeAll(async () => {
  const [authority, theirs] = await Promise.all([makeAuthority(folder, 'ours'), makeAuthority(folder, 'theirs')])
  const made = (name: string, names: string[]) => makeCertificate(folder, name, authority, { names })
  const [engine, caller] = await Promise.all([made('engine', ['IP:127.0.0.1']), made('caller', ['DNS:api-1'])])
  files = { ours: authority, theirs, engine, caller }
  ours = await readCertificate(authority, engine)
})
afterAll(async () => {
  await Promise.all(open.map((server) => server.close()))
})

/** Certificate with the authority that its holder trusts: ours. */
async function certified(name: string, signer: CertificateFiles, signed: Signed): Promise<LinkSecurity> {
  return readCertificate(files.ours, await makeCertificate(folder, name, signer, signed))
}

async function listenAt(security: LinkSecurity | null, refused: string[] = []): Promise<SubmissionServer> {
  const onRefused = (message: string) => void refused.push(message.replace(/^.+refused: /, ''))
  const server = await listenForSubmissions({ address: '127.0.0.1:0', security, onRefused }, TOKEN, LEADING)
  open.push(server)
  return server
}

/** Waits for the end of a connection, whose error is that of the other end. */
const closeOf = (socket: Socket) => new Promise((resolve) => void socket.on('close', resolve))

/** Error or answer of a submission to an engine at an address. */
async function submitTo(address: string, security: LinkSecurity | null): Promise<string> {
  const lease = { epoch: 1, holder: 'x', address, token: TOKEN, backend_pid: 1, is_free: false }
  const pool = { query: async () => ({ rows: [lease] }) } as unknown as Pool
  const client = connectEngine({ pool, security, leader_ms: 0 })
  try {
    return String((await client.submit({ kind: 'stamp', at: 1 })).status)
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.close()
  }
}

test('both ends with certificates of one authority reach each other', async () => {
  const { address } = await listenAt(ours)
  expect(await submitTo(address, await readCertificate(files.ours, files.caller))).toBe('200')
})

describe('a caller refuses an engine', () => {
  const caller = () => readCertificate(files.ours, files.caller)
  const IP = ['IP:127.0.0.1']

  test.each([
    ['of another authority', 'theirs', { names: IP }, 'certificate is not of our authority'],
    ['that expired', 'ours', { names: IP, not_after: EXPIRED }, 'certificate has expired'],
    ['for callers only', 'ours', { names: IP, uses: 'clientAuth' }, 'certificate is not for this use'],
  ] as const)('with a certificate %s', async (kind, signer, signed, reason) => {
    const security = await certified(`server ${kind}`.replaceAll(' ', '-'), files[signer], signed)
    const { address } = await listenAt(security)
    expect(await submitTo(address, await caller())).toContain(reason)
  })

  test('with a certificate of another host, and says no token to it', async () => {
    let heard = 0
    const server = createSecureServer(ours, (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', ({ length }) => {
        heard += length
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await submitTo(`localhost:${port}`, await caller())).toContain('certificate is of another host')
    await new Promise((resolve) => void server.close(resolve))
    expect(heard).toBe(0)
  })

  test('without TLS', async () => {
    const { address } = await listenAt(null)
    expect(await submitTo(address, await caller())).toContain('before TLS began: its link has none')
  })
})

describe('an engine refuses a caller, and its log says why', () => {
  test.each([
    ['of another authority', 'theirs', { names: ['DNS:api-1'] }, 'its certificate is not of our authority'],
    ['that expired', 'ours', { names: ['DNS:api-1'], not_after: EXPIRED }, 'its certificate has expired'],
    ['for engines only', 'ours', { names: ['DNS:api-1'], uses: 'serverAuth' }, 'its certificate is not for this use'],
  ] as const)('with a certificate %s', async (kind, signer, signed, reason) => {
    const refused: string[] = []
    const { address } = await listenAt(ours, refused)
    const security = await certified(`client ${kind}`.replaceAll(' ', '-'), files[signer], signed)
    expect(await submitTo(address, security)).toContain("it refuses this process's certificate or token")
    await expect.poll(() => refused).toEqual([expect.stringContaining(reason)])
  })

  test('without a certificate', async () => {
    const refused: string[] = []
    const { address } = await listenAt(ours, refused)
    const socket = connectSecurely({ host: '127.0.0.1', port: Number(address.split(':')[1]), ca: ours.ca })
    socket.on('error', () => undefined)
    await closeOf(socket)
    expect(refused).toEqual(['its certificate is missing'])
  })

  test('that sends in the clear, and is told what it needs', async () => {
    const refused: string[] = []
    const { address } = await listenAt(ours, refused)
    expect(await submitTo(address, null)).toContain('where its link has TLS, this process needs')
    expect(refused).toEqual(['its end of the link does not speak TLS'])
  })

  test('with a certificate and another token', async () => {
    const { address } = await listenAt(ours)
    const [host, port] = address.split(':') as [string, string]
    const socket = connectSecurely({ host, port: Number(port), ...ours })
    const hello = JSON.stringify({ kind: 'hello', token: 'another' })
    const length = Buffer.alloc(4)
    length.writeUInt32BE(hello.length)
    socket.on('error', () => undefined)
    let heard = 0
    socket.on('data', ({ length: bytes }) => {
      heard += bytes
    })
    socket.write(Buffer.concat([length, Buffer.from(hello)]))
    await closeOf(socket)
    expect(heard).toBe(0)
  })
})

describe('an engine does not start', () => {
  const start = (security: LinkSecurity, advertised_address: string | null) =>
    listenForSubmissions({ address: '127.0.0.1:0', advertised_address, security }, TOKEN, LEADING)

  test('with a certificate that is not of its advertised host', async () => {
    await expect(start(ours, 'engine.internal:7300')).rejects.toThrow(
      'TIDEMARK_ENGINE_TLS_CERT_FILE is of IP Address:127.0.0.1; needed: the advertised host engine.internal',
    )
  })

  test('with the key of another certificate, or no PEM', async () => {
    const { key } = await readCertificate(files.ours, files.caller)
    await expect(start({ ...ours, key }, null)).rejects.toThrow('holds no certificate with its key')
    await expect(start({ ...ours, cert: 'x' }, null)).rejects.toThrow('holds no certificate with its key')
  })

  test('and announces the advertised address when it does', async () => {
    const server = await listenForSubmissions(
      {
        address: '0.0.0.0:0',
        advertised_address: 'localhost:7300',
        security: await certified('named', files.ours, { names: ['DNS:localhost'] }),
      },
      TOKEN,
      LEADING,
    )
    open.push(server)
    expect(server.address).toBe('localhost:7300')
  })
})

describe('the settings of TLS', () => {
  const settings = (changed: Record<string, string> = {}) =>
    readSettings(
      {},
      {
        TIDEMARK_ENGINE_TLS_CERT_FILE: files.engine.cert,
        TIDEMARK_ENGINE_TLS_KEY_FILE: files.engine.key,
        TIDEMARK_ENGINE_TLS_CA_FILE: files.ours.cert,
        ...changed,
      },
    )

  test('are all three, or none', () => {
    expect(engineSecurity(settings())).toEqual(ours)
    expect(engineSecurity(readSettings({}, {}))).toBeNull()
    for (const name of ['CERT', 'KEY', 'CA'].map((part) => `TIDEMARK_ENGINE_TLS_${part}_FILE`))
      expect(() => engineSecurity(settings({ [name]: '' }))).toThrow(`${name} is none; needed beside the other two`)
  })

  test('name files that can be read, and a key that only its owner reads', () => {
    const missing = join(folder, 'nowhere.pem')
    expect(() => engineSecurity(settings({ TIDEMARK_ENGINE_TLS_CA_FILE: missing }))).toThrow(
      `TIDEMARK_ENGINE_TLS_CA_FILE is ${missing}, which cannot be read`,
    )
    const shared = join(folder, 'shared.key')
    writeFileSync(shared, ours.key)
    chmodSync(shared, 0o640)
    expect(() => engineSecurity(settings({ TIDEMARK_ENGINE_TLS_KEY_FILE: shared }))).toThrow('whose mode is 0640')
  })
})

test('the token never passes in the clear: what a listener on the wire sees has neither it nor the order', async () => {
  const { address } = await listenAt(ours)
  const seen: Buffer[] = []
  const wire = createServer((socket) => {
    const on = connect(Number(address.split(':')[1]), '127.0.0.1')
    for (const end of [socket, on]) {
      end.on('error', () => undefined)
      end.on('data', (chunk) => seen.push(chunk))
    }
    socket.pipe(on).pipe(socket)
  })
  await new Promise<void>((resolve) => void wire.listen(0, '127.0.0.1', resolve))
  const { port } = wire.address() as { port: number }
  expect(await submitTo(`127.0.0.1:${port}`, ours)).toBe('200')
  wire.close()
  const said = Buffer.concat(seen).toString('latin1')
  expect(said.length).toBeGreaterThan(1_000)
  for (const word of [TOKEN, 'hello', 'submit']) expect(said).not.toContain(word)
})
