import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import {
  type AssessmentService,
  FLOOD,
  QUAKE,
  RATED,
  startAssessmentService,
  UNRATED,
} from './support/assessment-service.ts'
import { openBrowser } from './support/open-browser.ts'
import { LOW_CONTRAST, UNNAMED } from './support/page-checks.ts'
import { watchPage } from './support/watch-page.ts'

const browser: Browser | null = await openBrowser()
const folder = tempFolder()
let service: AssessmentService
let page: Page
let seen: ReturnType<typeof watchPage>

describe.skipIf(browser === null)('ratings and severity', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    service = await startAssessmentService(folder)
  }, 60_000)
  afterEach(() => page?.context().close())
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function visit(path: string, options: BrowserContextOptions = {}): Promise<void> {
    const context = await browser!.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    page = await context.newPage()
    page.setDefaultTimeout(15_000)
    seen = watchPage(page)
    await page.goto(`${service.base_url}${path}`)
  }
  const shows = (selector: string, wanted: string | RegExp) =>
    page.locator(selector, { hasText: wanted }).first().waitFor()
  const section = (id: string) => page.locator(`section[aria-labelledby="${id}-title"]`)

  test('a rating with components, version, effective time, review state and confidence; its evidence with hashes', async () => {
    await visit(`/?market=${RATED}&as_of=2026-06-01T12:00:00Z`)
    const rating = section('rating')
    await rating.getByText('Review state').waitFor()
    const text = (await rating.textContent())!
    expect(text).toMatch(/MR\d|NR/)
    for (const part of [
      'resolution clarity',
      'venue operational risk',
      'lower is better',
      'Confidence',
      'mth_',
      'approved',
    ])
      expect(text).toContain(part)
    // The sources of these rules have no known availability: a component that is missing is said to be, and is no zero.
    await rating.locator('tr', { hasText: 'source reliability' }).getByText('not known').waitFor()
    expect(await rating.locator('tr', { hasText: 'source reliability' }).locator('svg').count()).toBe(0)
    expect(await section('rating-evidence').textContent()).toMatch(/sha256:[0-9a-f]{64}/)
    expect(text).not.toContain('SEV-')
  })

  test('override and dispute are shown with the record, and every record in the history', async () => {
    await visit(`/?market=${RATED}&as_of=2026-06-05T00:00:00Z`)
    const rating = section('rating')
    await rating.getByText('MR4', { exact: true }).waitFor()
    await shows('.note-box', /Override by .*became MR4, NEWS.*The source is in doubt\./s)
    await shows('.note-box', /Dispute open, filed by oda.*The source has answered since\..*Not decided/s)
    const rows = section('rating-history').locator('tbody tr')
    await rows.first().waitFor()
    expect(await rows.allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/MR4.*disputed.*override.*dispute open/)]),
    )
    expect(await rows.count()).toBeGreaterThan(1)
  })

  test('a market that is not rated says so in words, without a score', async () => {
    await visit(`/?market=${UNRATED}`)
    const rating = section('rating')
    await rating.getByText('not rated: too little is known').waitFor()
    expect(await rating.textContent()).not.toMatch(/score\s*\d/)
  })

  test('an event has two series, observed and forecast, each with range, evidence and history', async () => {
    await visit('/')
    await page.getByRole('link', { name: 'Events' }).click()
    await shows('tr:has-text("Flood in Lowport")', 'SEV-4')
    await page.getByRole('link', { name: 'Flood in Lowport' }).first().click()
    await shows('h1', 'Flood in Lowport')
    const [observed, forecast] = [section('observed'), section('forecast')]
    await observed.getByText('SEV-4').first().waitFor()
    await forecast.getByText('Horizon').waitFor()
    expect(await observed.getByRole('img').getAttribute('aria-label')).toMatch(
      /^score [\d.]+, between [\d.]+ and [\d.]+, on a scale of 0 to 100$/,
    )
    const foretold = (await forecast.textContent())!
    expect(foretold).toContain('The rain goes on.')
    expect(foretold).toMatch(/SEV-\d or worse \d+ %/)
    expect(foretold).toContain('85 % score 20.00, 15 % score 75.00')
    expect(await observed.locator('tr', { hasText: 'infrastructure' }).textContent()).toContain('not known')
    await section('observed-evidence').locator('tbody tr').first().waitFor()
    await section('forecast-history').locator('tbody tr').first().waitFor()
    const all = (await page.locator('main').textContent())!
    expect(all).not.toMatch(/\bMR[1-5]\b/)
    expect(seen.problems).toEqual([])
    expect(seen.foreign()).toEqual([])
  })

  test('UNKNOWN is said to be no SEV-0, and what was never forecast is not known', async () => {
    await visit(`/?event=${QUAKE}&view=events`)
    await section('forecast').getByText('this is not SEV-0').waitFor()
    await section('forecast').getByText('NO_APPROVED_ASSESSMENT').waitFor()
    expect(await section('forecast').getByRole('img').count()).toBe(0)
  })

  test('a severity index with its value and all inputs, and no price', async () => {
    await visit('/?view=events')
    const index = section('svi_lowport')
    await index.getByText('severity index, not a price').waitFor()
    await shows('.index-value', /equal to SEV-\d · [\d.]+ % of the weight is known/)
    expect((await index.locator('tbody tr').allTextContents()).join()).toMatch(/evt_flood.*SEV-4/)
    await index.getByRole('link', { name: FLOOD }).click()
    await shows('h1', 'Flood in Lowport')
  })

  test.each([
    ['light', 360],
    ['dark', 1280],
  ] as const)(
    'in %s at %i pixels nothing is cut off, text has contrast, and what can be used has a name',
    async (colorScheme, width) => {
      for (const path of [
        `/?market=${RATED}&as_of=2026-06-05T00:00:00Z`,
        `/?event=${FLOOD}&view=events`,
        '/?view=events',
      ]) {
        await visit(path, { colorScheme, viewport: { width, height: 800 } })
        await page.locator('.grade').first().waitFor()
        await page.waitForLoadState('networkidle')
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
        expect(await page.evaluate(LOW_CONTRAST)).toEqual([])
        expect(await page.evaluate(UNNAMED)).toEqual([])
        await page.context().close()
      }
    },
  )
})
