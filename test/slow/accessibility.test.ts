import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FixtureService, startFixture } from '../console/support/fixture-service.ts'
import { openBrowser } from '../console/support/open-browser.ts'
import { oneVisitor } from '../console/support/visit-page.ts'

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
const VIEWS: readonly (readonly [path: string, shown: string])[] = [
  ['/', 'COAST'],
  ['/?index=idx_coast', 'Coast index'],
  ['/?view=markets', 'upper mark'],
  ['/?market=mkt_tide', 'About'],
  ['/?view=ingest', 'kalshi'],
  ['/?view=debug', 'Signature debugger'],
]
const LOOKS = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
] as const

let browser: Awaited<ReturnType<typeof openBrowser>>
let service: FixtureService
let visitor: Awaited<ReturnType<typeof oneVisitor>>

beforeAll(async () => {
  browser = await openBrowser()
  service = await startFixture()
  visitor = await oneVisitor(browser)
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }

/** Violations of a page, each with the elements that have it. */
async function violations(path: string, shown: string, looks: (typeof LOOKS)[number]): Promise<readonly string[]> {
  const { page } = await visitor.visit(`${service.url}${path}`, looks)
  await page.getByText(shown).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(AXE)
  const options = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'] })
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as { readonly violations: readonly Violation[] }
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

describe.each(LOOKS)('$colorScheme, $viewport.width wide', (looks) => {
  test.each(PAGES)('%s has no violation', async (path) => {
    expect(await violations(path, 'Skip to the page', looks)).toEqual([])
  })

  test.each(PAGES)('%s does not scroll sideways', async (path) => {
    const { page } = await visitor.visit(`${service.url}${path}`, looks)
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  })

  test.each(VIEWS)('the view %s has no violation', async (path, shown) => {
    expect(await violations(path, shown, looks)).toEqual([])
  })
})

test('a picture without a text is found', async () => {
  const { page } = await visitor.visit(`${service.url}/docs`, LOOKS[0])
  await page.evaluate(`document.querySelector('main').append(document.createElement('img'))`)
  await page.evaluate(AXE)
  const found = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] }
  expect(found.violations.map(({ id }) => id)).toContain('image-alt')
})
