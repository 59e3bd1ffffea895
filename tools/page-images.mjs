// `node tools/page-images.mjs READY_FILE`: makes docs/images/console-{trading,rating,severity}.png anew from a running sandbox
// (`npm start -- --ready-file READY_FILE`, some minutes after its start, when ratings and severity are approved).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** CSS pixels; a picture is 1.4 times as wide. */
const WIDTH = 1180
const SCALE = 1.4

const ready_file = process.argv[2]
const { base_url, sandbox_accounts } = JSON.parse(readFileSync(ready_file, 'utf8'))
const program = execFileSync(process.execPath, [join(ROOT, 'tools', 'browser', 'ensure.mjs')], {
  encoding: 'utf8',
}).trim()
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: program, args })
try {
  const priceOf = ({ market_id }) => `/markets/${market_id}/price`
  const traded = await firstOf('/markets?venue_id=tidemark', priceOf, (price) => price?.outcomes[0].best_ask != null)
  const { best_ask } = (await read(priceOf(traded))).outcomes[0]
  await drawPage('console-trading.png', 1290, `/?view=trade&market=${traded.market_id}`, (page) =>
    trade(page, best_ask),
  )
  const rated = await firstOf('/markets?limit=1000', ({ market_id }) => `/markets/${market_id}/rating`, isOverridden)
  await drawPage('console-rating.png', 1060, `/?market=${rated.market_id}`, (page) =>
    page.getByRole('heading', { name: 'Market rating' }).waitFor(),
  )
  const assessed = await firstOf('/events?venue_id=gdacs', severityOf('forecast'), isLevel)
  await drawPage('console-severity.png', 1340, `/?view=events&event=${assessed.event_id}`, (page) =>
    page.getByRole('heading', { name: 'Forecast severity' }).waitFor(),
  )
} finally {
  await browser.close()
}

async function drawPage(name, height, address, act) {
  const page = await browser.newPage({
    viewport: { width: WIDTH, height },
    deviceScaleFactor: SCALE,
    colorScheme: 'light',
  })
  await page.goto(`${base_url}${address}`)
  await page.locator('.connection.is-live').waitFor()
  await act(page)
  const file = join(ROOT, 'docs', 'images', name)
  await page.screenshot({ path: file })
  await page.close()
  console.log(`${file} written`)
}

/** Connects the first account, places an order that executes and two that rest, and previews a fourth. */
async function trade(page, best_ask) {
  const price = String(Number(best_ask))
  await page.setInputFiles('#ready-file', ready_file)
  await page.getByRole('button', { name: `Connect ${sandbox_accounts[0].account_id}` }).click()
  await page.getByRole('heading', { name: 'Order history' }).waitFor()
  for (const [limit_price, quantity] of [
    [price, '25'],
    ['0.21', '40'],
    ['0.19', '60'],
  ]) {
    await sign(page, limit_price, quantity)
    await page.getByRole('button', { name: /^Place/ }).click()
    await page
      .locator('.act', { hasText: `at ${limit_price}` })
      .getByText('✓ done')
      .waitFor()
  }
  await sign(page, price, '15')
  await page.getByRole('button', { name: /^Place/ }).waitFor()
  await page.evaluate(() => scrollTo(0, 0))
}

async function sign(page, limit_price, quantity) {
  await page.fill('#limit_price', limit_price)
  await page.fill('#quantity', quantity)
  await page.getByRole('button', { name: /^Sign/ }).click()
}

async function read(path) {
  const answer = await fetch(`${base_url}/v1${path}`)
  return answer.ok ? (await answer.json()).data : null
}

function severityOf(type) {
  return ({ event_id }) => `/events/${event_id}/severity?assessment_type=${type}`
}

function isOverridden(rating) {
  return rating?.reason_codes?.some((code) => code.startsWith('OVERRIDE')) === true
}

function isLevel(assessment) {
  return assessment?.score != null
}

/** Returns the first resource of a list whose assessment is as wanted. */
async function firstOf(list, pathOf, isWanted) {
  for (const one of await read(list)) if (isWanted(await read(pathOf(one)))) return one
  throw new Error(`${base_url}/v1${list} has none that is wanted yet; try again in some minutes`)
}
