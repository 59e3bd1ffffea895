import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../../api/pages/operations.ts'
import { LIVE_EXAMPLES } from '../../support/live-examples.ts'
import { linkClient } from '../../support/npm-pack.ts'
import { wrongExamples } from '../../support/run-examples.ts'
import { until } from '../../support/service-process.ts'
import { ROOT } from '../../support/source-files.ts'
import { booksAlive } from './accounts.ts'
import { isAssessed, isRated, publicReads } from './public-reads.ts'
import type { Running } from './running.ts'

const START_MS = 300_000

/** What the documentation shows is what a sandbox does; test/api/agreement has the examples of the sample week. */
export function docsTests(running: Running): void {
  const { service } = running

  test('the example of every private operation succeeds, and of every public one that the live world has', async () => {
    const { base_url, environment, sandbox_accounts } = service().ready
    const home = { base_url, environment, account: sandbox_accounts[2]! }
    const reads = publicReads(running)
    await booksAlive(running)
    for (const isThere of [isRated, isAssessed]) await until(() => isThere(reads), START_MS, service().notes)
    const of_accounts = [...operations().values()].filter(({ scope }) => scope !== null)
    expect(of_accounts.length).toBeGreaterThan(50)
    const ids = [...of_accounts.map(({ operation_id }) => operation_id), ...LIVE_EXAMPLES]
    // The log has a record some seconds after it was published.
    let wrong: readonly string[] = ids
    const areRight = async () => {
      wrong = await wrongExamples(
        home,
        wrong.map((line) => line.split(':')[0]!),
      )
      return !wrong.some((line) => line.includes('is not covered by a checkpoint yet'))
    }
    await until(areRight, START_MS, service().notes)
    expect(wrong).toEqual([])
  }, 600_000)

  test('the guide to reconciling: its code finds no difference, after trades', () => {
    const page = readFileSync(join(ROOT, 'docs/start/reconcile.md'), 'utf8')
    const [, code] = /```js\n(.*?)```/s.exec(page)!
    const folder = join(running.home, 'reconciler')
    mkdirSync(folder, { recursive: true })
    linkClient(folder)
    writeFileSync(join(folder, 'reconcile.mjs'), code!)
    const { sandbox_accounts, ...ready } = service().ready
    const given = { ...ready, sandbox_accounts: [sandbox_accounts[2]] }
    writeFileSync(join(folder, 'ready.json'), JSON.stringify(given))
    const options = { cwd: folder, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, ['reconcile.mjs'], options)
    expect([status, stderr]).toEqual([0, ''])
    const lines = stdout.trim().split('\n')
    expect(lines).toContainEqual(expect.stringMatching(/^equal asset_usd \d+\.\d{6} \d+\.\d{6}$/))
    expect(lines).toContainEqual(expect.stringMatching(/^equal out_sandbox_tunnel_yes [1-9]/))
    expect(lines.filter((line) => !line.startsWith('equal '))).toEqual([])
  }, 120_000)
}
