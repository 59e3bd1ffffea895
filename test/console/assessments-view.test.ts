import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { type AssessmentService, QUAKE, RATED, startAssessmentService, UNRATED } from './support/assessment-service.ts'
import { openBrowser } from './support/open-browser.ts'
import { wrongInLooks } from './support/page-checks.ts'
import { oneVisitor, type VisitedPage } from './support/visit-page.ts'
import { watchPage } from './support/watch-page.ts'

const browser = await openBrowser()
const visitor = await oneVisitor(browser)
const folder = tempFolder()
let service: AssessmentService
let page: VisitedPage['page']
let seen: VisitedPage['seen']
let shows: VisitedPage['shows']

describe('ratings and severity', () => {
  beforeAll(async () => {
    service = await startAssessmentService(folder)
  }, 240_000)
  afterEach(() => visitor.leave())
  afterAll(async () => {
    await browser.close()
    await service?.close()
  })

  async function visit(path: string): Promise<void> {
    ;({ page, seen, shows } = await visitor.visit(`${service.base_url}${path}`))
  }
  const section = (id: string) => page.locator(`section[aria-labelledby="${id}-title"]`)

  test('a rating with components, version, effective time, review state and confidence; its evidence with hashes', async () => {
    await visit(`/?market=${RATED}&as_of=2026-06-01T12:00:00Z`)
    const rating = section('rating')
    await rating.getByText('Review state').waitFor()
    await rating.getByText('lower is better').first().waitFor()
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
    await rating.locator('tr', { hasText: 'source reliability' }).getByText('unknown').waitFor()
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
    expect(await wrongInLooks(page)).toEqual([])
  })

  test('a market that is not rated says so in words, without a score', async () => {
    await visit(`/?market=${UNRATED}`)
    const rating = section('rating')
    await rating.getByText('not rated: insufficient information').waitFor()
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
    expect(await observed.locator('tr', { hasText: 'infrastructure' }).textContent()).toContain('unknown')
    await section('observed-evidence').locator('tbody tr').first().waitFor()
    await section('forecast-history').locator('tbody tr').first().waitFor()
    const all = (await page.locator('main').textContent())!
    expect(all).not.toMatch(/\bMR[1-5]\b/)
    expect(await wrongInLooks(page)).toEqual([])
    expect(seen.problems).toEqual([])
    expect(seen.foreign()).toEqual([])
  })

  test('UNKNOWN is said to be no SEV-0, and what was never forecast is not known', async () => {
    await visit(`/?event=${QUAKE}&view=events`)
    await section('forecast').getByText('not the same as SEV-0').waitFor()
    await section('forecast').getByText('NO_APPROVED_ASSESSMENT').waitFor()
    expect(await section('forecast').getByRole('img').count()).toBe(0)
  })

  test('a severity index with its value and all inputs, and no price', async () => {
    await visit('/?view=events')
    const index = section('svi_lowport')
    await index.getByText('severity index, not a price').waitFor()
    await shows('.index-value', /equivalent to SEV-\d · [\d.]+ % of weight known/)
    expect((await index.locator('tbody tr').allTextContents())[0]).toMatch(/Flood in Lowport.*SEV-4/)
    expect(await wrongInLooks(page)).toEqual([])
    await index.getByRole('link', { name: 'Flood in Lowport' }).click()
    await shows('h1', 'Flood in Lowport')
  })

  describe('a record that is published', () => {
    /** A second page of the same, at an instant of the past; what it shows and asks for must not change. */
    async function visitPast(path: string) {
      const past = await page.context().newPage()
      const watched = watchPage(past)
      await past.goto(`${service.base_url}${path}&as_of=2026-06-09T00:00:00Z`)
      await past.locator('.grade').first().waitFor()
      await past.waitForLoadState('networkidle')
      const shown = async () => [await past.locator('main').textContent(), watched.requests.length]
      const before = await shown()
      return async () => expect(await shown()).toEqual(before)
    }

    test('moves the rating and its history; one that is withdrawn gives way; the past stands still', async () => {
      await visit(`/?market=${UNRATED}`)
      const rating = section('rating')
      const rows = section('rating-history').locator('tbody tr')
      await rating.getByText('not rated: insufficient information').waitFor()
      await shows('.connection', 'live')
      await rows.first().waitFor()
      const before = await rows.count()
      const pastStands = await visitPast(`/?market=${UNRATED}`)
      const first = await service.rate(UNRATED, 'MR4', 1)
      await rating.getByText('MR4', { exact: true }).waitFor()
      await rows.nth(before).waitFor()
      const second = await service.rate(UNRATED, 'MR2', 0)
      await rating.getByText('MR2', { exact: true }).waitFor()
      await service.withdraw(second)
      await rating.getByText('MR4', { exact: true }).waitFor()
      // The history is a read of its own.
      for (const kept of [/MR2.*withdrawn/, /MR4.*approved/])
        await section('rating-history').locator('tbody tr', { hasText: kept }).waitFor()
      await service.withdraw(first)
      await rating.locator('.grade b', { hasText: 'NR' }).waitFor()
      await pastStands()
      // Nothing has resolved the market: a 404 that the browser reports.
      expect(seen.problems.filter((problem) => !problem.includes('404'))).toEqual([])
    })

    test('moves the severity of an event, in its page and in the list, and the index that it is in', async () => {
      await visit(`/?event=${QUAKE}&view=events`)
      await shows('.connection', 'live')
      await section('observed').locator('.grade').waitFor()
      const list = await page.context().newPage()
      await list.goto(`${service.base_url}/?view=events&range=usgs`)
      const row = list.locator('section[aria-labelledby="events-title"] tr', { hasText: 'Earthquake off Lowport' })
      await row.locator('.grade b', { hasText: 'SEV-1' }).waitFor()
      await list.locator('.index-value', { hasText: 'until 2026-06-08' }).waitFor()
      const pastStands = await visitPast(`/?event=${QUAKE}&view=events`)
      await service.assess(QUAKE, 'SEV-3')
      await section('observed').locator('.grade b', { hasText: 'SEV-3' }).waitFor()
      await section('observed-history').locator('tbody tr', { hasText: 'SEV-3' }).waitFor()
      await row.getByText('SEV-3').waitFor()
      await service.computeIndex()
      await list.locator('.index-value', { hasNotText: 'until 2026-06-08' }).waitFor()
      expect(await section('forecast').textContent()).toContain('UNKNOWN')
      await pastStands()
      expect(seen.problems).toEqual([])
    })
  })
})
