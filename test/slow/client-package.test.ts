import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openBrowser } from '../console/support/open-browser.ts'
import { browserBundle, installClient, type PackedClient, packClient } from '../support/client-package.ts'
import { npmPack } from '../support/npm-pack.ts'
import { pageExamples } from '../support/readme-examples.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The archives as a stranger installs them: the server's with its dependencies, started; the client's two beside it. */
const server = tempFolder()
const project = tempFolder()
const ready_file = join(server, 'ready.json')
let packed: PackedClient
let child: ChildProcess | null = null
let notes = ''

beforeAll(async () => {
  packed = packClient(project)
  installClient(project, packed)
  symlinkSync(join(ROOT, 'node_modules/ws'), join(project, 'node_modules/ws'))
  const { filename } = npmPack('--pack-destination', server)
  writeFileSync(join(server, 'package.json'), '{ "private": true }')
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`]
  execFileSync('npm', install, { cwd: server, stdio: 'pipe' })
  const bin = join(server, 'node_modules/tidemark/cli/tidemark.mjs')
  const where = ['--port', '0', '--home', join(server, 'home'), '--ready-file', ready_file]
  child = spawn(process.execPath, [bin, 'up', ...where, '--no-sample-data', '--sandbox-accounts', '2'], { cwd: server })
  child.stdout!.resume()
  child.stderr!.on('data', (text: Buffer) => {
    notes += text.toString()
  })
  const is_ready = () => existsSync(ready_file) || child!.exitCode !== null
  await vi.waitUntil(is_ready, { timeout: 240_000, interval: 250 })
  copyFileSync(ready_file, join(project, 'ready.json'))
}, 900_000)

afterAll(async () => {
  if (child === null || child.exitCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}, 120_000)

describe('the server, installed from its archive', () => {
  test('starts, with a worker of Temporal whose code is compiled from the installed package', async () => {
    await expect.poll(() => notes, { timeout: 240_000 }).toContain('working through Temporal')
    expect(notes).not.toMatch(/INTERNAL_ERROR/)
  }, 300_000)

  test('is no client: that is a package of its own', () => {
    const said = spawnSync(process.execPath, ['--input-type=module', '--eval', "import 'tidemark/client'"], {
      cwd: server,
      encoding: 'utf8',
    })
    expect(said.stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})

describe('the examples of both READMEs', () => {
  const examples = [...pageExamples('client/README.md'), ...pageExamples('client/verifier/README.md')]

  test.each(examples)('$heading', ({ code }) => {
    writeFileSync(join(project, 'example.mjs'), code)
    const { status, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd: project, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('are all of the pages', () => expect(examples.length).toBeGreaterThan(11))
})

test('the client, bundled for a browser, reads and trades in Chromium from the page of another origin', async () => {
  const { base_url, environment, sandbox_accounts } = JSON.parse(readFileSync(ready_file, 'utf8'))
  const code = `
    import { createAccountStream, createPublicClient, createTradingClient } from 'tidemark-client'
    globalThis.use = async ({ base_url, environment, account }) => {
      const { server_time } = await createPublicClient(base_url).getTime()
      const owner = { signer_private_key: account.owner_private_key }
      const trading = createTradingClient({ ...account, ...owner, base_url, environment })
      const key = { key_id: account.key_id, environment, algorithm: 'hmac-sha256', secret: account.secret }
      const stream = createAccountStream({ base_url, key })
      const snapshot = new Promise((resolve) => stream.follow('account.balance', resolve))
      const terms = { market_id: 'mkt_sandbox_harbor', outcome_id: 'out_sandbox_harbor_yes', side: 'BUY' }
      const order = await trading.placeOrder({ ...terms, limit_price: '0.02', quantity: '5.00', maximum_fee: '1.00' })
      const canceled = await trading.cancelOrder(order.order_id)
      const { type, resources } = await snapshot
      stream.close()
      return [typeof server_time, canceled.status, type, resources.length > 0]
    }`
  // Another port of this machine is another origin; a page of the internet may not ask this machine at all.
  const pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>'))
  await once(pages.listen(0, '127.0.0.1'), 'listening')
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
    await page.addScriptTag({ content: await browserBundle(project, code), type: 'module' })
    const facts = { base_url, environment, account: sandbox_accounts[1] }
    await page.waitForFunction('typeof use === "function"')
    const used = await page.evaluate(`use(${JSON.stringify(facts)})`)
    expect(used).toEqual(['string', 'canceled', 'snapshot', true])
  } finally {
    await browser.close()
    pages.closeAllConnections()
    pages.close()
  }
}, 300_000)

test.each(['client', 'verifier'] as const)(
  'the tools that judge packages find no fault in entries and types: %s',
  (name) => {
    const cwd = join(project, `judged-${name}`)
    mkdirSync(cwd)
    // Without CommonJS, by decision: Node 20.19 and later load modules by require, too.
    const argv = ['--yes', '@arethetypeswrong/cli@0.18.5', '--profile', 'esm-only', packed[name].archive]
    const { status, stdout } = spawnSync('npx', argv, { cwd, encoding: 'utf8' })
    expect(status, stdout).toBe(0)
  },
)
