import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INDEX_VIEWS, VIEWS as OTHER_VIEWS } from '../../console/data/views.ts'
import { FLOOD, RATED, startAssessmentService } from '../console/support/assessment-service.ts'
import { startFixture } from '../console/support/fixture-service.ts'
import { startGovernanceService } from '../console/support/governance-service.ts'
import { openBrowser } from '../console/support/open-browser.ts'
import { MARKET_ID, startTradingService } from '../console/support/trading-service.ts'
import { oneVisitor } from '../console/support/visit-page.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { withDatabase } from '../support/trading/postgres.ts'

/** Rules of WCAG 2.2 A and AA that axe-core checks by itself, over the site and the console, light and dark, wide and narrow. */
const AXE = axe.source
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const PAGES = [
  '/docs',
  '/docs/api',
  '/docs/api/place_order',
  '/docs/guides/signing',
  '/docs/errors/ORDER_NOT_FOUND',
  '/docs/stream/account.order',
]
/** Views of the console with a text that each shows, by the service that has its records. */
const VIEWS = {
  fixture: [
    ['/', 'COAST'],
    ['/?index=idx_coast', 'Coast index'],
    ['/?index=idx_coast&panel=robustness', 'DEPTH_INSUFFICIENT'],
    ['/?index=idx_quiet', 'Quiet index'],
    ['/?view=chart&index=idx_coast', 'Candles'],
    ['/?view=chart&index=idx_coast&beside=idx_summit&scale=rebased', 'rebased'],
    ['/?view=lineage&index=idx_coast', 'con_tide'],
    ['/?view=factsheet&index=idx_coast', 'Constituents'],
    ['/?view=knowledge&index=idx_coast', 'Choose two instants'],
    ['/?view=knowledge&index=idx_coast&from=2026-01-16T00:00:00Z&to=2026-01-17T12:00:00Z', 'con_tide'],
    ['/?view=markets', 'upper mark'],
    ['/?market=mkt_tide', 'About'],
    ['/?market=mkt_tide&panel=previews', 'NO_FRESH_INPUT'],
    ['/?view=ingest', 'kalshi'],
    ['/?view=debug', 'Signature debugger'],
    ['/?view=notices&kind=drift', 'Drift: 1 constituent'],
    ['/?view=restatements', 'LATE_DATA'],
    ['/?view=restatements&proposal=prp_restate', '500 bp'],
    ['/?view=complaints', 'text not published'],
    ['/?view=complaints&complaint=cmp_first', 'resolved upheld'],
    ['/?view=rules', 'upper mark?'],
    ['/?view=rules&market=mkt_tide', 'The gauge at noon.'],
    ['/?view=eligibility', 'at least MR3'],
    ['/?view=eligibility&market=mkt_tide', 'RATING_BAND_UNKNOWN'],
    ['/?view=eligibility&index=idx_coast', 'KEPT_BY_BUFFER'],
  ],
  governance: [
    ['/?view=governance', 'Proposals'],
    ['/?view=governance&proposal={proposal}', 'Half a day is too short.'],
    ['/?view=roster', 'oversight'],
    ['/?view=policy', 'Signatures and waiting times'],
    ['/?view=calendar', 'Calendar'],
    ['/?view=log', 'Verify the log'],
  ],
  assessments: [
    ['/?view=events', 'Flood in Lowport'],
    [`/?view=events&event=${FLOOD}`, 'Forecast severity'],
    [`/?market=${RATED}&as_of=2026-06-05T00:00:00Z`, 'The source is in doubt.'],
    ['/?view=ratings', 'Newest first'],
    ['/?view=severity', 'Newest first'],
    ['/?view=review', 'Review queue'],
  ],
  trading: [['/?view=trade', 'Will the tide reach the upper mark']],
} as const satisfies Readonly<Record<string, readonly (readonly [path: string, shown: string])[]>>
type ServiceName = keyof typeof VIEWS
const SHOWN = (Object.keys(VIEWS) as ServiceName[]).flatMap((service) =>
  VIEWS[service].map(([path, shown]) => [service, path, shown] as const),
)
const LOOKS = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
] as const

const database = withDatabase()
let browser: Awaited<ReturnType<typeof openBrowser>>
let visitor: Awaited<ReturnType<typeof oneVisitor>>
let services: Awaited<ReturnType<typeof startServices>>

async function startServices() {
  const fixture = await startFixture()
  const governance = await startGovernanceService(tempFolder())
  const assessments = await startAssessmentService(tempFolder())
  const trading = await startTradingService((await database()).pool, tempFolder())
  const urls: Readonly<Record<ServiceName, string>> = {
    fixture: fixture.url,
    governance: governance.base_url,
    assessments: assessments.base_url,
    trading: trading.base_url,
  }
  return {
    trading,
    addressOf: (service: ServiceName, path: string) =>
      `${urls[service]}${path.replace('{proposal}', governance.open_id)}`,
    close: () => Promise.all([fixture, governance, assessments, trading].map((one) => one.close())),
  }
}

beforeAll(async () => {
  browser = await openBrowser()
  visitor = await oneVisitor(browser)
  services = await startServices()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await services?.close()
})

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }

type Looks = (typeof LOOKS)[number]
type Page = Awaited<ReturnType<typeof visitor.visit>>['page']

/** Violations of an address, each with the elements that have it. */
async function violations(url: string, shown: string, looks: Looks): Promise<readonly string[]> {
  const { page } = await visitor.visit(url, looks)
  await page.getByText(shown).filter({ visible: true }).first().waitFor()
  return violationsOf(page)
}

async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(AXE)
  const options = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'] })
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as { readonly violations: readonly Violation[] }
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

async function sidewaysOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

test('every view that the page has is looked at', () => {
  const names = new Set(SHOWN.map(([, path]) => new URL(path, 'http://page').searchParams.get('view')))
  expect(Object.keys({ ...INDEX_VIEWS, ...OTHER_VIEWS }).filter((name) => !names.has(name))).toEqual([])
})

describe.each(LOOKS)('$colorScheme, $viewport.width wide', (looks) => {
  test.each(PAGES)('%s has no violation, and does not scroll sideways', async (path) => {
    expect(await violations(services.addressOf('fixture', path), 'Skip to the page', looks)).toEqual([])
    expect(await sidewaysOf(visitor.page)).toBe(0)
  })

  test.each(SHOWN)('%s: the view %s has no violation, and does not scroll sideways', async (service, path, shown) => {
    expect(await violations(services.addressOf(service, path), shown, looks)).toEqual([])
    expect(await sidewaysOf(visitor.page)).toBe(0)
  })

  test('the desk has no violation: without an account, with one, and with a previewed order', async () => {
    const url = services.addressOf('trading', `/?view=trade&market=${MARKET_ID}`)
    const before = await violations(url, 'Ready file', looks)
    const { page } = visitor
    const file = { name: 'ready.json', mimeType: 'application/json' }
    await page.setInputFiles('#ready-file', {
      ...file,
      buffer: Buffer.from(services.trading.readyText(['acct_a'])),
    })
    await page.getByRole('button', { name: 'Connect acct_a' }).click()
    await page.getByRole('heading', { name: 'Order history' }).waitFor()
    const connected = await violationsOf(page)
    await page.fill('#limit_price', '0.50')
    await page.fill('#quantity', '40')
    await page.getByRole('button', { name: /^Sign/ }).click()
    await page.getByRole('button', { name: /^Place/ }).waitFor()
    expect([before, connected, await violationsOf(page), await sidewaysOf(page)]).toEqual([[], [], [], 0])
  })
})

test('a picture without a text is found', async () => {
  const { page } = await visitor.visit(services.addressOf('fixture', '/docs'), LOOKS[0])
  await page.evaluate(`document.querySelector('main').append(document.createElement('img'))`)
  await page.evaluate(AXE)
  const found = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] }
  expect(found.violations.map(({ id }) => id)).toContain('image-alt')
})
