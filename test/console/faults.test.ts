import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { damageFirstLevel, type LiveWarehouse, startLiveWarehouse } from './support/live-warehouse.ts'
import { openBrowser } from './support/open-browser.ts'
import { oneVisitor } from './support/visit-page.ts'

/** The page before the real service and a real warehouse, when something of it fails. */
const browser = await openBrowser()
const visitor = await oneVisitor(browser)
const { page } = visitor
const folder = tempFolder()
/** Without a version a level may be as old as two ticks of a minute and a grace of five seconds. */
const MAX_AGE_S = 125
const TEST_MS = 120_000
let count = 0
let live: LiveWarehouse

afterAll(() => browser.close())
beforeEach(async () => {
  count += 1
  live = await startLiveWarehouse(join(folder, `warehouse-${count}`))
})
afterEach(async () => {
  await visitor.leave()
  await live.close()
})

const shows = (selector: string, wanted: string) => page.locator(selector, { hasText: wanted }).first().waitFor()
const priceOf = async (index_id: string) => {
  const response = await fetch(`${live.api.base_url}/v1/indexes/${index_id}/price`)
  const { data, meta } = (await response.json()) as { data: { level: string }; meta: { stale?: boolean } }
  return { level: data.level, stale: meta.stale ?? false, since: response.headers.get('svc-stale-since') }
}

describe('faults behind the page', () => {
  test(
    'nobody publishes any more: the level stays and is labeled stale, by itself; the next one is not',
    async () => {
      // A page that was open before the first level knows when that is stale, too.
      await visitor.visit(live.api.base_url)
      await shows('tr:has-text("ONE") .none', 'no level yet')
      await shows('.connection', 'live')
      await live.publish('idx_one', '1000.0000', MAX_AGE_S - 5)
      await shows('tr:has-text("ONE") .level', '1,000.0000')
      await shows('tr:has-text("ONE") .overdue', 'stale')
      await live.publish('idx_one', '1000.1000', MAX_AGE_S - 12)
      await live.publish('idx_two', '1000.2000', 5)
      await page.goto(live.api.base_url)
      await shows('tr:has-text("ONE") .level', '1,000.1000')
      await shows('tr:has-text("TWO") .level', '1,000.2000')
      await shows('.connection', 'live')
      expect(await page.locator('.overdue').count()).toBe(0)
      expect(await priceOf('idx_one')).toEqual({ level: '1000.1000', stale: false, since: null })
      await shows('tr:has-text("ONE") .overdue', 'stale')
      await shows('tr:has-text("ONE") .level', '1,000.1000')
      expect(await priceOf('idx_one')).toMatchObject({
        level: '1000.1000',
        stale: true,
        since: expect.stringMatching(/Z$/),
      })
      expect(await page.locator('tr:has-text("TWO") .overdue').count()).toBe(0)
      await shows('.connection', 'live') // the service is not behind: there is nothing newer
      await live.publish('idx_one', '1000.3000', 0)
      await shows('tr:has-text("ONE") .level', '1,000.3000')
      expect(await page.locator('.overdue').count()).toBe(0)
      expect(await priceOf('idx_one')).toEqual({ level: '1000.3000', stale: false, since: null })
    },
    TEST_MS,
  )

  test(
    'a damaged data file is an error that names it; levels and other indexes are served; repaired, it is read without a reload',
    async () => {
      await live.publish('idx_one', '1000.1000', 60)
      await until(async () => (await priceOf('idx_one').catch(() => null))?.level === '1000.1000')
      const { file, repair } = await damageFirstLevel(live)
      await live.publish('idx_two', '1000.2000', 5)
      await visitor.visit(`${live.api.base_url}/?index=idx_one`)
      await shows('.figure .now', '1,000.1000')
      await shows('[role=alert]', `data file ${file} is damaged`)
      await shows('[role=alert]', 'WAREHOUSE_CORRUPT')
      await page.goto(`${live.api.base_url}/?index=idx_two`)
      await shows('.figure .now', '1,000.2000')
      await shows('.facts', '1,000.2000')
      await page.goto(`${live.api.base_url}/?index=idx_one`)
      await shows('[role=alert]', 'is damaged')
      await repair()
      await shows('.facts', '1,000.1000')
      const damage = async () => {
        const alerts = await page.locator('[role=alert]').allTextContents()
        return alerts.filter((text) => text.includes('is damaged'))
      }
      await expect.poll(damage, { timeout: 40_000 }).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a damaged log: the service says that it is behind, what it has stays, and it goes on when the log is whole',
    async () => {
      await live.publish('idx_one', '1000.1000', 5)
      await visitor.visit(live.api.base_url)
      await shows('tr:has-text("ONE") .level', '1,000.1000')
      await shows('.connection', 'live')
      const next = join(live.root, 'index_observation/_delta_log/00000000000000000002.json')
      await writeFile(next, 'no commit')
      await until(async () => (await priceOf('idx_one')).stale)
      await shows('.connection', 'stale')
      await shows('tr:has-text("ONE") .level', '1,000.1000')
      await rm(next)
      await until(async () => !(await priceOf('idx_one')).stale)
      await live.publish('idx_one', '1000.2000', 0)
      await shows('tr:has-text("ONE") .level', '1,000.2000')
      await shows('.connection', 'live')
    },
    TEST_MS,
  )
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await condition()); ) {
    if (Date.now() > end) throw new RangeError('still waiting')
    await new Promise((next) => setTimeout(next, 100))
  }
}
