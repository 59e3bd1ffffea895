import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveApi } from '../../api/serve.ts'
import { probeStore } from '../../warehouse/store/probe-store.ts'
import { openS3Store } from '../../warehouse/store/s3/s3-store.ts'
import { valueLine, writeArchive } from '../support/archive-folder.ts'
import { tidemark } from '../support/run-cli.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TIDE_RANGE, TIDE_ROWS, writeTideDefinition } from '../support/tide-warehouse.ts'
import { type StorePair, startStorePair } from '../support/versitygw.ts'
import { testStoreContract } from '../warehouse/store/store-contract.ts'

const folder = tempFolder()
let pair: StorePair
beforeAll(async () => {
  pair = await startStorePair(folder)
})
afterAll(() => pair?.stop())

let prefixes = 0
testStoreContract('versitygw', async () => {
  const location = { bucket: pair.bucket, prefix: `contract/${++prefixes}` }
  const [first, second] = pair.access.endpoints as [string, string]
  const storeAt = (endpoint: string) => {
    const access = { ...pair.access, endpoints: [endpoint], folder: join(folder, `copies-${prefixes}`) }
    return openS3Store(`s3://bucket/${location.prefix}`, location, access)
  }
  return [storeAt(first), storeAt(second)]
})

test('two processes that lock pass the races; control: two that do not are refused', async () => {
  const raced = async ({ access, bucket }: StorePair, prefix: string) =>
    probeStore(openS3Store(`s3://bucket/${prefix}`, { bucket, prefix }, access))
  expect(await raced(pair, 'race')).toBe(true)
  const careless = await startStorePair(tempFolder(), ['--disable-object-lock-file'])
  try {
    // On a disk one probe is enough; in memory two writers meet in every second one.
    let refused: unknown = null
    for (let probe = 1; probe <= 40 && refused === null; probe++) {
      refused = await raced(careless, `race-${probe}`).then(
        () => null,
        (error: unknown) => error,
      )
    }
    expect(refused).toMatchObject({
      code: 'WAREHOUSE_STORE_UNSUITABLE',
      facts: { seen: expect.stringMatching(/^\d+ of 16 writers won one name at once$/) },
    })
  } finally {
    await careless.stop()
  }
})

/** Runs a command on a warehouse; its paths and times are left out of the output. */
async function run(root: string, argv: readonly string[], home = join(folder, 'home')): Promise<string> {
  const { access } = pair
  const environment = {
    AWS_ENDPOINT_URL: access.endpoints.join(','),
    AWS_ACCESS_KEY_ID: access.access_key_id,
    AWS_SECRET_ACCESS_KEY: access.secret_access_key,
    TIDEMARK_CACHE: join(folder, 'cache'),
    TIDEMARK_WAREHOUSE: root,
    TIDEMARK_HOME: home,
  }
  // On a busy machine a statement may take longer than the 20 s that it usually has.
  const patient = argv[0] === 'sql' ? ['--time-limit', '5m'] : []
  const { exit_code, stdout, stderr } = await tidemark([...argv, ...patient, '--json'], { environment })
  expect([argv, exit_code, exit_code === 0 ? '' : stderr]).toEqual([argv, 0, ''])
  return stdout.replaceAll(root, 'ROOT').replace(/"elapsed_ms":\s*\d+/g, '"elapsed_ms":0')
}

test('the same commands on a folder and on an object store give the same answers', async () => {
  const dir = writeArchive(join(folder, 'archive'), TIDE_ROWS.map(valueLine))
  const tide = writeTideDefinition(folder, 'tide')
  const range = ['--from', TIDE_RANGE.from, '--to', TIDE_RANGE.to]
  const recorded = ['--clock', 'recorded']
  const kalshi = join(ROOT, 'datasets/recorded/kalshi_v2_recorded')
  const roots = [join(folder, 'warehouse'), 's3://bucket/warehouse'] as const
  const rowsOf = (table: string) => ['sql', `select * exclude (published_at) from ${table} order by all`]
  const reads = [
    ['sql', 'select * from index_observation_history order by all', '--as-of', '2026-01-05T06:00:00Z'],
    ['sql', 'select * from index_observation order by all'],
    rowsOf('market_quote'),
    ['index', 'replay', 'idx_tide', ...range],
    ['index', 'verify', '--index', 'idx_tide'],
  ]
  const commands = [
    ['import', 'forecastbench', dir, ...recorded],
    ['index', 'apply', tide, ...recorded],
    ['index', 'compute', 'idx_tide', ...range, ...recorded],
    ['import', 'kalshi', kalshi],
    ...reads,
    ['import', 'kalshi', kalshi],
    ['compact'],
    ['vacuum', '--retention', 'PT0S'],
    ...reads,
  ]
  for (const argv of commands) {
    const [here, there] = [await run(roots[0], argv), await run(roots[1], argv)]
    expect([argv, there]).toEqual([argv, here])
    if (reads.includes(argv)) expect(here.length).toBeGreaterThan(50)
  }
  for (const root of [...roots, ...roots]) expect(await run(root, ['audit'])).toMatch(/"violations":\s*\[\]/)
  const answers = await Promise.all(roots.map(apiAnswers))
  expect(answers[1]).toEqual(answers[0])
})

test('a home whose warehouse is in a bucket is backed up, and restored into a folder and into another bucket', async () => {
  const root = 's3://bucket/warehouse'
  const passphrase = join(folder, 'passphrase')
  writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 })
  const backups = join(folder, 'backups')
  const keys = ['--passphrase-file', passphrase]
  await run(root, ['log', 'append'])
  await run(root, ['backup', backups, ...keys])
  const reads = [
    ['sql', 'select * from index_observation_history order by all', '--as-of', '2026-01-05T06:00:00Z'],
    ['sql', 'select * exclude (published_at) from market_quote order by all'],
    ['index', 'verify', '--index', 'idx_tide'],
  ]
  mkdirSync(join(folder, 'objects', 'other'))
  for (const [n, restored] of [join(folder, 'restored-0', 'warehouse'), 's3://other/restored'].entries()) {
    const home = join(folder, `restored-${n}`)
    await run(restored, ['restore', backups, ...keys], home)
    for (const argv of reads) expect(await run(restored, argv, home)).toBe(await run(root, argv))
    expect(await run(restored, ['audit'], home)).toMatch(/"violations":\s*\[\]/)
    expect(JSON.parse(await run(restored, ['log', 'verify'], home))).toMatchObject({ seals: 1 })
  }
})

/** What the API answers about the index of a warehouse. */
async function apiAnswers(warehouse_root: string): Promise<readonly string[]> {
  const api = await serveApi({ warehouse_root, host: '127.0.0.1', port: 0, environment: 'test', rate_limits: 'off' })
  try {
    const paths = ['', '/price', '/prices?limit=100', '/price?as_of=2026-01-05T06:00:00Z']
    const texts: string[] = []
    for (const path of paths) {
      const answer = await fetch(`${api.base_url}/v1/indexes/idx_tide${path}`)
      expect([path, answer.status]).toEqual([path, 200])
      texts.push(JSON.stringify(((await answer.json()) as { data: unknown }).data))
    }
    return texts
  } finally {
    await api.close()
  }
}

test('without keys, with wrong ones, or without a bucket the message says what to check', async () => {
  const environment = { AWS_ENDPOINT_URL: pair.access.endpoints[0]!, TIDEMARK_CACHE: join(folder, 'cache') }
  const keys = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' }
  const tables = async (root: string, more: Readonly<Record<string, string>>) =>
    (await tidemark(['tables', '--warehouse', root], { environment: { ...environment, ...more } })).stderr
  expect(await tables('s3://bucket/none', keys)).toMatch(/there is no warehouse in s3:\/\/bucket\/none/)
  expect(await tables('s3://bucket/none', {})).toMatch(/with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY set/)
  expect(await tables('s3://bucket/none', { ...keys, AWS_SECRET_ACCESS_KEY: 'wrong' })).toMatch(
    /SignatureDoesNotMatch; check AWS_ENDPOINT_URL/,
  )
  expect(await tables('s3://absent/none', keys)).toMatch(/NoSuchBucket; check .* that the bucket exists/)
  expect(await tables('s3://bucket//none', keys)).toMatch(/allowed: a path, or s3:\/\/bucket\/prefix/)
})
