import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readSettings } from '../../service/configuration.ts'
import { databaseFolder } from '../../service/trading/open-database.ts'
import { startPostgres } from '../../trading/store/start-postgres.ts'
import { startDevServer } from '../../workflows/server/start-dev-server.ts'
import { makeAuthority, makeCertificate } from './make-certificates.ts'
import { imageVariables, type PlannedProcess, planTopology } from './plan-topology.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BIN = join(ROOT, 'cli/tidemark.mjs')
/** Debian installs nginx where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const PROXY_PORT = 8443
/** Delay of a process that ended before it is started again, as `restart: unless-stopped` does. */
const AGAIN_MS = 500
const LOOK_MS = 250
const STARTS_MS = 240_000

export type TopologyOptions = {
  /** Home that its processes share; `tidemark up` has made it. */
  readonly home: string
  /** Folder of its logs, certificates and the state of the witness. */
  readonly folder: string
  readonly number: number
  readonly temporal_binary: string
  readonly environment: string
}

/** A process of a running topology. */
type Running = PlannedProcess & {
  /** Sends a signal to the process that runs now. */
  signal(name: NodeJS.Signals): void
  /** Process id of the one that runs now; null: it is being started again. */
  pid(): number | null
  /** Waits until its health answers. */
  answers(): Promise<void>
}

export type Topology = {
  readonly processes: ReadonlyMap<string, Running>
  /** Address of the proxy, and the certificate that it shows for api.example. */
  readonly proxy_url: string
  readonly proxy_certificate: string
  readonly database_url: string
  stop(): Promise<void>
}

/** Starts everything that deploy/compose.yaml describes as processes of this machine, with its commands and variables. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const { home, folder, number } = options
  const keepers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of keepers.splice(0).reverse()) await end()
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const database = await startPostgres({ folder: databaseFolder(home) })
    keepers.push(() => database.stop())
    const on_problem = (error: unknown) => process.stderr.write(`temporal: ${String(error)}\n`)
    const temporal = await startDevServer({
      binary: options.temporal_binary,
      folder: join(folder, 'temporal'),
      namespace: 'default',
      on_problem,
    })
    keepers.push(() => temporal.close())
    const planned = planTopology(read('deploy/compose.yaml'), {
      number,
      variables: {
        TIDEMARK_ENVIRONMENT: options.environment,
        POSTGRES_PASSWORD: 'unused',
        TIDEMARK_KEY_ENCRYPTION_KEY: sealingKey(home),
        TIDEMARK_CURSOR_SECRET: 'a secret that all replicas of this topology share',
      },
      places: {
        'postgres://tidemark:unused@postgres:5432/tidemark': database.url,
        'temporal:7233': temporal.address,
        '172.30.99.10': '127.0.0.1',
        '/etc/tidemark/engine-tls': folder,
        '/var/lib/tidemark': home,
        '/var/cache/tidemark': join(folder, 'cache'),
        '/run/log.vkey': join(folder, 'log.vkey'),
        '/var/lib/witness': join(folder, 'witness'),
      },
      image: imageVariables(read('deploy/container/Containerfile')),
    })
    const proxy_certificate = await certify(folder, planned)
    const processes = new Map<string, Running>()
    for (const process of planned.filter(({ kind }) => kind === 'tidemark')) {
      if (!process.is_usual) await keyOfLog(planned, folder)
      const running = keep(process, tidemark(process), folder)
      keepers.push(running.end)
      processes.set(process.name, running)
      await running.answers()
    }
    const proxy = planned.find(({ kind }) => kind === 'proxy')!
    keepers.push(keep(proxy, nginx(planned, proxy, folder), folder).end)
    const proxy_url = `https://${proxy.host}:${PROXY_PORT}`
    return { processes, proxy_url, proxy_certificate, database_url: database.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')

function sealingKey(home: string): string {
  return readFileSync(readSettings({ home }, {}).key_encryption_key_file, 'utf8').trim()
}

/** Makes the certificates of the link, where an engine's is of its address, and that of the proxy. */
async function certify(folder: string, planned: readonly PlannedProcess[]): Promise<string> {
  const authority = await makeAuthority(folder, 'authority')
  const engines = planned.filter(({ argv }) => argv[0] === 'engine')
  for (const { name, host } of engines) await makeCertificate(folder, name, authority, { names: [`IP:${host}`] })
  await makeCertificate(folder, 'caller', authority, { names: ['DNS:caller'] })
  await makeCertificate(folder, 'api.example', authority, { names: ['DNS:api.example'] })
  return authority.cert
}

/** Keeps the key of the log for the witness, as its operator does: taken from an API once. */
async function keyOfLog(planned: readonly PlannedProcess[], folder: string): Promise<void> {
  const { health_url } = planned.find(({ argv }) => argv[0] === 'api')!
  const key = await answerOf(new URL('/log/vkey', health_url!).href)
  writeFileSync(join(folder, 'log.vkey'), key)
}

type Program = { readonly file: string; readonly argv: readonly string[]; readonly environment: NodeJS.ProcessEnv }

function tidemark({ argv, environment }: PlannedProcess): Program {
  const { PATH: path, HOME } = process.env
  return { file: process.execPath, argv: [BIN, ...argv], environment: { PATH: path, HOME, ...environment } }
}

function nginx(planned: readonly PlannedProcess[], { host }: PlannedProcess, folder: string): Program {
  const hostOf = (name: string) => planned.find((process) => process.name === name)!.host
  const server = read('deploy/proxy/nginx-replicas.conf')
    .replace('listen 443 ssl', `listen ${host}:${PROXY_PORT} ssl`)
    .replaceAll(/\bapi-[12](?=:)/g, hostOf)
    .replaceAll('/etc/ssl/tidemark/api.example', join(folder, 'api.example'))
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`).join('\n')
  const file = join(folder, 'nginx.conf')
  const http = `http {\n${failuresLogged(folder)}\n${paths}\n${server}\n}`
  writeFileSync(file, `daemon off;\npid ${folder}/nginx.pid;\nevents { worker_connections 4096; }\n${http}\n`)
  return { file: 'nginx', argv: ['-e', 'stderr', '-p', folder, '-c', file], environment: { PATH } }
}

/** Returns the settings by which nginx logs the requests that it answered with a failure, with what the replicas answered. */
function failuresLogged(folder: string): string {
  const fields = '$time_iso8601 $request_method $uri $status $upstream_addr $upstream_status $upstream_connect_time'
  const failed = 'map $status $is_failed {\n~^5 1;\ndefault 0;\n}'
  return `${failed}\nlog_format failures '${fields}';\naccess_log ${folder}/proxy-failures.log failures if=$is_failed;`
}

/** Runs a program, and starts it again whenever it ends, until it is told to end. */
function keep(planned: PlannedProcess, { file, argv, environment }: Program, folder: string) {
  let child: ChildProcess | null = null
  let is_ending = false
  const log = openSync(join(folder, `${planned.name}.log`), 'a')
  const run = async () => {
    while (!is_ending) {
      child = spawn(file, argv, { cwd: folder, env: environment, stdio: ['ignore', log, log] })
      await once(child, 'close')
      child = null
      if (!is_ending) await sleep(AGAIN_MS)
    }
  }
  const ended = run()
  const end = async () => {
    is_ending = true
    child?.kill('SIGCONT')
    child?.kill('SIGTERM')
    await ended
  }
  const signal = (name: NodeJS.Signals) => void child?.kill(name)
  const answers = async () => {
    if (planned.health_url !== null) await answerOf(planned.health_url)
  }
  return { ...planned, signal, pid: () => child?.pid ?? null, answers, end }
}

/** Asks until the answer is 200. */
async function answerOf(url: string): Promise<string> {
  const end = performance.now() + STARTS_MS
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) return answer.text()
    await answer?.body?.cancel()
    if (performance.now() > end) throw new Error(`${url} did not answer within ${STARTS_MS} ms`)
    await sleep(LOOK_MS)
  }
}
