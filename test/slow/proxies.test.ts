import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { requestKey } from '../../client/trading/credentials.ts'
import { readOf } from '../../tools/reliability/wire-request.ts'
import { type Service, startService, until } from '../support/service-process.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const STARTS_MS = 30_000
/** Debian installs nginx where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
/** Addresses of clients. The proxies reach the service from 127.0.0.1, the only one that it trusts. */
const [CLIENT, OTHER, FORGED] = ['127.0.0.2', '127.0.0.3', '192.0.2.9'] as const

const folder = tempFolder()
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
let service: Service | null = null

beforeAll(async () => {
  if (INSTALLED.length === 0) return
  const subject = ['-subj', '/CN=api.example', '-addext', 'subjectAltName=DNS:api.example']
  const files = ['-keyout', key, '-out', cert]
  const argv = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files]
  execFileSync('openssl', argv, { stdio: 'ignore' })
  process.env.TIDEMARK_TRUSTED_PROXIES = '127.0.0.1'
  const started = await startService(join(folder, 'home'), ['--sandbox-accounts', '1', '--no-temporal'])
  service = started
  const isReading = async () => (await fetch(`${started.ready.base_url}/v1/markets?limit=1`)).status === 200
  await until(isReading, STARTS_MS, started.notes)
})
afterAll(async () => {
  delete process.env.TIDEMARK_TRUSTED_PROXIES
  await service?.stop('SIGTERM')
})

/** A proxy program, and how it is started with its example file as it listens on a port before the service. */
type Proxy = { readonly program: string; readonly file: string; readonly start: (port: number) => ChildProcess }

/** The example file with other places in it; each must be there once. */
function exampleOf(name: string, places: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(ROOT, 'deploy/proxy', name), 'utf8')
  for (const [place, other] of Object.entries(places)) {
    expect([place, text.split(place).length - 1]).toEqual([place, 1])
    text = text.replace(place, other)
  }
  return text
}

const upstream = () => new URL(service!.ready.base_url).host

const PROXIES: readonly Proxy[] = [
  {
    program: 'nginx',
    file: 'nginx.conf',
    start(port) {
      return startNginx('nginx.conf', port, {
        'listen 80;': `listen unix:${folder}/plain.sock;`,
        '127.0.0.1:8080': upstream(),
        '/etc/ssl/api.example.pem': cert,
        '/etc/ssl/api.example.key': key,
      })
    },
  },
  {
    program: 'nginx',
    file: 'nginx-replicas.conf',
    start(port) {
      return startNginx('nginx-replicas.conf', port, {
        'api-1:8080': upstream(),
        'api-2:8081': upstream(),
        '/etc/ssl/tidemark/api.example.pem': cert,
        '/etc/ssl/tidemark/api.example.key': key,
      })
    },
  },
  {
    program: 'caddy',
    file: 'Caddyfile',
    start(port) {
      const site = exampleOf('Caddyfile', {
        'api.example {': `https://api.example:${port} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`,
        '127.0.0.1:8080': upstream(),
      })
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
      return run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'])
    },
  },
]

function startNginx(name: string, port: number, places: Readonly<Record<string, string>>): ChildProcess {
  const server = exampleOf(name, { 'listen 443 ssl': `listen 127.0.0.1:${port} ssl`, ...places })
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`).join('\n')
  const http = `http {\naccess_log off;\n${paths}\n${server}\n}`
  const file = join(folder, name)
  writeFileSync(file, `daemon off;\npid ${folder}/nginx.pid;\nevents {}\n${http}\n`)
  return run('nginx', ['-e', 'stderr', '-p', folder, '-c', file])
}

function run(program: string, argv: readonly string[]): ChildProcess {
  const env = { ...process.env, PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return spawn(program, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

const isInstalled = ({ program }: Proxy) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH } }).status === 0
const INSTALLED = PROXIES.filter(isInstalled)

test('programs that are not installed are left out by name', () => {
  const left_out = PROXIES.filter((proxy) => !INSTALLED.includes(proxy)).map(({ program }) => program)
  if (left_out.length > 0) console.warn(`deploy/proxy is not tried with ${left_out.join(' and ')}: not installed`)
  expect(INSTALLED.length + left_out.length).toBe(PROXIES.length)
})

describe.each(INSTALLED)('$program with $file', (proxy) => {
  let child: ChildProcess
  let port: number
  const agent = (localAddress: string) => new Agent({ ca: readFileSync(cert), servername: 'api.example', localAddress })

  type Answer = { readonly status: number; readonly text: string }
  const get = (target: string, from: string = CLIENT, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const options = { agent: agent(from), headers: { Host: 'api.example', ...headers } }
      const asked = request(`https://127.0.0.1:${port}${target}`, options, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => resolve({ status: response.statusCode!, text }))
      })
      asked.on('error', reject)
      asked.end()
    })
  const signedGet = (path: string, more: Record<string, string> = {}) => {
    const account = requestKey({ ...service!.ready.sandbox_accounts[0]!, environment: service!.ready.environment })
    const { target, headers } = readOf(account, path)
    return get(target, CLIENT, { ...(headers as Record<string, string>), ...more })
  }

  beforeAll(async () => {
    port = await freePort()
    child = proxy.start(port)
    let notes = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      notes += chunk.toString()
    })
    const answers = () =>
      get('/healthz').then(
        () => true,
        () => child.exitCode !== null,
      )
    await until(answers, STARTS_MS, () => notes)
    expect(child.exitCode, notes).toBeNull()
  })
  afterAll(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })

  test('a public read, and one with a query that a signature covers', async () => {
    expect((await get('/v1/markets?limit=1')).status).toBe(200)
    expect(await signedGet('/orders?limit=5&status=open')).toMatchObject({ status: 200 })
  })

  test('an address of the longest length reaches the service', async () => {
    const long = `/v1/markets?x=${'a'.repeat(8_192)}`.slice(0, 8_192)
    expect((await get(long)).text).toContain('VALIDATION_PARAMETER_UNKNOWN')
  })

  test('a key is used from the address of the client, whatever the client says', async () => {
    const forged = { 'X-Forwarded-For': FORGED, Forwarded: `for=${FORGED}` }
    expect(await signedGet('/balances', forged)).toMatchObject({ status: 200 })
    const { key_id } = service!.ready.sandbox_accounts[0]!
    const seen = async () => {
      const { text } = await signedGet(`/account/api-keys/${key_id}/audit-log?limit=100`)
      return (JSON.parse(text) as { data: { action: string; ip: string | null }[] }).data
        .filter(({ action }) => action === 'used')
        .map(({ ip }) => ip)
    }
    await until(async () => (await seen()).length > 0, STARTS_MS)
    expect(new Set(await seen())).toEqual(new Set([CLIENT]))
  })

  test('limits are of the client: who has used them up is refused, another one is not', async () => {
    const statuses: number[] = []
    while (!statuses.includes(429) && statuses.length < 5000)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => get('/v1/markets?limit=1000')))).map((a) => a.status),
      )
    expect(statuses).toContain(429)
    expect((await get('/v1/markets?limit=1', OTHER)).status).toBe(200)
  })

  test('the stream opens, answers and sends', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}/v1/ws`, {
      agent: agent(OTHER),
      headers: { Host: 'api.example' },
    })
    const said: { type: string; id?: string }[] = []
    socket.on('message', (text) => said.push(JSON.parse(String(text)) as (typeof said)[number]))
    await once(socket, 'open')
    socket.send(JSON.stringify({ op: 'subscribe', id: 's', topic: 'index.price' }))
    socket.send(JSON.stringify({ op: 'ping', id: 'p' }))
    await until(() => said.some(({ id }) => id === 'p'), STARTS_MS)
    expect(said.map(({ type }) => type)).toEqual(expect.arrayContaining(['welcome', 'subscribed', 'pong']))
    socket.terminate()
  })

  test.each([
    '/metrics',
    '/metrics/',
    '/internal',
    '/internal/ingest',
    '/internal/../metrics',
    '//metrics',
    '/%6detrics',
  ])('%s is closed', async (path) => {
    const { status, text } = await get(path, OTHER)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toMatch(/tidemark_|# HELP/)
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
