import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ServiceError } from '../primitives/errors.ts'

/** The one place that reads the environment: every setting, where it comes from and what it is when nothing is said. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Settings given on the command line; they win over the environment. */
export type SettingFlags = { readonly home?: string; readonly warehouse?: string }

export type Settings = {
  /** Folder of everything that `tidemark up` makes; absolute. */
  readonly home: string
  /** Folder of the warehouse; absolute. */
  readonly warehouse: string
  /** Folder of downloads and derived files that may be deleted at any time; absolute. */
  readonly cache: string
  /** Address that servers listen at. */
  readonly host: string
  /** Port of the API; 0: a free one. */
  readonly port: number
  /** Name of the deployment: what keys and signatures are for. */
  readonly environment: string
  /** Signs the cursors of pages; API processes behind one address share it. '' makes one up at each start. */
  readonly cursor_secret: string
  /** host:port of a Temporal server that runs; '' = one of our own. */
  readonly temporal_address: string
  readonly temporal_namespace: string
  /** A `temporal` program to start a server with; '' = the first that is found. */
  readonly temporal_cli_path: string
  /** How the named Temporal server is spoken to: see temporal/connection-security.ts, which checks these. '' = not said. */
  readonly temporal_tls: string
  readonly temporal_tls_server_ca_cert_path: string
  readonly temporal_tls_server_name: string
  readonly temporal_tls_client_cert_path: string
  readonly temporal_tls_client_key_path: string
  readonly temporal_api_key: string
  /** Postgres of the trading core; '' = an embedded one below the home. */
  readonly database_url: string
  /** Seals the secrets of API keys: 64 hex digits; '' = what the file says. */
  readonly key_encryption_key: string
  /** File that holds it, made where none is; absolute. */
  readonly key_encryption_key_file: string
  /** JSON-RPC of the chain where smart accounts are; '' = their signatures are refused. */
  readonly evm_rpc_url: string
  /** host:port that the engine listens at for other processes; port 0: a free one, which the database tells. */
  readonly engine_address: string
  /** File of the policy by which markets of other venues are listed here; '' = none is. */
  readonly listing_policy: string
  /** Where each venue is: a proxy or a simulator; '' = at its own addresses. */
  readonly polymarket_url: string
  readonly kalshi_url: string
  readonly manifold_url: string
  readonly usgs_url: string
  readonly gdacs_url: string
  /** What Kalshi calls our key, and the PEM file that holds it; '' = requests are not signed. */
  readonly kalshi_key_id: string
  readonly kalshi_key_file: string
  /** Print stack traces of internal errors. */
  readonly debug: boolean
}

/** Texts that are taken as they are, '' where nothing is said. */
const AS_SAID = [
  'temporal_tls',
  'temporal_tls_server_ca_cert_path',
  'temporal_tls_server_name',
  'temporal_tls_client_cert_path',
  'temporal_tls_client_key_path',
  'temporal_api_key',
  'listing_policy',
  'polymarket_url',
  'kalshi_url',
  'manifold_url',
  'usgs_url',
  'gdacs_url',
  'kalshi_key_id',
  'kalshi_key_file',
] as const
type AsSaid<T> = Record<(typeof AS_SAID)[number], T>

type SettingSource = 'flag' | 'environment' | 'default'

export type SettingRow = {
  readonly setting: keyof Settings
  readonly value: string
  readonly source: SettingSource
  readonly environment_variable: string
  readonly meaning: string
}

type Found = { readonly value: string; readonly source: SettingSource }

/** The environment of this process. */
export function processEnvironment(): Environment {
  return process.env
}

/**
 * The settings of one run: flag, else environment variable (an empty one counts as unset), else default.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID when TIDEMARK_DEBUG is neither 0 nor 1
 */
export function readSettings(flags: SettingFlags, environment: Environment): Settings {
  const found = findSettings(flags, environment)
  return {
    home: resolve(found.home.value),
    warehouse: resolve(found.warehouse.value),
    cache: resolve(found.cache.value),
    host: found.host.value,
    port: parsePortText(found.port.value, 'TIDEMARK_PORT'),
    environment: found.environment.value,
    cursor_secret: parseSecret(found.cursor_secret.value),
    temporal_address: parseAddress(found.temporal_address.value, 'TEMPORAL_ADDRESS', 'host:port, or none'),
    temporal_namespace: found.temporal_namespace.value,
    temporal_cli_path: found.temporal_cli_path.value,
    database_url: parseDatabaseUrl(found.database_url.value),
    key_encryption_key: parseKey(found.key_encryption_key.value),
    key_encryption_key_file: resolve(found.key_encryption_key_file.value),
    evm_rpc_url: parseRpcUrl(found.evm_rpc_url.value),
    engine_address: parseAddress(found.engine_address.value, 'TIDEMARK_ENGINE_ADDRESS', 'host:port'),
    ...asSaid((setting) => found[setting].value),
    debug: parseSwitch(found.debug.value, 'TIDEMARK_DEBUG'),
  }
}

/** Temporal's own tools, and those of Postgres, read the same variables. */
function variableOf(setting: keyof Settings): string {
  const name = setting.toUpperCase()
  return setting.startsWith('temporal_') || setting === 'database_url' ? name : `TIDEMARK_${name}`
}

/** Every setting with its value and source, for `tidemark config`; passwords inside a value are masked. */
export function describeSettings(flags: SettingFlags, environment: Environment): SettingRow[] {
  const settings = readSettings(flags, environment)
  const found = findSettings(flags, environment)
  return (Object.keys(MEANINGS) as (keyof Settings)[]).map((setting) => ({
    setting,
    value: shown(setting, String(settings[setting])),
    source: found[setting].source,
    environment_variable: variableOf(setting),
    meaning: MEANINGS[setting],
  }))
}

/** Settings that are never shown. */
const SECRETS: ReadonlySet<keyof Settings> = new Set(['cursor_secret', 'key_encryption_key', 'temporal_api_key'])

function shown(setting: keyof Settings, value: string): string {
  if (SECRETS.has(setting)) return value === '' ? '' : '***'
  return setting === 'evm_rpc_url' ? maskPath(value) : maskPassword(value)
}

/** Nodes of a chain take their key as part of the path: of an address, the host alone is shown. */
function maskPath(value: string): string {
  if (value === '') return ''
  const { origin, pathname, search } = new URL(value)
  return pathname === '/' && search === '' ? origin : `${origin}/***`
}

/** `scheme://user:password@host` with the password replaced by `***`; any other text as it is. */
export function maskPassword(value: string): string {
  return value.replace(/(:\/*[^\s:/@]*:)\S+@/, '$1***@')
}

const MEANINGS: Record<keyof Settings, string> = {
  home: 'folder of everything that `tidemark up` makes',
  warehouse: 'folder of the warehouse',
  cache: 'folder of downloads and derived files, may be deleted at any time',
  host: 'address that servers listen at',
  port: 'port of the API; 0 finds a free one',
  environment: 'name of the deployment: what keys and signatures are for',
  cursor_secret: 'signs the cursors of pages; API processes behind one address share it; empty: made up at each start',
  temporal_address: 'host:port of a Temporal server that runs; empty: one is started where it is needed',
  temporal_namespace: 'namespace of Temporal',
  temporal_cli_path: 'a `temporal` program to start a server with; empty: the first on PATH, or one made once',
  temporal_tls:
    'whether the named Temporal server is spoken to by TLS (1) or not (0); empty: where any setting below is set',
  temporal_tls_server_ca_cert_path: 'PEM file of who signed its certificate; empty: whom this machine trusts',
  temporal_tls_server_name: 'name that its certificate must be for; empty: the host of its address',
  temporal_tls_client_cert_path: 'PEM file of our certificate; empty: none is shown',
  temporal_tls_client_key_path: 'PEM file of the private key of our certificate',
  temporal_api_key: 'API key of the named Temporal server, sent by TLS alone; empty: none is sent',
  database_url: 'Postgres of the trading core; empty: an embedded one below the home',
  key_encryption_key: 'seals the secrets of API keys: 64 hex digits; empty: what the file says',
  key_encryption_key_file: 'file of that key; made, readable by its owner alone, where none is',
  evm_rpc_url: 'JSON-RPC of the chain where smart accounts are; empty: their signatures are refused',
  engine_address: 'host:port that the engine listens at for other processes; port 0 finds a free one',
  listing_policy: 'file of the policy by which markets of other venues are listed here; empty: none is',
  polymarket_url: 'where Polymarket is: a proxy or a simulator; empty: at its own addresses',
  kalshi_url: 'where Kalshi is: a proxy or a simulator; empty: at its own addresses',
  manifold_url: 'where Manifold is: a proxy or a simulator; empty: at its own addresses',
  usgs_url: 'where the earthquake feed of USGS is: a proxy or a simulator; empty: at its own address',
  gdacs_url: 'where the alert feed of GDACS is: a proxy or a simulator; empty: at its own address',
  kalshi_key_id: 'what Kalshi calls our API key; empty: requests are not signed',
  kalshi_key_file: 'PEM file of the private key that Kalshi gave out; empty: requests are not signed',
  debug: 'print stack traces of internal errors (1) or not (0)',
}

function findSettings(flags: SettingFlags, environment: Environment): Record<keyof Settings, Found> {
  const home = find(flags.home, environment.TIDEMARK_HOME, '.tidemark')
  return {
    home,
    warehouse: findWarehouse(home, flags, environment),
    cache: find(undefined, environment.TIDEMARK_CACHE, join(homedir(), '.cache', 'tidemark')),
    host: find(undefined, environment.TIDEMARK_HOST, '127.0.0.1'),
    port: find(undefined, environment.TIDEMARK_PORT, '8080'),
    environment: find(undefined, environment.TIDEMARK_ENVIRONMENT, 'sandbox'),
    cursor_secret: find(undefined, environment.TIDEMARK_CURSOR_SECRET, ''),
    temporal_address: find(undefined, environment.TEMPORAL_ADDRESS, ''),
    temporal_namespace: find(undefined, environment.TEMPORAL_NAMESPACE, 'default'),
    temporal_cli_path: find(undefined, environment.TEMPORAL_CLI_PATH, ''),
    database_url: find(undefined, environment.DATABASE_URL, ''),
    key_encryption_key: find(undefined, environment.TIDEMARK_KEY_ENCRYPTION_KEY, ''),
    key_encryption_key_file: find(
      undefined,
      environment.TIDEMARK_KEY_ENCRYPTION_KEY_FILE,
      join(home.value, 'key-encryption.key'),
    ),
    evm_rpc_url: find(undefined, environment.TIDEMARK_EVM_RPC_URL, ''),
    engine_address: find(undefined, environment.TIDEMARK_ENGINE_ADDRESS, '127.0.0.1:0'),
    ...asSaid((setting) => find(undefined, environment[variableOf(setting)], '')),
    debug: find(undefined, environment.TIDEMARK_DEBUG, '0'),
  }
}

function asSaid<T>(of: (setting: keyof AsSaid<T>) => T): AsSaid<T> {
  return Object.fromEntries(AS_SAID.map((setting) => [setting, of(setting)])) as AsSaid<T>
}

/** A home named on the command line brings its own warehouse, whatever the environment says. */
function findWarehouse(home: Found, flags: SettingFlags, environment: Environment): Found {
  const inside = join(home.value, 'warehouse')
  if (flags.warehouse === undefined && home.source === 'flag') return { value: inside, source: 'flag' }
  return find(flags.warehouse, environment.TIDEMARK_WAREHOUSE, inside)
}

function find(flag: string | undefined, variable: string | undefined, fallback: string): Found {
  if (flag !== undefined) return { value: flag, source: 'flag' }
  if (variable !== undefined && variable !== '') return { value: variable, source: 'environment' }
  return { value: fallback, source: 'default' }
}

function parseSwitch(text: string, field: string): boolean {
  if (text === '0' || text === '1') return text === '1'
  throw refusal(field, text, '0 or 1')
}

/**
 * A port number given by a person.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
function parsePortText(text: string, field: string): number {
  if (/^\d{1,5}$/.test(text) && +text <= 65_535) return +text
  throw refusal(field, text, '0 to 65535')
}

function parseAddress(text: string, field: string, allowed: string): string {
  const [, host = '', port = ''] = /^([^\s:]+|\[[0-9a-f:]+\]):(\d+)$/i.exec(text) ?? []
  const port_min = field === 'TEMPORAL_ADDRESS' ? 1 : 0
  if (text === '' || (host !== '' && +port >= port_min && +port <= 65_535)) return text
  throw refusal(field, text, allowed)
}

function parseDatabaseUrl(text: string): string {
  if (text === '' || /^postgres(ql)?:\/\//.test(text)) return text
  throw refusal('DATABASE_URL', maskPassword(text), 'postgres://user:password@host:port/database, or none')
}

function parseRpcUrl(text: string): string {
  if (text === '' || (/^https?:\/\//.test(text) && URL.canParse(text))) return text
  throw refusal('TIDEMARK_EVM_RPC_URL', maskPassword(text), 'an http or https address, or none')
}

const KEY_HEX = /^[0-9a-f]{64}$/

function parseKey(text: string): string {
  if (text === '' || KEY_HEX.test(text)) return text
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `TIDEMARK_KEY_ENCRYPTION_KEY has ${text.length} characters; allowed: 64 of 0-9 a-f, or none`,
    { field: 'TIDEMARK_KEY_ENCRYPTION_KEY' },
  )
}

function refusal(field: string, value: string, allowed: string): ServiceError {
  const message = `${field} is ${JSON.stringify(value)}; allowed: ${allowed}`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field, value })
}

const SECRET_LENGTH_MIN = 32

function parseSecret(text: string): string {
  if (text === '' || text.length >= SECRET_LENGTH_MIN) return text
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `TIDEMARK_CURSOR_SECRET has ${text.length} characters; allowed: ${SECRET_LENGTH_MIN} or more, or none`,
    { field: 'TIDEMARK_CURSOR_SECRET' },
  )
}
