import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyText } from '../../pipelines/transparency/signed-note.ts'
import { readSettings } from '../../service/configuration.ts'
import { databaseFolder } from '../../service/trading/open-database.ts'
import { openWitnessKey } from '../../service/transparency/note-key-file.ts'
import type { Ready, ReadyAccount } from '../../service/up/ready-file.ts'
import { DATABASE_USER } from '../../trading/store/postgres/embedded-server.ts'
import { DATABASE, startPostgres } from '../../trading/store/start-postgres.ts'
import { startDevServer } from '../../workflows/server/start-dev-server.ts'
import { answerOf, keep, type Program, type Running } from './keep-process.ts'
import { makeHome, readyFileOf } from './make-home.ts'
import { imageVariables, type PlannedProcess, planTopology } from './plan-topology.ts'
import { certify, nginx, PROXY_PORT, read, tidemark, versitygw } from './programs.ts'
import type { Place } from './relay.ts'

export type { Running } from './keep-process.ts'

/** Services that our processes connect to. */
export type Service = 'postgres' | 'temporal' | 'store'

export type TopologyOptions = {
  /** Home that its processes share; it is made by `tidemark up` unless it is there. */
  readonly home: string
  /** Folder of its logs, certificates and the state of the witness. */
  readonly folder: string
  readonly number: number
  readonly temporal_binary: string
  readonly environment: string
  /** Addresses of simulated venues, by the names of their variables. */
  readonly venues?: Readonly<Record<string, string>>
  /** Returns another address, host:port, by which a process reaches a service. */
  readonly via?: ((process: string, service: Service, place: Place) => Promise<string>) | undefined
}

export type Topology = {
  /** Processes by the names of their services, those of nginx and the store included. */
  readonly processes: ReadonlyMap<string, Running>
  /** Address of the proxy, and the certificate that it shows for api.example. */
  readonly proxy_url: string
  readonly proxy_certificate: string
  readonly database_url: string
  /** Process ids of Postgres and of the Temporal server. */
  readonly postgres_pid: number
  readonly temporal_folder: string
  readonly accounts: readonly ReadyAccount[]
  readonly ready_file: string
  /** Variables of a command of ours beside the topology, which reaches everything itself. */
  readonly environment: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Name and address of the witness of compose.yaml. */
const [WITNESS_NAME, WITNESS_URL] = ['witness.example/w1', 'http://witness:4243']
/** Bucket of compose.yaml. */
const BUCKET = 'tidemark'
/** Secret of the store, which only this machine reaches. */
const STORE_SECRET = 'the secret of a store of this machine'

/** Starts everything that deploy/compose.yaml describes as processes of this machine, with its commands and variables. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const { home, folder } = options
  const keepers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of keepers.splice(0).reverse()) await end()
  }
  const processes = new Map<string, Running>()
  const start = async (process: PlannedProcess, program: Program) => {
    const running = keep(process, program, folder)
    keepers.push(running.end)
    processes.set(process.name, running)
    await running.answers()
  }
  try {
    for (const made of [home, folder]) mkdirSync(made, { recursive: true, mode: 0o700 })
    const planned = planTopology(read('deploy/compose.yaml'), surroundingsOf(options, await witnessKey(folder)))
    const named = (name: string) => planned.find((process) => process.name === name)!
    await start(named('store'), versitygw(named('store'), join(home, 'objects', BUCKET)))
    await makeHome(home, ofUp(named('api-1').environment), folder)
    const database = await startPostgres({ folder: databaseFolder(home) })
    keepers.push(() => database.stop())
    const temporal_folder = join(folder, 'temporal')
    const temporal = await startDevServer({
      binary: options.temporal_binary,
      folder: temporal_folder,
      namespace: 'default',
      on_problem: (error) => process.stderr.write(`temporal: ${String(error)}\n`),
    })
    keepers.push(() => temporal.close())
    const services = { key: sealingKey(home), postgres: database.url, temporal: temporal.address, via: options.via }
    const proxy_certificate = await certify(folder, planned)
    for (const process of planned.filter(({ kind }) => kind === 'tidemark')) {
      if (!process.is_usual) await keyOfLog(planned, folder)
      await start(process, tidemark({ ...process, environment: await reached(process, services) }))
    }
    const proxy = named('proxy')
    await start(proxy, nginx(planned, proxy, folder))
    return {
      processes,
      proxy_url: `https://${proxy.host}:${PROXY_PORT}`,
      proxy_certificate,
      database_url: database.url,
      postgres_pid: database.server_pid!,
      temporal_folder,
      accounts: (JSON.parse(readFileSync(readyFileOf(home), 'utf8')) as Ready).sandbox_accounts,
      ready_file: readyFileOf(home),
      environment: await reached(named('api-1'), { ...services, via: undefined }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function surroundingsOf({ number, home, folder, environment, venues = {} }: TopologyOptions, witness_key: string) {
  return {
    number,
    variables: {
      TIDEMARK_ENVIRONMENT: environment,
      POSTGRES_PASSWORD: 'unused',
      STORE_SECRET,
      TIDEMARK_KEY_ENCRYPTION_KEY: 'known once the home is made',
      TIDEMARK_CURSOR_SECRET: 'a secret that all replicas of this topology share',
      TIDEMARK_LOG_WITNESS_URL: WITNESS_URL,
      TIDEMARK_LOG_WITNESS_KEY: witness_key,
      ...venues,
    },
    places: {
      '172.30.99.10': '127.0.0.1',
      '/etc/tidemark/engine-tls': folder,
      '/var/lib/tidemark': home,
      '/var/cache/tidemark': join(folder, 'cache'),
      '/run/log.vkey': join(folder, 'log.vkey'),
      '/var/lib/witness': join(folder, 'witness'),
      '/objects': join(home, 'objects'),
    },
    image: imageVariables(read('deploy/container/Containerfile')),
  }
}

/** Variables of a process that `tidemark up` sets for its own services. */
const OF_SERVICES =
  /^(DATABASE_URL|TEMPORAL_ADDRESS|TIDEMARK_(KEY_ENCRYPTION_KEY|TRUSTED_PROXIES|ENGINE_TLS_.*|METRICS_HOST|HOST))$/

/** Returns the variables for `tidemark up` of a process: the same home and warehouse, with services of its own. */
function ofUp(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_SERVICES.test(name)))
}

type Services = Pick<TopologyOptions, 'via'> & { key: string; postgres: string; temporal: string }

/** Returns the variables of a process with the addresses at which it reaches the services. */
async function reached({ name, environment }: PlannedProcess, { key, postgres, temporal, via }: Services) {
  if (environment.DATABASE_URL === undefined) return environment
  const socket = `${new URL(postgres.replace('@/', '@local/')).searchParams.get('host')}/.s.PGSQL.5432`
  const by = async (service: Service, place: Place, known: string) => (via ? via(name, service, place) : known)
  const database = via && `postgresql://${DATABASE_USER}@${await via(name, 'postgres', { path: socket })}/${DATABASE}`
  const store = new URL(environment.AWS_ENDPOINT_URL!).host
  return {
    ...environment,
    TIDEMARK_KEY_ENCRYPTION_KEY: key,
    DATABASE_URL: database ?? postgres,
    TEMPORAL_ADDRESS: await by('temporal', placeOf(temporal), temporal),
    AWS_ENDPOINT_URL: `http://${await by('store', placeOf(store), store)}`,
  }
}

function placeOf(address: string): Place {
  const [host, port] = address.split(':') as [string, string]
  return { host, port: Number(port) }
}

function sealingKey(home: string): string {
  return readFileSync(readSettings({ home }, {}).key_encryption_key_file, 'utf8').trim()
}

/** Makes the key of the witness before it starts, because the log needs it. */
async function witnessKey(folder: string): Promise<string> {
  const { key } = await openWitnessKey(join(folder, 'witness', 'witness.key'), WITNESS_NAME, Date.now)
  return keyText(key)
}

/** Keeps the key of the log for the witness, as its operator does: taken from an API once. */
async function keyOfLog(planned: readonly PlannedProcess[], folder: string): Promise<void> {
  const { health_url } = planned.find(({ argv }) => argv[0] === 'api')!
  const key = await answerOf(new URL('/log/vkey', health_url!).href)
  writeFileSync(join(folder, 'log.vkey'), key)
}
