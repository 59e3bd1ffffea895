import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXAMPLES, exampleOf } from '../../../protocol/examples/examples.ts'
import { linkClient } from '../../support/npm-pack.ts'
import { sendExample } from '../../support/run-examples.ts'
import { until } from '../../support/service-process.ts'
import { ROOT } from '../../support/source-files.ts'
import { booksAlive } from './accounts.ts'
import { isAssessed, isRated, publicReads } from './public-reads.ts'
import type { Running } from './running.ts'

const START_MS = 300_000

/** What the documentation shows is what a sandbox does: every example, the requests and the code of the guides. */
export function docsTests(running: Running): void {
  const { service } = running

  test('the example of every operation succeeds, private ones with the keys of an account', async () => {
    const { base_url, environment, sandbox_accounts } = service().ready
    const home = { base_url, environment, account: sandbox_accounts[2]! }
    const reads = publicReads(running)
    await booksAlive(running)
    for (const isThere of [isRated, isAssessed]) await until(() => isThere(reads), START_MS, service().notes)
    const wrong: string[] = []
    for (const id of Object.keys(EXAMPLES)) {
      const { status, target, answer } = await sendExample(home, id)
      const { code = null, message = '' } = (answer as { error?: { code: string; message: string } }).error ?? {}
      const is_right = code === (exampleOf(id)!.refused_with ?? null) && (code !== null || status < 300)
      if (!is_right) wrong.push(`${id}: ${status} ${target}: ${message}`)
    }
    expect(wrong).toEqual([])
  }, 600_000)

  test('the guide to as_of: each request answers what stands below it', async () => {
    const page = readFileSync(join(ROOT, 'docs/start/as-of.md'), 'utf8')
    const shown = [...page.matchAll(/```sh\ncurl "http:\/\/127\.0\.0\.1:8080([^"]+)"\n```\n```json\n(.+)\n```/g)]
    expect(shown.length).toBe(3)
    for (const [, target, json] of shown) {
      const answer = await fetch(`${service().ready.base_url}${target}`)
      const { data } = (await answer.json()) as { readonly data: unknown }
      expect([target, [data].flat()]).toEqual([target, [expect.objectContaining(JSON.parse(json!))]])
    }
  })

  test('the guide to reconciling: its code finds no difference, after trades', () => {
    const page = readFileSync(join(ROOT, 'docs/start/reconcile.md'), 'utf8')
    const [, code] = /```ts\n(.*?)```/s.exec(page)!
    const folder = join(running.home, 'reconciler')
    mkdirSync(folder, { recursive: true })
    linkClient(folder)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'reconcile.ts'), code!)
    const { sandbox_accounts, ...ready } = service().ready
    writeFileSync(join(folder, 'ready.json'), JSON.stringify({ ...ready, sandbox_accounts: [sandbox_accounts[2]] }))
    const tsx = join(ROOT, 'node_modules/tsx/dist/loader.mjs')
    const options = { cwd: folder, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', tsx, 'reconcile.ts'], options)
    expect([status, stderr]).toEqual([0, ''])
    const lines = stdout.trim().split('\n')
    expect(lines).toContainEqual(expect.stringMatching(/^equal asset_usd \d+\.\d{6} \d+\.\d{6}$/))
    expect(lines).toContainEqual(expect.stringMatching(/^equal out_sandbox_tunnel_yes [1-9]/))
    expect(lines.filter((line) => !line.startsWith('equal '))).toEqual([])
  }, 120_000)
}
