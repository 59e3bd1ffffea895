import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { beforeAll, describe, expect, test } from 'vitest'
import clientJson from '../../client/package.json' with { type: 'json' }
import verifierJson from '../../client/verifier/package.json' with { type: 'json' }
import rootJson from '../../package.json' with { type: 'json' }
import {
  browserBundle,
  declarationTexts,
  installClient,
  type PackedClient,
  packClient,
  runModule,
  typeErrors,
} from '../support/client-package.ts'
import { sized } from '../support/sized.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Budgets of what is installed, without dependencies, in bytes; and of bundles for browsers, gzipped. */
const BUDGETS = {
  client: 300_000,
  verifier: 320_000,
  'trading client in a browser': 120_000,
  'public reader in a browser': 25_000,
}
/** The compiler reads every declaration again for each. */
const RESOLUTIONS = sized(['nodenext'] as const, ['nodenext', 'bundler'] as const)
const folder = tempFolder()
const PACKAGES = [
  { name: 'client', folder: join(folder, 'node_modules/tidemark-client'), manifest: clientJson },
  { name: 'verifier', folder: join(folder, 'node_modules/tidemark-verify'), manifest: verifierJson },
] as const
let packed: PackedClient

beforeAll(() => {
  packed = packClient(folder)
  installClient(folder, packed)
})

describe.each(PACKAGES)('the archive of the $name', ({ name, folder: installed, manifest }) => {
  const CODE = {
    client: ['dist/index.js', 'dist/signing.js', 'dist/vectors.js', 'dist/verify.js'],
    verifier: ['dist/verify.js'],
  }[name]

  test('holds compiled code and declarations, its pages, and no source', () => {
    const paths = [...packed[name].sizes.keys()]
    const others = paths.filter((path) => !/^dist\/(.+\.d\.ts|(shared\/)?\w+\.js|vectors\.json\.br)$/.test(path))
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(paths.filter((path) => /^dist\/\w+\.js$/.test(path)).sort()).toEqual(CODE)
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  })

  test('keeps its budget', () => {
    const sizes = [...packed[name].sizes.values()]
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(BUDGETS[name])
  })

  test('has entries in which publint finds no fault', async () => {
    expect((await publint({ pkgDir: installed, strict: true, pack: false })).messages).toEqual([])
  })

  test('declares no type of a package or of Node, but for the name of the verifier', () => {
    const named = declarationTexts(join(installed, 'dist')).flatMap((text) => [
      ...text.matchAll(/(?:from |import\()['"](?!\.|tidemark-verify')[^'"]+|\bBuffer\b|\bNodeJS\b/g),
    ])
    expect(named.map(([match]) => match)).toEqual([])
  })

  test('asks for the packages of the checkout, in the same versions', () => {
    const of_checkout: Readonly<Record<string, string>> = {
      ...rootJson.dependencies,
      'tidemark-client': clientJson.version,
    }
    const names = Object.keys(manifest.dependencies)
    expect(manifest.dependencies).toEqual(Object.fromEntries(names.map((each) => [each, of_checkout[each]])))
    expect(manifest.engines).toEqual(rootJson.engines)
    expect(clientJson.peerDependencies).toEqual({ 'tidemark-verify': verifierJson.version })
  })
})

/** Uses each entry; with a service that answers a write with what was sent. */
const USE = `
import { createPublicClient, createTradingClient, decimal, isTidemarkError, TidemarkError } from 'tidemark-client'
import { newEd25519Key, newSignerKey, signOrder } from 'tidemark-client/signing'
import { readVectors } from 'tidemark-client/vectors'
import { verifyOverHttp, verifyRecord } from 'tidemark-client/verify'
const reads = createPublicClient('http://service.example', {
  fetch: async () => new Response(JSON.stringify({ data: { server_time: 'now' }, meta: { schema_version: '1.0' } })),
})
const key = { key_id: 'key_a', environment: 'test', secret: newEd25519Key().private_key }
const account = { account_id: 'acct_a', signer_private_key: newSignerKey().private_key, ...key }
const trades = createTradingClient({
  ...account,
  base_url: 'http://service.example',
  fetch: async (_, { body = '' }) => {
    const sent = JSON.parse(body)
    return new Response(JSON.stringify({ data: { ...sent, original_quantity: sent.quantity }, meta: {} }))
  },
})
const { server_time } = await reads.getTime()
const order = await trades.placeOrder({
  market_id: 'mkt_a', outcome_id: 'out_a', side: 'BUY',
  limit_price: decimal('0.5'), quantity: '1', maximum_fee: '1',
})
`

test('files have the same names wherever the build is started, so that each package can be packed alone', () => {
  const argv = [join(ROOT, 'tools/client/build.mjs'), '--names']
  const { stdout } = spawnSync(process.execPath, argv, { cwd: join(ROOT, 'client/verifier'), encoding: 'utf8' })
  const paths = [...packed.client.sizes.keys(), 'dist/verify.js'].filter((path) => path.endsWith('.js'))
  expect(stdout.trim().split('\n').sort()).toEqual([...new Set(paths)].map((path) => path.replace('dist/', '')).sort())
})

describe('installed in an empty folder', () => {
  test('runs as plain JavaScript', () => {
    const said = runModule(
      folder,
      `${USE}
      let refused = null
      try { verifyRecord('nothing', 'nothing') } catch (error) { refused = error }
      const kinds = [typeof signOrder, typeof verifyOverHttp, refused instanceof TidemarkError, isTidemarkError(refused)]
      const own = await import('tidemark-verify')
      kinds.push(own.verifyRecord === verifyRecord, own.TidemarkError === TidemarkError)
      console.log(JSON.stringify([server_time, order.side, kinds]))`,
    )
    expect(JSON.parse(said)).toEqual(['now', 'BUY', ['function', 'function', true, true, true, true]])
  })

  test('signs the vectors of requests that it holds', () => {
    const said = runModule(
      folder,
      `import { signRequest } from 'tidemark-client/signing'
      import { readVectors } from 'tidemark-client/vectors'
      const { keys, cases } = readVectors().requests
      const code = ({ key_id, request }) => {
        try {
          return signRequest(request, keys.find((key) => key.key_id === key_id))['SVC-Access-Signature']
        } catch (error) { return error.code }
      }
      const signed = cases.filter(({ operation }) => operation === 'sign')
      const wrong = signed.filter(({ input, expected, error }) => code(input) !== (expected?.signature ?? error.code))
      console.log(JSON.stringify([signed.length, wrong]))`,
    )
    expect(JSON.parse(said)).toEqual([59, []])
  })

  test('holds the vectors of the checkout', () => {
    const said = runModule(
      folder,
      "import { readVectors } from 'tidemark-client/vectors'\nconsole.log(JSON.stringify(readVectors()))",
    )
    const at = join(ROOT, 'datasets/vectors')
    const names = readdirSync(at).filter((name) => name.endsWith('.json'))
    expect(names.length).toBeGreaterThan(9)
    expect(JSON.parse(said)).toEqual(
      Object.fromEntries(
        names.map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(at, name), 'utf8'))]),
      ),
    )
  })

  test.each([
    [
      'tidemark-client',
      "import { createTradingClient } from 'tidemark-client'\ncreateTradingClient({ base_url: 'x' })",
    ],
    ['tidemark-client/verify', "import { verifyRecord } from 'tidemark-client/verify'\nverifyRecord('nothing', 'x')"],
  ])('prints an error that nothing catches with its class, its functions and one short line: %s', (_, code) => {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^TidemarkError: /m)
    const functions = [...stderr.matchAll(/^ +at (?:new )?([\w$.]+) \(.*tidemark-(?:client|verify)/gm)].map(
      ([, name]) => name!,
    )
    expect(functions.length).toBeGreaterThan(1)
    expect(functions.filter((name) => name.length < 4 && name !== 'now')).toEqual([])
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(1200)
  })

  test.each(RESOLUTIONS)('has types that the strict compiler takes: %s', (resolution) => {
    const use = `${USE}
      const status: 'open' | string = order.status
      const price: string | null = order.average_fill_price
      const names: readonly string[] = readVectors().levels!.cases.map(({ name }) => name)
      const known: 'INDEX_NOT_FOUND' extends TidemarkError['code'] ? true : false = true
      for await (const fill of trades.listFills({ market_id: 'mkt_a' })) fill.price satisfies string
      for await (const level of reads.listIndexPrices({ index_id: 'idx_a' })) level.index_id satisfies string
      // @ts-expect-error: decimals are strings
      trades.placeOrder({ market_id: 'm', outcome_id: 'o', side: 'BUY', limit_price: 0.5, quantity: '1', maximum_fee: '1' })
      // @ts-expect-error: no such operation
      reads.getNothing()
      export { status, price, known, names, server_time, signOrder, verifyOverHttp, verifyRecord, isTidemarkError, TidemarkError }`
    expect(typeErrors(folder, use, resolution)).toBe('')
  })
})

test.each([
  ['public reader in a browser', 'createPublicClient'],
  [
    'trading client in a browser',
    'createTradingClient, createAccountStream, createAccountMirror, createOrderSocket, createPublicClient',
  ],
] as const)('%s is small, and needs nothing of Node', async (budget, names) => {
  const code = await browserBundle(folder, `export { ${names} } from 'tidemark-client'`)
  expect(gzipSync(code).length).toBeLessThan(BUDGETS[budget])
  expect(code).not.toMatch(/\bnode:|\brequire\(|\bBuffer\./)
})
