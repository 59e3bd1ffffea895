import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { withDatabase } from '../support/trading/postgres.ts'
import { ENVIRONMENT } from '../support/trading/served-accounts.ts'
import { openBrowser } from './support/open-browser.ts'
import { wrongInLooks } from './support/page-checks.ts'
import { MARKET_ID, NO, startTradingService, type TradingService, YES } from './support/trading-service.ts'
import { oneVisitor, type VisitedPage } from './support/visit-page.ts'

const browser = await openBrowser()
const visitor = await oneVisitor(browser)
const database = withDatabase()
const folder = tempFolder()
let service: TradingService
let page: VisitedPage['page']
let seen: VisitedPage['seen']
let shows: VisitedPage['shows']

/** Points of a past hour; the last one lacks a mark. */
const QUARTER_MS = 900_000
const pointAt = (quarters_ago: number, more: object) => {
  const at = new Date((Math.floor(Date.now() / QUARTER_MS) - quarters_ago) * QUARTER_MS).toISOString()
  return { at, asset_id: 'asset_usd', net_deposits: '100000', missing_mark_outcome_ids: [], ...more }
}
const EQUITY = {
  data: [
    pointAt(2, { cash: '100000', holdings_value: '0', equity: '100000' }),
    pointAt(1, { cash: '99995', holdings_value: '5.25', equity: '100000.25' }),
    pointAt(0, { cash: '99990.5', holdings_value: null, equity: null, missing_mark_outcome_ids: [YES] }),
  ],
  page: { next_cursor: null, has_more: false },
  meta: { request_id: 'req_equity', published_at: '2026-01-01T00:00:00Z' },
}

describe('a complementary market', () => {
  beforeAll(async () => {
    service = await startTradingService((await database()).pool, folder, ENVIRONMENT, true)
    await service.place('acct_b', { side: 'BUY', limit_price: '0.40', quantity: '30' })
    await service.place('acct_b', { side: 'SELL', limit_price: '0.60', quantity: '12', outcome_id: NO })
    await service.place('acct_b', { side: 'BUY', limit_price: '0.45', quantity: '20', outcome_id: NO })
  }, 240_000)
  afterEach(() => visitor.leave())
  afterAll(async () => {
    await browser.close()
    await service?.close()
  })

  async function visit(): Promise<void> {
    ;({ page, seen, shows } = await visitor.visit(`${service.base_url}/?view=trade&market=${MARKET_ID}`))
    await page.route('**/v1/account/equity-history*', (route) => route.fulfill({ json: EQUITY }))
    const buffer = Buffer.from(service.readyText(['acct_a']))
    await page.setInputFiles('#ready-file', { name: 'ready.json', mimeType: 'application/json', buffer })
    await page.getByRole('button', { name: 'Connect acct_a' }).click()
    await page.getByRole('heading', { name: 'Order history' }).waitFor()
  }
  const field = (id: string) => page.inputValue(`#${id}`)
  const checked = (name: string) => page.getByRole('radio', { name, exact: true }).isChecked()

  test('one book shows both outcomes, mirrored, and what rests as the other one', async () => {
    await visit()
    const rows = page.locator('.pair-ladder tbody:not(.spread) tr')
    await rows.nth(1).waitFor()
    expect(await page.locator('.ladder').count()).toBe(1)
    // Bought as No at 0.45, so offered as Yes at 0.55; a sale of No at 0.60 stands beside the purchase of Yes at 0.40.
    expect(await rows.allTextContents()).toEqual([
      expect.stringMatching(/0\.55\s*20\s*◇ 20\s*20\s*0\.45/),
      expect.stringMatching(/0\.40\s*42\s*◇ 12\s*42\s*0\.60/),
    ])
    await page.getByRole('button', { name: 'bid 0.45: Sell No at 0.45' }).click()
    expect([await field('limit_price'), await checked('SELL'), await checked('No')]).toEqual(['0.45', true, true])
    await page.getByRole('button', { name: 'ask 0.55: Buy Yes at 0.55' }).click()
    expect([await field('limit_price'), await checked('BUY'), await checked('Yes')]).toEqual(['0.55', true, true])
    expect(seen.problems).toEqual([])
  })

  test('an order is entered, previewed and sent by keys alone; Enter does not send', async () => {
    await visit()
    const act = page.locator('.act', { hasText: 'Place BUY 10 Yes at 0.55' })
    await page.locator('body').press('?')
    await shows('.key-help', 'send the previewed order')
    await page.locator('body').press('s')
    expect(await checked('SELL')).toBe(true)
    await page.locator('body').press('b')
    await page.locator('body').press('o')
    expect([await checked('BUY'), await checked('No')]).toEqual([true, true])
    await page.locator('body').press('o')
    await page.locator('body').press('p')
    expect(await page.evaluate('document.activeElement.id')).toBe('limit_price')
    await page.keyboard.type('0.53')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    expect(await field('limit_price')).toBe('0.55')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
    await page.fill('#quantity', '10')
    await page.keyboard.press('Enter')
    await shows('.review', /Opens10 Yes at 0\.55/)
    await shows('.review', /Cost5\.5/)
    await shows('.review', /Fee at most0\.1/)
    await shows('.review', /Payout if it wins10/)
    await shows('.review', /Worst loss5\.6/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.locator('.review').waitFor({ state: 'detached' })
    expect(await act.count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.locator('.review').waitFor()
    await page.keyboard.press('Control+Enter')
    await act.getByText('✓ done').waitFor()
    await page.getByRole('region', { name: 'Positions' }).locator('tbody tr', { hasText: 'Yes' }).waitFor()
    expect(seen.problems).toEqual([])
  })

  test('what closes is told apart from what opens', async () => {
    await visit()
    await page.getByRole('radio', { name: 'SELL', exact: true }).check({ force: true })
    await page.getByRole('radio', { name: 'Yes', exact: true }).check({ force: true })
    await page.fill('#limit_price', '0.40')
    await page.fill('#quantity', '14')
    await page.keyboard.press('Enter')
    await shows('.review', /Closes10 Yes at 0\.4/)
    await shows('.review', /Opens4 No at 0\.6/)
    await shows('.review', /Receives at least4/)
  })

  test('the review names an own order in the way before the order is sent', async () => {
    await service.place('acct_a', { side: 'BUY', limit_price: '0.50', quantity: '3' })
    await visit()
    await page.getByRole('radio', { name: 'SELL', exact: true }).check({ force: true })
    await page.getByRole('radio', { name: 'Yes', exact: true }).check({ force: true })
    await page.fill('#limit_price', '0.50')
    await page.fill('#quantity', '5')
    await page.keyboard.press('Enter')
    await shows('.review', /Ends at onceSELF_TRADE_PREVENTION/)
    await shows('.review', /Own orders in the way1, kept \(cancel_taker\)/)
  })

  test('the statement has each entry with its cause, is filtered, and is saved as a table', async () => {
    await visit()
    const statement = page.getByRole('region', { name: 'Statement' })
    await statement.locator('tbody tr', { hasText: 'deposit' }).first().waitFor()
    await page.selectOption('#statement-kind', 'fill')
    await statement.locator('tbody tr', { hasText: 'fill' }).first().waitFor()
    const isFiltered = async () => {
      const rows = await statement.locator('tbody tr').allTextContents()
      return rows.length > 0 && rows.every((text) => text.includes('fill') && !text.includes('deposit'))
    }
    await expect.poll(isFiltered).toBe(true)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('statement.csv')
    const [names, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(names).toContain('ledger_sequence')
    expect(lines.length).toBe(await statement.locator('tbody tr').count())
    expect(lines.every((line) => line.includes(',fill,'))).toBe(true)
    expect(seen.problems).toEqual([])
  })

  test('equity is a curve, whose values the keys tell; the page is right in every look', async () => {
    await visit()
    const curve = page.getByRole('slider', { name: /Equity over time/ })
    await curve.waitFor()
    await curve.focus()
    await page.keyboard.press('End')
    await shows('.readout', /equity\s*unknown\s*cash\s*99,990\.5/)
    await page.keyboard.press('ArrowLeft')
    await shows('.readout', /equity\s*100,000\.25\s*cash\s*99,995\s*holdings\s*5\.25/)
    await shows('section', /Unknown where a mark is missing: out_tide_yes/)
    await page.getByRole('radio', { name: '7 d' }).check({ force: true })
    await curve.waitFor()
    await page.locator('body').press('?')
    await page.fill('#limit_price', '0.30')
    await page.fill('#quantity', '10')
    await page.locator('#quantity').press('Enter')
    await page.locator('.review').waitFor()
    expect(await wrongInLooks(page)).toEqual([])
    expect(seen.problems).toEqual([])
  })
})
