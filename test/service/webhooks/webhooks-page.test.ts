import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Deliverer, startDeliverer } from '../../../api/webhooks/deliverer.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { linkClient } from '../../support/npm-pack.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ENVIRONMENT, SEALING, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

const PAGE = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8')
const database = withDatabase()
const home = tempFolder()
let served: ServedAccounts
let deliverer: Deliverer
const problems: unknown[] = []

beforeAll(async () => {
  const { pool } = await database()
  served = await serveAccounts(pool, { webhook_hosts: ['127.0.0.1'] })
  const { engine, trading } = served
  deliverer = startDeliverer({
    ...{ pool, engine, stream_reads: trading.stream_reads, sealing: SEALING, targets: trading.webhook_targets },
    ...{ now: wallClock, random: Math.random, onFailure: (error) => problems.push(error) },
  })
}, 180_000)
afterAll(async () => {
  await deliverer.close()
  await served.close()
})

/** Ports that the system gives to nobody by itself: a free one stays free until it is listened at. */
const [FIRST, LAST] = [10_000, 30_000]

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    const probe = createServer()
    const is_free = new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!(await is_free)) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

test('the first webhook of the page works from top to bottom', async () => {
  const base_url = await served.app.listen({ host: '127.0.0.1', port: 0 })
  const { key_id, secret } = served.keys.acct_a as { readonly key_id: string; readonly secret: string }
  linkClient(home)
  const account = { account_id: 'acct_a', key_id, secret }
  writeFileSync(
    join(home, 'ready.json'),
    JSON.stringify({ base_url, environment: ENVIRONMENT, sandbox_accounts: [account] }),
  )
  const [first, second] = [...PAGE.matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block!)
  const port = String(await freePort())
  writeFileSync(join(home, 'hook.mjs'), `${first}\n${second}`.replaceAll('4242', port))
  const child = spawn(process.execPath, ['hook.mjs'], { cwd: home })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const [exit_code] = await once(child, 'close')
  expect([exit_code, stderr]).toEqual([0, ''])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim())
  expect(lines.slice(0, 3).sort()).toEqual(['transfer.canceled canceled', 'transfer.held held', 'webhook.test'])
  expect(lines.slice(3, 6).sort()).toEqual(['transfer.canceled 204', 'transfer.held 204', 'webhook.test 204'])
  expect(lines.slice(6)).toEqual([expect.stringMatching(/^whe_/), expect.stringMatching(/^whe_/)])
  expect(problems).toEqual([])
})
