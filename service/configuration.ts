import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ServiceError } from '../primitives/errors.ts'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel, maskPassword } from '../primitives/log-line.ts'
import { isAddressRange } from '../trading/auth/ip-allowlist.ts'
import { resolveRoot } from '../warehouse/store/root.ts'
import { isObjectStore, parseS3Location, S3_FORM } from '../warehouse/store/s3/s3-location.ts'

/** Environment variables of a process. Only this file reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment of this process. */
export function processEnvironment(): Environment {
  return process.env
}

/** Parser of one kind of value. */
type Kind<Value> = {
  /** Returns the value of a text; undefined if the text is not accepted. */
  readonly parse: (text: string) => Value | undefined
  /** Accepted values, in words; '' if every text is. */
  readonly accepts: string
  /** The value as `tidemark config` and errors show it. */
  readonly show: (text: string) => string
}

const TEXT: Kind<string> = { parse: (text) => text, accepts: '', show: maskPassword }
const PATH: Kind<string> = { ...TEXT, parse: (text) => resolve(text), accepts: 'a path' }
const WAREHOUSE: Kind<string> = {
  ...TEXT,
  // A folder named `gs:` would be taken for a bucket until its machine is gone.
  parse: (text) => (isObjectStore(text) ? objectStoreRoot(text) : hasScheme(text) ? undefined : resolve(text)),
  accepts: `a path, or ${S3_FORM}`,
}
const hasScheme = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
const SWITCH: Kind<boolean> = { ...TEXT, parse: (text) => SWITCHES.get(text), accepts: '0 or 1' }
const PORT: Kind<number> = { ...TEXT, parse: parsePort, accepts: '0 to 65535' }
const ADDRESS = checked((text) => isAddress(text, 0), 'host:port')
const SERVER = checked((text) => text === '' || isAddress(text, 1), 'host:port, or none')
const POSTGRES = checked(
  (text) => /^(postgres(ql)?:\/\/.*)?$/s.test(text),
  'postgres://user:password@host:port/database, or none',
)
const RPC: Kind<string> = {
  ...checked((text) => text === '' || isHttpUrl(text), 'an http or https address, or none'),
  show: maskPath,
}
/** temporal/connection-security.ts checks it, with the settings that go with it. */
const TLS_SWITCH: Kind<string> = { ...TEXT, accepts: '1, 0, true, false, or none' }
const SECRET: Kind<string> = { ...TEXT, show: maskAll }
const CURSOR_KEY: Kind<string> = {
  ...checked((text) => /^(.{32,})?$/s.test(text), '32 characters or more, or none'),
  show: maskAll,
}
const ADDRESS_RANGES: Kind<readonly string[]> = {
  parse: (text) => {
    const ranges = text.split(',').flatMap((part) => part.trim() || [])
    return ranges.every(isAddressRange) ? ranges : undefined
  },
  accepts: 'addresses and CIDR ranges joined by commas, or none',
  show: (text) => text,
}
const HOSTS: Kind<readonly string[]> = {
  parse: (text) => {
    const hosts = text.split(',').flatMap((part) => part.trim() || [])
    return hosts.every((host) => /^[a-z0-9._:-]+$/.test(host)) ? hosts : undefined
  },
  accepts: 'lower-case hosts, or host:port, joined by commas, or none',
  show: (text) => text,
}
const MEGABYTES: Kind<number> = {
  parse: (text) => (/^\d{1,9}$/.test(text) && +text >= 64 ? +text : undefined),
  accepts: '64 to 999999999',
  show: (text) => text,
}
const ENDPOINTS: Kind<readonly string[]> = {
  parse: (text) => {
    const endpoints = text.split(',').flatMap((part) => part.trim() || [])
    return endpoints.every(isHttpUrl) ? endpoints : undefined
  },
  accepts: 'http or https addresses joined by commas, or none',
  show: (text) => text,
}
const LOG_LEVEL: Kind<LogLevel> = oneOf(LOG_LEVELS)
const LOG_FORMAT: Kind<LogFormat> = oneOf(LOG_FORMATS)
const LOG_ORIGIN = checked((text) => /^[^\s+]*$/.test(text), 'a text without spaces and plus, or none')
const WITNESS = checked((text) => text === '' || isHttpUrl(text), 'an http or https address, or none')
const SEALING_KEY: Kind<string> = {
  ...checked((text) => /^([0-9a-f]{64})?$/.test(text), '64 of 0-9 a-f, or none'),
  show: maskAll,
}

type Folders = { readonly home: string; readonly user: string }
type Default = string | ((folders: Folders) => string)
type Row<Value> = readonly [
  flag: '--home' | '--warehouse' | '--host' | '--port' | '--address' | null,
  environment_variable: string,
  kind: Kind<Value>,
  default_text: Default,
  meaning: string,
]

const inHome =
  (name: string): Default =>
  (folders) =>
    join(folders.home, name)
const inCache: Default = (folders) => join(folders.user, '.cache', 'tidemark')

/**
 * Every setting: name, command-line flag, environment variable, kind, default, meaning. The settings type, `tidemark config` and the table in
 * docs/configuration.md derive from it. Temporal's and Postgres's own tools read the variables without TIDEMARK_ too.
 */
// biome-ignore format: one setting a line
const TABLE = {
  home: ['--home', 'TIDEMARK_HOME', PATH, '.tidemark', 'folder of everything that `tidemark up` creates'],
  warehouse: ['--warehouse', 'TIDEMARK_WAREHOUSE', WAREHOUSE, inHome('warehouse'), 'folder of the warehouse, or its place in an object store'],
  cache: [null, 'TIDEMARK_CACHE', PATH, inCache, 'folder of downloads and derived files; may be deleted at any time'],
  object_copies_mb: [null, 'TIDEMARK_OBJECT_COPIES_MB', MEGABYTES, '10240', 'megabytes of objects of the warehouse that are copied to the cache; those that were in use within the hour stay beyond it'],
  aws_endpoint_url: [null, 'AWS_ENDPOINT_URL', ENDPOINTS, '', 'addresses of the object store, joined by commas: the first is used, all are probed at start; empty: Amazon S3 in aws_region'],
  aws_region: [null, 'AWS_REGION', TEXT, 'us-east-1', 'region of the object store'],
  aws_access_key_id: [null, 'AWS_ACCESS_KEY_ID', TEXT, '', 'id of the access key for the object store'],
  aws_secret_access_key: [null, 'AWS_SECRET_ACCESS_KEY', SECRET, '', 'secret of that access key'],
  aws_session_token: [null, 'AWS_SESSION_TOKEN', SECRET, '', 'token of a temporary access key; empty: none'],
  host: ['--host', 'TIDEMARK_HOST', TEXT, '127.0.0.1', 'address that the API listens on'],
  port: ['--port', 'TIDEMARK_PORT', PORT, '8080', 'port of the API; 0 picks a free one'],
  metrics_host: [null, 'TIDEMARK_METRICS_HOST', TEXT, '127.0.0.1', 'address that each process has its metrics and health at; on another one than loopback the API has nothing else there'],
  trusted_proxies: [null, 'TIDEMARK_TRUSTED_PROXIES', ADDRESS_RANGES, '', "reverse proxies whose X-Forwarded-For or Forwarded names the client's address; empty: none"],
  environment: [null, 'TIDEMARK_ENVIRONMENT', TEXT, 'sandbox', 'name of the deployment; API keys and signatures are valid for it alone'],
  cursor_secret: [null, 'TIDEMARK_CURSOR_SECRET', CURSOR_KEY, '', 'signs page cursors; API processes behind one address share it; empty: random at each start'],
  temporal_address: [null, 'TEMPORAL_ADDRESS', SERVER, '', 'running Temporal server; empty: one is started when needed'],
  temporal_namespace: [null, 'TEMPORAL_NAMESPACE', TEXT, 'default', 'Temporal namespace'],
  temporal_cli_path: [null, 'TEMPORAL_CLI_PATH', TEXT, '', '`temporal` program that starts a server; empty: the first on PATH, else one downloaded or built once'],
  temporal_tls: [null, 'TEMPORAL_TLS', TLS_SWITCH, '', 'use TLS to the server at temporal_address (1) or not (0); empty: if any of the next five is set'],
  temporal_tls_server_ca_cert_path: [null, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH', TEXT, '', 'PEM file of the authority that signed its certificate; empty: the authorities that this machine trusts'],
  temporal_tls_server_name: [null, 'TEMPORAL_TLS_SERVER_NAME', TEXT, '', 'host name that its certificate must carry; empty: the host of its address'],
  temporal_tls_client_cert_path: [null, 'TEMPORAL_TLS_CLIENT_CERT_PATH', TEXT, '', 'PEM file of our client certificate; empty: none is sent'],
  temporal_tls_client_key_path: [null, 'TEMPORAL_TLS_CLIENT_KEY_PATH', TEXT, '', 'PEM file of the private key of our client certificate'],
  temporal_api_key: [null, 'TEMPORAL_API_KEY', SECRET, '', 'API key for the Temporal server, sent over TLS only; empty: none is sent'],
  schedule_owner: [null, 'TIDEMARK_SCHEDULE_OWNER', TEXT, '', 'name of the fleet whose schedules a worker keeps; empty: tidemark, or tidemark/<venues> for a worker of some venues'],
  database_url: [null, 'DATABASE_URL', POSTGRES, '', 'Postgres of the trading core; empty: an embedded one in the home folder'],
  key_encryption_key: [null, 'TIDEMARK_KEY_ENCRYPTION_KEY', SEALING_KEY, '', 'encrypts the secrets of API keys; empty: read from key_encryption_key_file'],
  key_encryption_key_file: [null, 'TIDEMARK_KEY_ENCRYPTION_KEY_FILE', PATH, inHome('key-encryption.key'), 'file with that key, of its owner alone (mode 0600); created with a random key if missing and nothing is sealed yet'],
  log_key_file: [null, 'TIDEMARK_LOG_KEY_FILE', PATH, inHome('log.key'), 'file with the key that signs the log of published records, of its owner alone (mode 0600); created with a new key if missing'],
  log_origin: [null, 'TIDEMARK_LOG_ORIGIN', LOG_ORIGIN, '', 'name of that log in its checkpoints; empty: tidemark/<environment>/<id of the warehouse>'],
  log_witness_url: [null, 'TIDEMARK_LOG_WITNESS_URL', WITNESS, '', 'address of a witness that cosigns each checkpoint; empty: none'],
  log_witness_key: [null, 'TIDEMARK_LOG_WITNESS_KEY', TEXT, '', 'verifier key of that witness, as its /vkey has it; needed with its address'],
  evm_rpc_url: [null, 'TIDEMARK_EVM_RPC_URL', RPC, '', 'JSON-RPC of the chain that smart accounts live on; empty: their signatures are rejected, but for `tidemark sandbox smart-account`'],
  engine_address: ['--address', 'TIDEMARK_ENGINE_ADDRESS', ADDRESS, '127.0.0.1:0', 'where the engine listens for orders of other processes; without TLS on 127.0.0.1, ::1 or localhost; port 0 picks a free one'],
  engine_advertised_address: [null, 'TIDEMARK_ENGINE_ADVERTISED_ADDRESS', SERVER, '', 'where other processes reach this engine; its certificate carries the host; empty: where it listens'],
  engine_tls_cert_file: [null, 'TIDEMARK_ENGINE_TLS_CERT_FILE', TEXT, '', "PEM file of this process's certificate for the engine's link, by every process that trades; empty: no TLS"],
  engine_tls_key_file: [null, 'TIDEMARK_ENGINE_TLS_KEY_FILE', TEXT, '', 'PEM file of its private key, which only its owner reads (mode 0600)'],
  engine_tls_ca_file: [null, 'TIDEMARK_ENGINE_TLS_CA_FILE', TEXT, '', "PEM file of the authority that signed the certificates of both ends of the link"],
  webhook_allowed_hosts: [null, 'TIDEMARK_WEBHOOK_ALLOWED_HOSTS', HOSTS, '', 'hosts that may receive webhooks though they are private or without TLS; empty: none, in the sandbox of `up` this machine'],
  listing_policy: [null, 'TIDEMARK_LISTING_POLICY', TEXT, '', 'file of the policy for listing markets of other venues here; empty: none are listed, except in a sandbox'],
  polymarket_url: [null, 'TIDEMARK_POLYMARKET_URL', TEXT, '', 'proxy or simulator of Polymarket; empty: its public addresses'],
  kalshi_url: [null, 'TIDEMARK_KALSHI_URL', TEXT, '', 'proxy or simulator of Kalshi; empty: its public addresses'],
  manifold_url: [null, 'TIDEMARK_MANIFOLD_URL', TEXT, '', 'proxy or simulator of Manifold; empty: its public addresses'],
  usgs_url: [null, 'TIDEMARK_USGS_URL', TEXT, '', 'proxy or simulator of the USGS earthquake feed; empty: its public address'],
  gdacs_url: [null, 'TIDEMARK_GDACS_URL', TEXT, '', 'proxy or simulator of the GDACS alert feed; empty: its public address'],
  kalshi_key_id: [null, 'TIDEMARK_KALSHI_KEY_ID', TEXT, '', 'id of our Kalshi API key; empty: requests are not signed'],
  kalshi_key_file: [null, 'TIDEMARK_KALSHI_KEY_FILE', TEXT, '', 'PEM file of the private key that Kalshi issued; empty: requests are not signed'],
  log_level: [null, 'TIDEMARK_LOG_LEVEL', LOG_LEVEL, 'info', 'least grave log lines that are written'],
  log_format: [null, 'TIDEMARK_LOG_FORMAT', LOG_FORMAT, 'text', 'log lines for people, or one JSON object a line'],
  debug: [null, 'TIDEMARK_DEBUG', SWITCH, '0', 'print stack traces of internal errors (1) or not (0)'],
} as const satisfies Record<string, Row<unknown>>

type SettingName = keyof typeof TABLE

/** Settings of one run, as the table above describes them; paths of kind PATH are absolute, '' stands for none. */
export type Settings = {
  readonly [Name in SettingName]: (typeof TABLE)[Name][2] extends Kind<infer Value> ? Value : never
}

/** Flags of the command line that set settings; they win over the environment. */
export type SettingFlags = {
  readonly home?: string
  readonly warehouse?: string
  readonly host?: string
  readonly port?: number
  readonly address?: string
}

type Found = { readonly text: string; readonly source: 'flag' | 'environment' | 'default'; readonly name: string }

/**
 * Reads the settings of one run: flag, else environment variable (an empty one counts as unset), else default.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names the flag or variable, its value and the accepted values
 */
export function readSettings(flags: SettingFlags, environment: Environment): Settings {
  const values = settingNames().map((setting) => [setting, parseSetting(setting, find(setting, flags, environment))])
  return Object.fromEntries(values) as Settings
}

export type SettingRow = {
  readonly setting: SettingName
  readonly value: string
  readonly source: Found['source']
  readonly environment_variable: string
  readonly meaning: string
}

/** Returns every setting with its value and source, for `tidemark config`; secrets are masked. */
export function describeSettings(flags: SettingFlags, environment: Environment): SettingRow[] {
  return settingNames().map((setting) => {
    const [, environment_variable, { show }, , meaning] = TABLE[setting]
    const found = find(setting, flags, environment)
    const value = show(String(parseSetting(setting, found)))
    return { setting, value, source: found.source, environment_variable, meaning }
  })
}

/** Returns the table of settings for the documents. */
export function documentSettings() {
  return settingNames().map((setting) => {
    const [flag, environment_variable, { accepts }, fallback, meaning] = TABLE[setting]
    return {
      flag,
      environment_variable,
      accepts,
      default: defaultText(fallback, { home: '<home>', user: '~' }),
      meaning,
    }
  })
}

function settingNames(): SettingName[] {
  return Object.keys(TABLE) as SettingName[]
}

function find(setting: SettingName, flags: SettingFlags, environment: Environment): Found {
  const [flag, variable, , fallback] = TABLE[setting]
  const given = flag === null ? undefined : flags[flag.slice(2) as keyof SettingFlags]
  if (flag !== null && given !== undefined) return { text: String(given), source: 'flag', name: flag }
  const home = setting === 'home' ? '' : find('home', flags, environment).text
  const usual = defaultText(fallback, { home, user: homedir() })
  // A home named on the command line brings its own warehouse, whatever the environment says.
  if (setting === 'warehouse' && flags.home !== undefined) return { text: usual, source: 'flag', name: '--home' }
  const text = environment[variable] ?? ''
  return text === ''
    ? { text: usual, source: 'default', name: variable }
    : { text, source: 'environment', name: variable }
}

function defaultText(fallback: Default, folders: Folders): string {
  return typeof fallback === 'string' ? fallback : fallback(folders)
}

function parseSetting(setting: SettingName, { text, name }: Found): string | number | boolean {
  const { parse, accepts, show } = TABLE[setting][2] as Kind<string | number | boolean>
  const parsed = parse(text)
  if (parsed !== undefined) return parsed
  const value = show === maskAll ? '***' : maskPassword(text)
  const seen = show === maskAll ? `has ${text.length} characters` : `is ${JSON.stringify(value)}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', `${name} ${seen}; allowed: ${accepts}`, { field: name, value })
}

function objectStoreRoot(text: string): string | undefined {
  return parseS3Location(text) === null ? undefined : resolveRoot(text)
}

function checked(accepted: (text: string) => boolean, accepts: string): Kind<string> {
  return { parse: (text) => (accepted(text) ? text : undefined), accepts, show: maskPassword }
}

/** Kind of a setting with few values. */
function oneOf<Value extends string>(values: readonly Value[]): Kind<Value> {
  const parse = (text: string) => values.find((value) => value === text)
  return { parse, accepts: values.join(', '), show: (text) => text }
}

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
])

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && +text <= 65_535 ? +text : undefined
}

function isAddress(text: string, port_min: number): boolean {
  const [, port = ''] = /^(?:[^\s:]+|\[[0-9a-f:]+\]):(\d+)$/i.exec(text) ?? []
  return port !== '' && +port >= port_min && +port <= 65_535
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

function maskAll(value: string): string {
  return value === '' ? '' : '***'
}

/** Masks all but the host: nodes of a chain take their API key as part of the path. */
function maskPath(value: string): string {
  if (value === '') return ''
  const { origin, pathname, search } = new URL(value)
  return pathname === '/' && search === '' ? origin : `${origin}/***`
}
