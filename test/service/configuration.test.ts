import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maskPassword } from '../../primitives/log-line.ts'
import { describeSettings, readSettings } from '../../service/configuration.ts'

describe('where a setting comes from', () => {
  test('nothing said: the defaults', () => {
    expect(readSettings({}, {})).toEqual({
      home: resolve('.tidemark'),
      warehouse: resolve('.tidemark/warehouse'),
      cache: join(homedir(), '.cache', 'tidemark'),
      object_copies_mb: 10_240,
      aws_endpoint_url: [],
      aws_region: 'us-east-1',
      aws_access_key_id: '',
      aws_secret_access_key: '',
      aws_session_token: '',
      host: '127.0.0.1',
      port: 8080,
      schedule_owner: '',
      environment: 'sandbox',
      cursor_secret: '',
      log_level: 'info',
      log_format: 'text',
      temporal_address: '',
      temporal_namespace: 'default',
      temporal_cli_path: '',
      temporal_tls: '',
      temporal_tls_server_ca_cert_path: '',
      temporal_tls_server_name: '',
      temporal_tls_client_cert_path: '',
      temporal_tls_client_key_path: '',
      temporal_api_key: '',
      database_url: '',
      key_encryption_key: '',
      key_encryption_key_file: resolve('.tidemark/key-encryption.key'),
      log_key_file: resolve('.tidemark/log.key'),
      log_origin: '',
      log_witness_url: '',
      log_witness_key: '',
      evm_rpc_url: '',
      engine_address: '127.0.0.1:0',
      engine_advertised_address: '',
      engine_tls_cert_file: '',
      engine_tls_key_file: '',
      engine_tls_ca_file: '',
      listing_policy: '',
      polymarket_url: '',
      kalshi_url: '',
      manifold_url: '',
      metrics_host: '127.0.0.1',
      trusted_proxies: [],
      webhook_allowed_hosts: [],
      usgs_url: '',
      gdacs_url: '',
      kalshi_key_id: '',
      kalshi_key_file: '',
      debug: false,
    })
  })

  // flags, environment, expected warehouse, expected source
  const WAREHOUSES = [
    [{}, { TIDEMARK_HOME: '/h' }, '/h/warehouse', 'default'],
    [{}, { TIDEMARK_HOME: '/h', TIDEMARK_WAREHOUSE: '/w' }, '/w', 'environment'],
    [{ warehouse: '/f' }, { TIDEMARK_HOME: '/h', TIDEMARK_WAREHOUSE: '/w' }, '/f', 'flag'],
    [{ home: '/k' }, { TIDEMARK_HOME: '/h', TIDEMARK_WAREHOUSE: '/w' }, '/k/warehouse', 'flag'],
    [{ home: '/k', warehouse: '/f' }, {}, '/f', 'flag'],
    [{}, { TIDEMARK_WAREHOUSE: '' }, resolve('.tidemark/warehouse'), 'default'],
  ] as const
  test.each(WAREHOUSES)('flags %j, environment %j: %s (%s)', (flags, environment, value, source) => {
    expect(readSettings(flags, environment).warehouse).toBe(value)
    const row = describeSettings(flags, environment).find(({ setting }) => setting === 'warehouse')
    expect(row).toMatchObject({ value, source })
  })

  test('a switch is 0 or 1', () => {
    expect(readSettings({}, { TIDEMARK_DEBUG: '1' }).debug).toBe(true)
    expect(() => readSettings({}, { TIDEMARK_DEBUG: 'yes' })).toThrow('TIDEMARK_DEBUG is "yes"; allowed: 0 or 1')
  })
})

test('the address of a Temporal server is host:port; its variables are those of its own tools', () => {
  expect(readSettings({}, { TEMPORAL_ADDRESS: 'temporal.internal:7233' }).temporal_address).toBe(
    'temporal.internal:7233',
  )
  for (const TEMPORAL_ADDRESS of ['temporal.internal', 'https://temporal.internal:7233', 'a:0', 'a:65536', ':7233']) {
    expect(() => readSettings({}, { TEMPORAL_ADDRESS })).toThrow('allowed: host:port, or none')
  }
  const rows = describeSettings({}, { TEMPORAL_NAMESPACE: 'markets' })
  const row = rows.find(({ setting }) => setting === 'temporal_namespace')
  expect(row).toMatchObject({ value: 'markets', source: 'environment', environment_variable: 'TEMPORAL_NAMESPACE' })
})

test('the API key of a Temporal server is taken, and never shown', () => {
  const environment = { TEMPORAL_API_KEY: 'temporal-key', TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' }
  expect(readSettings({}, environment)).toMatchObject({
    temporal_api_key: 'temporal-key',
    temporal_tls_server_name: 'temporal.internal',
  })
  const shown = JSON.stringify(describeSettings({}, environment))
  expect(shown).not.toContain('temporal-key')
  expect(shown).toContain('TEMPORAL_TLS_SERVER_NAME')
})

test('a port is one, a secret is long enough and never shown', () => {
  expect(readSettings({}, { TIDEMARK_PORT: '65535' }).port).toBe(65_535)
  expect(() => readSettings({}, { TIDEMARK_PORT: '65536' })).toThrow('TIDEMARK_PORT is "65536"; allowed: 0 to 65535')
  const secret = 's'.repeat(32)
  expect(() => readSettings({}, { TIDEMARK_CURSOR_SECRET: secret.slice(1) })).toThrow('has 31 characters; allowed: 32')
  expect(readSettings({}, { TIDEMARK_CURSOR_SECRET: secret }).cursor_secret).toBe(secret)
  const shown = describeSettings({}, { TIDEMARK_CURSOR_SECRET: secret })
  expect(shown.find(({ setting }) => setting === 'cursor_secret')?.value).toBe('***')
  expect(JSON.stringify(shown)).not.toContain(secret)
})

describe('the trading core', () => {
  test('its database has the variable of Postgres itself, and its password is masked', () => {
    const DATABASE_URL = 'postgres://tide:hunter2@db.internal:5432/tidemark'
    expect(readSettings({}, { DATABASE_URL }).database_url).toBe(DATABASE_URL)
    const row = describeSettings({}, { DATABASE_URL }).find(({ setting }) => setting === 'database_url')
    expect(row).toMatchObject({
      value: 'postgres://tide:***@db.internal:5432/tidemark',
      source: 'environment',
      environment_variable: 'DATABASE_URL',
    })
    expect(() => readSettings({}, { DATABASE_URL: 'mysql://u:hunter2@h/d' })).toThrow(
      'DATABASE_URL is "mysql://u:***@h/d"',
    )
  })

  test('a key-encryption key is 64 hex digits, and is never shown', () => {
    const key = 'ab'.repeat(32)
    expect(readSettings({}, { TIDEMARK_KEY_ENCRYPTION_KEY: key }).key_encryption_key).toBe(key)
    expect(JSON.stringify(describeSettings({}, { TIDEMARK_KEY_ENCRYPTION_KEY: key }))).not.toContain(key)
    expect(() => readSettings({}, { TIDEMARK_KEY_ENCRYPTION_KEY: 'ab' })).toThrow(
      'has 2 characters; allowed: 64 of 0-9 a-f',
    )
  })

  test('its file goes with the home, unless it is named', () => {
    expect(readSettings({ home: '/h' }, {}).key_encryption_key_file).toBe('/h/key-encryption.key')
    const named = readSettings({ home: '/h' }, { TIDEMARK_KEY_ENCRYPTION_KEY_FILE: '/run/secrets/kek' })
    expect(named.key_encryption_key_file).toBe('/run/secrets/kek')
  })

  test('of the address of a chain the host alone is shown: its path may be a key', () => {
    const TIDEMARK_EVM_RPC_URL = 'https://chain.internal/v3/0123456789abcdef'
    const row = describeSettings({}, { TIDEMARK_EVM_RPC_URL }).find(({ setting }) => setting === 'evm_rpc_url')
    expect(row?.value).toBe('https://chain.internal/***')
    expect(() => readSettings({}, { TIDEMARK_EVM_RPC_URL: 'chain' })).toThrow(
      'allowed: an http or https address, or none',
    )
  })

  test('the engine listens at host:port', () => {
    expect(readSettings({}, { TIDEMARK_ENGINE_ADDRESS: '0.0.0.0:7300' }).engine_address).toBe('0.0.0.0:7300')
    expect(() => readSettings({}, { TIDEMARK_ENGINE_ADDRESS: '7300' })).toThrow('TIDEMARK_ENGINE_ADDRESS is "7300"')
  })
})

test('a warehouse is in a folder or in a bucket, whose address has no password', () => {
  const warehouseOf = (TIDEMARK_WAREHOUSE: string) => readSettings({}, { TIDEMARK_WAREHOUSE }).warehouse
  expect(warehouseOf('s3://bucket/a/b/')).toBe('s3://bucket/a/b')
  expect(warehouseOf('w')).toBe(resolve('w'))
  for (const other of ['gs://bucket/a', 'S3://bucket/a', 'file:///tmp/a'])
    expect(() => warehouseOf(other), other).toThrow('allowed: a path, or s3://bucket/prefix')
  expect(() => warehouseOf('s3://key:hunter2@bucket')).toThrow(
    'TIDEMARK_WAREHOUSE is "s3://key:***@bucket"; allowed: a path, or s3://bucket/prefix',
  )
  const AWS_ENDPOINT_URL = 'http://a:1, https://b'
  expect(readSettings({}, { AWS_ENDPOINT_URL }).aws_endpoint_url).toEqual(['http://a:1', 'https://b'])
  expect(() => readSettings({}, { AWS_ENDPOINT_URL: 'a:1' })).toThrow('http or https addresses joined by commas')
  expect(() => readSettings({}, { TIDEMARK_OBJECT_COPIES_MB: '1' })).toThrow('allowed: 64 to 999999999')
})

describe('a password inside a value is masked', () => {
  const MASKED = [
    ['s3://key:hunter2@bucket/warehouse', 's3://key:***@bucket/warehouse'],
    ['postgres://u:p@ss@host:5432/db', 'postgres://u:***@host:5432/db'],
    ['/plain/folder', '/plain/folder'],
    ['https://host:8080/path', 'https://host:8080/path'],
  ] as const
  test.each(MASKED)('%s', (value, masked) => {
    expect(maskPassword(value)).toBe(masked)
  })

  test('also where the setting is printed', () => {
    const rows = describeSettings(
      {},
      { TIDEMARK_KALSHI_URL: 'https://key:hunter2@host', AWS_SECRET_ACCESS_KEY: 'hunter2' },
    )
    expect(JSON.stringify(rows)).not.toContain('hunter2')
  })
})
