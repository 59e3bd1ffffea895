import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { withDatabase } from '../support/trading/postgres.ts'
import { type AccountName, PRIVATE_KEYS } from '../support/trading/served-accounts.ts'
import { openBrowser } from './support/open-browser.ts'
import { LOW_CONTRAST, UNNAMED, wrongInLooks } from './support/page-checks.ts'
import { MARKET_ID, NO, startTradingService, type TradingService } from './support/trading-service.ts'
import { oneVisitor, type VisitedPage, visitPage } from './support/visit-page.ts'

const browser = await openBrowser()
const visitor = await oneVisitor(browser)
const database = withDatabase()
const folder = tempFolder()
let service: TradingService
let page: VisitedPage['page']
let seen: VisitedPage['seen']
let shows: VisitedPage['shows']

describe('trading for an account', () => {
  beforeAll(async () => {
    service = await startTradingService((await database()).pool, folder)
  }, 240_000)
  afterEach(() => visitor.leave())
  afterAll(async () => {
    await browser.close()
    await service?.close()
  })

  async function visit(path = `/?view=trade&market=${MARKET_ID}`): Promise<void> {
    ;({ page, seen, shows } = await visitor.visit(`${service.base_url}${path}`))
  }
  const row = (table: string, wanted: string | RegExp) =>
    page.getByRole('region', { name: table }).locator('tbody tr', { hasText: wanted }).first()

  async function openAccount(account: AccountName, given = service.readyText([account])): Promise<void> {
    await page.setInputFiles('#ready-file', jsonFile(given))
    await page.getByRole('button', { name: `Connect ${account}` }).click()
    await shows('.account-bar', account)
    await shows('.account-bar', 'signed by')
    await page.getByRole('heading', { name: 'Order history' }).waitFor()
  }
  async function fillIn(side: 'BUY' | 'SELL', limit_price: string, quantity: string): Promise<void> {
    await page.getByRole('radio', { name: side, exact: true }).check({ force: true })
    await page.fill('#limit_price', limit_price)
    await page.fill('#quantity', quantity)
  }
  const sign = () => page.getByRole('button', { name: /^Sign/ }).click()
  async function place(side: 'BUY' | 'SELL', limit_price: string, quantity: string): Promise<void> {
    await fillIn(side, limit_price, quantity)
    await sign()
    await page.getByRole('button', { name: /^Place/ }).click()
    await page
      .locator('.act', { hasText: `Place ${side} ${quantity} Yes at ${limit_price}` })
      .getByText('✓ done')
      .waitFor()
  }

  test('an order is previewed, rests, executes while it is looked at, is replaced and canceled; no secret leaves the page', async () => {
    await visit()
    await openAccount('acct_a')
    await shows('.feed', 'Account connected')
    await fillIn('BUY', '0.50', '40')
    expect(await page.inputValue('#maximum_notional')).toBe('20')
    expect(await page.inputValue('#maximum_fee')).toBe('1')
    await sign()
    await shows('.review', /Reserves20\.4/)
    expect(await row('Open orders', 'BUY').count()).toBe(0)
    await page.getByRole('button', { name: 'Place BUY 40 Yes at 0.50' }).click()
    await row('Open orders', /BUY0\.540/).waitFor()
    await shows('.account-bar .available', '99,979.6')
    await shows('.ladder', '◆ 40')

    await shows('.books', 'No trades in the last 30 days')
    const before = seen.requests.length
    await service.place('acct_b', { side: 'SELL', limit_price: '0.50', quantity: '15' })
    await row('Open orders', /BUY0\.52515/).waitFor()
    await row('Positions', /Yes.*150\.5unknown/s).waitFor()
    await row('Fills', /BUY0\.515/).waitFor()
    await row('Public trades', /▼ sellsYes0\.515/).waitFor()
    await row('Settlements', /trade settlement/).waitFor()
    await row('Balances', /asset_usd/).waitFor()
    expect(await row('Balances', 'asset_usd').textContent()).toContain('7.5')
    // The stream told all of it: only marks are read meanwhile.
    const asked = seen.requests.slice(before).filter((url) => /\/v1\/(orders|fills|balances|settlements)/.test(url))
    expect(asked).toEqual([])

    await page.getByRole('button', { name: 'Replace BUY 25.00 at 0.50' }).click()
    await page.fill('#limit_price', '0.48')
    await sign()
    await page.getByRole('button', { name: 'Replace with BUY 25.00 Yes at 0.48' }).click()
    await row('Open orders', /BUY0\.48250/).waitFor()
    await row('Order history', /REPLACED/).waitFor()
    await page.getByRole('button', { name: 'Cancel BUY 25.00 at 0.48' }).click()
    await shows('section', 'No open orders')
    await row('Order history', /USER_CANCELED/).waitFor()

    const sent = seen.sent()
    expect(sent.filter((text) => text.includes(PRIVATE_KEYS.acct_a.repeat(32)))).toEqual([])
    const { secret } = service.served.keys.acct_a as { secret: string }
    expect(sent.filter((text) => text.includes(secret))).toEqual([])
    expect(await page.evaluate('JSON.stringify([sessionStorage.length, localStorage.length, document.cookie])')).toBe(
      '[0,0,""]',
    )
    expect(seen.problems).toEqual([])
    expect(seen.foreign()).toEqual([])
  })

  const tape = async () => {
    const rows = page.getByRole('region', { name: 'Public trades' }).locator('tbody tr')
    return (await rows.allTextContents()).map((text) => text.replace(/^[\d:-]+ ?/, ''))
  }

  test('the tape begins with the last trades and follows them, each once and newest first', async () => {
    await service.place('acct_a', { side: 'BUY', limit_price: '0.41', quantity: '7' })
    await service.place('acct_b', { side: 'SELL', limit_price: '0.41', quantity: '7' })
    await visit()
    await row('Public trades', /▼ sellsYes0\.417/).waitFor()
    await shows('.connection', 'live')
    await service.place('acct_b', { side: 'SELL', limit_price: '0.42', quantity: '3' })
    await service.place('acct_a', { side: 'BUY', limit_price: '0.42', quantity: '3' })
    await row('Public trades', /▲ buysYes0\.423/).waitFor()
    const before = await tape()
    expect(before.slice(0, 2)).toEqual(['▲ buysYes0.423', '▼ sellsYes0.417'])
    expect(new Set(before).size).toBe(before.length)
    expect(await wrongInLooks(page)).toEqual([])
    await page.reload()
    await row('Public trades', /▲ buysYes0\.423/).waitFor()
    await expect.poll(tape).toEqual(before)
  })

  test('cancel-all is asked for twice, and ends every order; meanwhile the page is right in every look', async () => {
    await visit()
    await openAccount('acct_a')
    await place('BUY', '0.11', '10')
    await place('BUY', '0.12', '10')
    await fillIn('BUY', '0.999', '10')
    await sign()
    await page.locator('.review, .ticket > .refusal').first().waitFor()
    expect(await wrongInLooks(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel all …' }).click()
    await page.getByRole('button', { name: 'Cancel all 2 orders' }).click()
    await shows('section', 'No open orders')
    await shows('.act', '2 of 2 canceled, 0 failed')
  })

  test('a price of the book fills the ticket, on the other side', async () => {
    await visit()
    await openAccount('acct_a')
    await service.place('acct_b', { side: 'SELL', limit_price: '0.93', quantity: '7', outcome_id: NO })
    await page.getByRole('button', { name: 'ask 0.93: Buy No at 0.93' }).click()
    expect(await page.inputValue('#limit_price')).toBe('0.93')
    expect(await page.getByRole('radio', { name: 'BUY' }).isChecked()).toBe(true)
    expect(await page.getByRole('radio', { name: 'No' }).isChecked()).toBe(true)
  })

  test('a refusal is told as the service says it: no money, another signer, what is no decimal', async () => {
    await visit()
    await openAccount('acct_empty')
    await fillIn('BUY', '0.5', '10')
    await sign()
    await shows('.review .refusal', 'BALANCE_INSUFFICIENT_COLLATERAL')
    await page.getByRole('button', { name: /^Place/ }).click()
    await shows('.ticket > .refusal', 'BALANCE_INSUFFICIENT_COLLATERAL')
    expect(await page.locator('.ticket > .refusal').textContent()).toMatch(/request [0-9a-f-]{36}/)
    await row('Order history', /rejected.*BALANCE_INSUFFICIENT_COLLATERAL/).waitFor()

    await page.getByRole('button', { name: 'Disconnect' }).click()
    const file = JSON.parse(service.readyText(['acct_a'])) as { sandbox_accounts: { owner_private_key: string }[] }
    file.sandbox_accounts[0]!.owner_private_key = `0x${PRIVATE_KEYS.acct_b.repeat(32)}`
    await openAccount('acct_a', JSON.stringify(file))
    await fillIn('BUY', 'half', '10')
    await sign()
    await shows('.field [role=alert]', 'limit_price is "half"; allowed: a decimal')
    await page.fill('#limit_price', '0.505')
    await sign()
    await shows('.ticket > .refusal', 'SIGNATURE_SIGNER_UNAUTHORIZED')
    await shows('.ticket > .refusal', 'expected_signer')
  })

  test('where the outcome is not known the same is asked for again, under one Idempotency-Key with new nonces, and is done once', async () => {
    await visit()
    await openAccount('acct_a')
    const headers: Record<string, string>[] = []
    /** Releases the repeated request after the page shows that it waits. */
    let goOn = () => {}
    const seen_waiting = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/v1/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      headers.push(route.request().headers())
      if (headers.length > 1) await seen_waiting
      const answer = await route.fetch()
      if (headers.length > 1) return route.fulfill({ response: answer })
      const error = {
        code: 'OUTCOME_UNKNOWN',
        message: 'No answer in time.',
        retryable: true,
        request_id: 'req_lost',
        retry_after_ms: 100,
      }
      return route.fulfill({ status: 504, json: { error } })
    })
    await fillIn('BUY', '0.13', '10')
    await sign()
    await page.getByRole('button', { name: /^Place/ }).click()
    await shows('.act', /retrying.*attempt 2.*Idempotency-Key/s)
    goOn()
    await page.locator('.act', { hasText: 'Place BUY 10 Yes at 0.13' }).getByText('✓ done').waitFor()
    const [first, second] = headers
    expect(headers.length).toBe(2)
    expect(second!['idempotency-key']).toBe(first!['idempotency-key'])
    expect(second!['svc-access-nonce']).not.toBe(first!['svc-access-nonce'])
    await page
      .getByRole('button', { name: /^Cancel BUY 10.* at 0.13/ })
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: /^Cancel BUY 10.* at 0.13/ }).count()).toBe(1)
    await page.getByRole('button', { name: /^Cancel BUY 10.* at 0.13/ }).click()
    await shows('section', 'No open orders')
  })

  test('a wallet of the browser signs what the page shows; one that declines is told', async () => {
    const owner = privateKeyToAccount(`0x${PRIVATE_KEYS.acct_a.repeat(32)}`)
    // A browser of its own: what is put into a page before its scripts stays there.
    ;({ page, seen, shows } = await visitPage(browser, `${service.base_url}/`))
    onTestFinished(() => page.context().close())
    const asked: { method: string; params: readonly string[] }[] = []
    await page.exposeFunction('walletAnswer', async (call: { method: string; params: readonly string[] }) => {
      asked.push(call)
      if (call.method === 'eth_requestAccounts') return [owner.address]
      if (asked.length === 2) throw new RangeError('User rejected the request.')
      return owner.signTypedData(JSON.parse(call.params[1]!))
    })
    await page.addInitScript('window.ethereum = { request: (call) => window.walletAnswer(call) }')
    await page.goto(`${service.base_url}/?view=trade&market=${MARKET_ID}`)
    const { key_id, secret } = service.served.keys.acct_a as { key_id: string; secret: string }
    await page.getByText('Or enter an API key').click()
    await page.fill('#key_id', key_id)
    await page.fill('#secret', secret)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await shows('.account-bar', 'acct_a')
    expect(await page.getByRole('button', { name: 'Sign and preview' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Connect Browser wallet' }).click()
    await shows('.account-bar', 'signed by wallet')
    await fillIn('BUY', '0.14', '10')
    await sign()
    await shows('.ticket > .refusal', 'User rejected the request.')
    await place('BUY', '0.14', '10')
    const typed = JSON.parse(asked.at(-1)!.params[1]!) as {
      primaryType: string
      message: Record<string, unknown>
      types: object
    }
    expect([typed.primaryType, Object.keys(typed.types)]).toEqual(['SvcOrder', ['EIP712Domain', 'SvcOrder']])
    expect(typed.message).toMatchObject({
      account: 'acct_a',
      side: 'BUY',
      limit_price_integer: '14',
      limit_price_scale: 2,
    })
    await page.getByRole('button', { name: /^Cancel BUY 10.* at 0.14/ }).click()
    await shows('section', 'No open orders')
  })

  test('an account is forgotten with the page, unless its user keeps it for the tab; closed, it is gone', async () => {
    await visit()
    await openAccount('acct_a')
    await page.reload()
    await shows('.account-bar', 'No account connected')
    await page.getByLabel('Stay connected until this tab closes').check()
    await openAccount('acct_a')
    await page.reload()
    await shows('.account-bar', 'acct_a')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
    await page.reload()
    await shows('.account-bar', 'No account connected')
  })

  test('production takes no private key, and says so; a file of another environment is refused', async () => {
    await visit('/')
    await page.route('**/v1/capabilities', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: object }
      return route.fulfill({ response: answer, json: { ...body, data: { ...body.data, environment: 'production' } } })
    })
    await page.goto(`${service.base_url}/?view=trade&market=${MARKET_ID}`)
    await shows('.environment', 'production')
    await shows('.account-form', 'private keys are not accepted here')
    expect(await page.locator('#ready-file').count()).toBe(0)
    await page.getByText('Or enter an API key').click()
    await page.fill('#key_id', 'key_0123456789abcdef')
    await page.fill('#secret', 'a'.repeat(64))
    await page.fill('#private_key', `0x${'a'.repeat(64)}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await shows('[role=alert]', 'Private keys are not accepted in production.')
    await visit()
    await page.setInputFiles('#ready-file', jsonFile(service.readyText(['acct_a'], 'staging')))
    await shows('[role=alert]', 'The file is for the environment "staging"; this service is "sandbox".')
  })

  test('a page of /docs finds another by the keyboard; its form signs an order, and the keys are neither sent nor kept', async () => {
    await visit('/docs/guides/signing')
    await page.locator('main .copy').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('place an order')
    await page.locator('#found [role=option]:first-child', { hasText: 'POST /v1/orders' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.base_url}/docs/api/place_order`)
    const given = service.readyText(['acct_b'])
    await page.setInputFiles('#try-ready', jsonFile(given))
    await page.locator('form.try').waitFor()
    await expect.poll(() => page.inputValue('#try-account')).toBe('acct_b')
    const body = await page.inputValue('#try-body')
    await page.fill('#try-body', body.replace('mkt_sandbox_tunnel', MARKET_ID).replace(/out_\w+_yes/, 'out_tide_yes'))
    expect([await page.evaluate(UNNAMED), await page.evaluate(LOW_CONTRAST)]).toEqual([[], []])
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.sent h3', { hasText: 'Answer ' }).first().waitFor()
    const answer = (await page.locator('.sent').allInnerTexts()).join('\n')
    expect(answer).toContain('Answer 201')
    expect(answer).toContain('"status": "open"')
    const { sandbox_accounts } = JSON.parse(given) as {
      sandbox_accounts: [{ secret: string; owner_private_key: string }]
    }
    const [{ secret, owner_private_key }] = sandbox_accounts
    const sent = seen.sent()
    expect(sent.some((text) => text.includes('svc-access-signature'))).toBe(true)
    expect(sent.filter((text) => text.includes(secret) || text.includes(owner_private_key.slice(2)))).toEqual([])
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
    expect([seen.problems, seen.foreign()]).toEqual([[], []])
  })
})

function jsonFile(text: string) {
  return { name: 'ready.json', mimeType: 'application/json', buffer: Buffer.from(text) }
}
