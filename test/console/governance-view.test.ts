import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { LAST_MS } from './support/fixture-data.ts'
import { type FixtureService, startFixture } from './support/fixture-service.ts'
import { startGovernanceService } from './support/governance-service.ts'
import { openBrowser } from './support/open-browser.ts'
import { wrongInLooks } from './support/page-checks.ts'
import { oneVisitor, type VisitedPage } from './support/visit-page.ts'

vi.setConfig({ testTimeout: 200_000, hookTimeout: 400_000 })
const browser = await openBrowser()
const visitor = await oneVisitor(browser)
const folder = tempFolder()
let service: Awaited<ReturnType<typeof startGovernanceService>>
let page: VisitedPage['page']
let seen: VisitedPage['seen']
let shows: VisitedPage['shows']

describe('governance and the log', () => {
  beforeAll(async () => {
    service = await startGovernanceService(`${folder}/warehouse`)
  })
  afterEach(() => visitor.leave())
  afterAll(() => service?.close())

  async function visit(path: string): Promise<void> {
    ;({ page, seen, shows } = await visitor.visit(`${service.base_url}${path}`))
  }
  const section = (id: string) => page.locator(`section[aria-labelledby="${id}-title"]`)
  const textOf = async (id: string) => (await section(id).textContent())!
  const verify = async (name: string) => {
    await page.getByRole('button', { name }).click()
    const verdict = page.locator('.verdict').first()
    await verdict.waitFor()
    return (await verdict.textContent())!
  }

  test('proposals are listed with state and deadline, and filtered by the address', async () => {
    await visit('/')
    await page.getByRole('link', { name: 'Governance' }).click()
    const rows = section('proposals').locator('tbody tr')
    await rows.nth(3).waitFor()
    expect(await rows.count()).toBe(4)
    expect(await rows.nth(1).textContent()).toMatch(/policy.*queued.*notice ends in 13 d/)
    expect(await wrongInLooks(page)).toEqual([])
    await page.getByLabel('State').selectOption('open')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Kind').selectOption('roster')
    await section('proposals').getByText('No proposal matches').waitFor()
    expect(new URL(page.url()).search).toBe('?view=governance&kind=roster&state=open')
    expect(seen.requests.filter((url) => url.includes('/governance/')).length).toBe(1)
    // An index without a level answers 404, which the browser prints.
    expect(seen.problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })

  test('a proposal shows differences, seats, votes, dissent, remarks, and acts whose signatures this browser checks', async () => {
    await visit(`/?view=governance&proposal=${service.open_id}`)
    await shows('h1', 'Proposal: policy')
    await section('acts').locator('.is-verified').nth(3).waitFor()
    expect(await textOf('content')).toMatch(/\/late_window.*PT24H.*PT12H/s)
    expect(await textOf('impact')).toContain('No impact report')
    expect(await textOf('votes')).toMatch(
      /committee, 1 of 1 filled: ann.*oversight, 0 of 1 filled.*ben.*dissent.*Half a day is too short/s,
    )
    expect(await textOf('remarks')).toMatch(/olaf.*comment.*Whom does a shorter window help/s)
    expect(await page.locator('main').textContent()).toMatch(/Expires in \d+ d.*by the service's clock/s)
    expect(await section('acts').locator('.is-failed').count()).toBe(0)
    expect(await verify('Verify inclusion of this state')).toContain('✓ Verified.')
    await section('acts').getByText('Signed text').first().click()
    await section('acts').getByRole('button', { name: 'Verify inclusion of this act' }).first().click()
    await section('acts').locator('.verdict.is-verified').waitFor()
    expect(await wrongInLooks(page)).toEqual([])
    expect(seen.problems).toEqual([])
    expect(seen.foreign()).toEqual([])
  })

  test('an act whose text was changed after it was signed is marked', async () => {
    await visit('/')
    await page.route('**/v1/governance/acts?*', async (route) => {
      const text = await (await route.fetch()).text()
      await route.fulfill({ body: text.replaceAll('Half a day', 'Half a week'), contentType: 'application/json' })
    })
    await page.goto(`${service.base_url}/?view=governance&proposal=${service.open_id}`)
    await section('acts').locator('.mark.is-failed').waitFor()
    expect(
      await section('acts')
        .locator('tr', { has: page.locator('.mark.is-failed') })
        .count(),
    ).toBe(1)
  })

  test('the roster warns of its expiry, and is proven as it is shown; a changed one is refused', async () => {
    await visit('/?view=roster')
    await shows('.note-box', /This roster expires in 19 d/)
    expect(await textOf('members')).toMatch(/olaf.*oversight.*[0-9a-f]{64}.*valid/s)
    expect(await wrongInLooks(page)).toEqual([])
    expect(await verify('Verify inclusion')).toMatch(/Verified.*roster roster_1.*Inclusion passed.*Page passed/s)
    await page.route('**/v1/governance/roster', async (route) => {
      const text = await (await route.fetch()).text()
      await route.fulfill({ body: text.replace('"threshold":1', '"threshold":2'), contentType: 'application/json' })
    })
    await page.goto(`${service.base_url}/?view=roster&kind=x`)
    expect(await verify('Verify inclusion')).toMatch(/Verification failed.*The page has threshold 2; the log has 1\./s)
    await page.locator('.verdict[role=alert]').waitFor()
  })

  test('policy, calendar and notices are shown, with links to the feeds', async () => {
    await visit('/?view=policy')
    await section('classes').locator('tbody tr').nth(4).waitFor()
    expect(await textOf('classes')).toMatch(/material.*2.*1.*14 d.*14 d.*14 d/s)
    expect(await wrongInLooks(page)).toEqual([])
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await section('calendar').locator('tbody tr', { hasText: 'roster expiry' }).waitFor()
    expect(await page.getByRole('link', { name: 'Calendar file' }).getAttribute('href')).toBe(
      '/v1/governance/calendar.ics',
    )
    expect(await wrongInLooks(page)).toEqual([])
    await page.getByRole('link', { name: 'Notices' }).click()
    await page.getByRole('link', { name: 'Atom feed' }).waitFor()
    expect(await wrongInLooks(page)).toEqual([])
    expect(seen.problems).toEqual([])
  })

  test('the log verifies in the browser and is remembered; one byte of a tile flipped is red', async () => {
    await visit('/?view=log')
    await section('seals').locator('tbody tr').first().waitFor()
    expect(await wrongInLooks(page)).toEqual([])
    expect(await verify('Verify the log')).toMatch(
      /✓ Verified.*Signature passed.*Tiles passed.*Consistency (passed|skipped).*Last seal passed/s,
    )
    await page.route('**/log/tile/0/**', async (route) => {
      const body = await (await route.fetch()).body()
      body[40]! ^= 1
      await route.fulfill({ body, contentType: 'application/octet-stream' })
    })
    await page.getByRole('button', { name: 'Verify the log' }).click()
    const alarm = page.locator('.verdict.is-failed[role=alert]')
    await alarm.waitFor()
    expect(await alarm.textContent()).toMatch(
      /✗ Verification failed.*Tiles failed: The hashes of tile\/0\/000\.p\/\d+ lead to another root/s,
    )
    const color = 'getComputedStyle(document.querySelector(".verdict .is-failed")).color'
    expect(await page.evaluate(color)).toBe('rgb(176, 63, 18)')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await page
      .locator('.verdict.is-verified')
      .getByText(/Consistency/)
      .waitFor()
    expect(await page.locator('.verdict').textContent()).toMatch(
      /Consistency passed: The log continues the \d+ entries/,
    )
  })

  test('a level is proven from its own page', async () => {
    await visit('/?index=idx_one')
    expect(await verify('Verify inclusion of this level')).toMatch(/✓ Verified.*index_observation/s)
  })

  test('too many requests are said so, and asked again after the time that the answer states', async () => {
    await visit('/')
    const error = {
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'too many',
      retryable: true,
      request_id: 'r',
      retry_after_ms: 1500,
    }
    let refused = 0
    await page.route('**/v1/governance/roster*', (route) => {
      refused += 1
      return refused === 1 ? route.fulfill({ status: 429, json: { error } }) : route.continue()
    })
    await page.goto(`${service.base_url}/?view=roster`)
    await shows('.wait', 'Too many requests (429). The page asks again in')
    await section('members').waitFor()
    await page.locator('.wait').waitFor({ state: 'detached' })
    expect(refused).toBe(2)
  })
})

describe('complaints, rules, eligibility and what a level withstands', () => {
  let fixture: FixtureService
  beforeAll(async () => {
    fixture = await startFixture()
  })
  afterEach(() => visitor.leave())
  afterAll(async () => {
    await fixture?.close()
    await browser.close()
  })

  async function visit(path: string): Promise<void> {
    ;({ page, seen, shows } = await visitor.visit(`${fixture.url}${path}`))
  }
  const section = (id: string) => page.locator(`section[aria-labelledby="${id}-title"]`)
  const textOf = async (id: string) => (await section(id).first().textContent())!
  const text = async (selector: string) => (await page.locator(selector).first().textContent())!
  const asked = (part: string) => seen.requests.filter((url) => url.includes(part)).length

  test('a replay of a version, opened from a file, is drawn beside the levels until it is removed', async () => {
    await visit('/?view=chart&index=idx_coast')
    await shows('#index-chart-title', 'Candles of')
    const tick = { tick_at: new Date(LAST_MS).toISOString(), level: '39.0000', quality_state: 'valid' }
    const file = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
    await page.setInputFiles('#replay-file', file('note.json', '{}'))
    await shows('.replay-picker [role=alert]', 'note.json: line 1 is not a tick')
    await page.setInputFiles('#replay-file', file('coast-2.json', JSON.stringify(tick)))
    await shows('#index-chart-title', 'Closes of')
    await shows('.readout', 'coast-2')
    await page.getByRole('button', { name: 'Remove coast-2' }).click()
    await shows('#index-chart-title', 'Candles of')
  })

  test('complaints: listed by state in one request; one with its outcome, its subject and the notice of it', async () => {
    await visit('/?view=complaints')
    await section('complaints').locator('tbody tr').nth(1).waitFor()
    expect(await textOf('complaints')).toMatch(
      /text not published.*declined.*another matter.*resolved upheld.*idx_coast.*ann/s,
    )
    expect(asked('/governance/')).toBe(1)
    expect(await wrongInLooks(page)).toEqual([])
    await page.getByLabel('State').selectOption('declined')
    await expect.poll(() => section('complaints').locator('tbody tr').count()).toBe(1)
    await visit('/?view=complaints&complaint=cmp_first')
    await shows('main', 'The published text differs')
    expect(await text('main')).toMatch(/resolved upheld.*The level of 04:00.*Handled byann.*ReasonThe resolution was/s)
    expect(await page.getByRole('link', { name: 'index idx_coast' }).getAttribute('href')).toBe('/?index=idx_coast')
    expect(await page.getByRole('link', { name: 'prp_restate' }).getAttribute('href')).toContain('proposal=prp_restate')
    expect(await wrongInLooks(page)).toEqual([])
    await page.getByRole('link', { name: 'Complaint cmp_first: upheld' }).click()
    await shows('#notices-title', 'Notice')
    expect(await page.getByRole('link', { name: 'complaint', exact: true }).getAttribute('href')).toContain('cmp_first')
    await visit('/?view=complaints&complaint=cmp_none')
    await shows('[role=alert]', 'GOVERNANCE_NOT_FOUND')
  })

  test('restatements: of an index, and one with each old and new level, its cause, proposal and notice; a notice its draft', async () => {
    await visit('/?view=restatements&index=idx_coast')
    await section('restatements').locator('tbody tr').waitFor()
    expect(await textOf('restatements')).toMatch(/Restatements of idx_coast.*2500 bpLATE_DATA/s)
    expect(await wrongInLooks(page)).toEqual([])
    await section('restatements').getByRole('link', { name: 'prp_restate' }).click()
    await section('restated').locator('tbody tr').nth(1).waitFor()
    expect(await section('restated').locator('del').allTextContents()).toEqual(['38.0000', 'none'])
    expect(await section('restated').locator('ins').allTextContents()).toEqual(['39.9000', '39.9000'])
    expect(await textOf('restated')).toMatch(/500 bp.*no ratio/s)
    expect(await wrongInLooks(page)).toEqual([])
    expect(await page.getByRole('link', { name: 'prp_restate' }).getAttribute('href')).toContain('view=governance')
    await page.getByRole('link', { name: 'Restated late' }).click()
    await shows('#notices-title', 'Notice')
    await page.getByRole('link', { name: 'restatement', exact: true }).click()
    await shows('h1', 'Late restatement')
    await visit('/?view=notices&kind=drift')
    await section('notices').getByText('Draft, unsigned').click()
    expect(await textOf('notices')).toMatch(/Drift: 1 constituent.*"versions".*SHA-256 f{64}/s)
  })

  test('rules of a market: each text beside the one that it replaced, and the indexes that it touched', async () => {
    await visit('/?view=rules&kind=changed')
    await section('rules').getByText('resolution criteria').waitFor()
    expect(await textOf('rules')).toMatch(/upper mark\?.*changed.*kalshi.*idx_coast/s)
    await section('rules').getByRole('link', { name: 'Will the tide' }).click()
    await section('rch_2').locator('ins').waitFor()
    expect(await section('rch_2').locator('del').allTextContents()).toEqual(['The gauge at noon.'])
    expect(await section('rch_2').locator('ins').allTextContents()).toEqual(['The gauge at any hour of the day.'])
    expect(await textOf('rch_1')).toMatch(/First text.*resolution criterianoneThe gauge at noon/s)
    expect(asked('/rule-changes')).toBe(2)
    expect(await wrongInLooks(page)).toEqual([])
  })

  test('eligibility: rules of a policy, a decision with unknown facts, drift of an index and its announced composition', async () => {
    await visit('/?view=eligibility')
    await shows('td', 'at least MR3, at most 7 d old')
    expect(await wrongInLooks(page)).toEqual([])
    await visit('/?view=eligibility&market=mkt_tide')
    await section('decision').locator('tbody tr').nth(2).waitFor()
    expect(await textOf('decision')).toMatch(
      /unknown.*RATING_BAND_UNKNOWN: rating band unknown.*rating bandnot known.*3 d/s,
    )
    expect(await wrongInLooks(page)).toEqual([])
    await visit('/?view=eligibility&index=idx_coast')
    await section('candidates').locator('tbody tr').waitFor()
    expect(await textOf('constituents')).toMatch(/eligible.*ineligible.*to be removed.*0\.9990 not known/s)
    expect(await textOf('pro-forma')).toMatch(/con_tide.*120\.50.*100 %.*KEPT_BY_BUFFER/s)
    expect(await textOf('candidates')).toMatch(/none.*not known.*no.*NOT_ELIGIBLE.*VENUE_DOWN/s)
    expect(await wrongInLooks(page)).toEqual([])
    await visit('/?view=eligibility&index=idx_summit')
    await section('pro-forma').getByText('No composition is announced').waitFor()
  })

  test('robustness of a level is computed on demand; a missing bound is shown with its reason, never as 0', async () => {
    await visit('/?index=idx_coast')
    await shows('.readout', '38.5600')
    expect(asked('/robustness') + asked('/executable-band')).toBe(0)
    await page.getByRole('button', { name: 'Compute what this level withstands' }).click()
    await section('missing-inputs').waitFor()
    await shows('.facts', 'Buy at')
    const shown = await textOf('robustness')
    expect(shown).toMatch(
      /Either wayat most 9.*SEVERAL_LEGS.*Up12\.5 to 14.*con_tide: a value is made of several markets/s,
    )
    expect(shown).toMatch(
      /Sell at38\.1000.*Buy atnot known.*DEPTH_INSUFFICIENT.*con_tideno level.*suspended.*100\.0000/s,
    )
    expect(new URL(page.url()).searchParams.get('panel')).toBe('robustness')
    await page.getByRole('radio', { name: '5 %' }).check({ force: true })
    await expect.poll(() => asked('basis_points=500')).toBe(1)
    expect(await wrongInLooks(page)).toEqual([])
  })

  test('a market shows each index under every outcome, and if it is void', async () => {
    await visit('/?market=mkt_tide&panel=previews')
    await section('preview-idx_coast').locator('tbody tr').nth(3).waitFor()
    expect(await textOf('preview-idx_coast')).toMatch(
      /YES wins100\.0000\+61\.4400.*NO wins0\.0000−38\.5600.*same: 0\.550\.0000.*nothing is paid.*NO_FRESH_INPUT.*no level/s,
    )
    expect(await wrongInLooks(page)).toEqual([])
  })

  test('what became known between two instants is old beside new; instants that are none are refused', async () => {
    await visit('/?view=knowledge&index=idx_coast')
    await page.getByLabel('Known at (UTC)', { exact: true }).fill('2026-01-16')
    await page.getByLabel('and at (UTC)').fill('soon')
    await page.getByRole('button', { name: 'Compare' }).click()
    await shows('[role=alert]', '“soon” is not a date')
    await page.getByLabel('and at (UTC)').fill('2026-01-17 12:00')
    await page.getByRole('button', { name: 'Compare' }).click()
    await section('changes').locator('ins', { hasText: '38.5600' }).waitFor()
    expect(await textOf('changes')).toMatch(
      /constituent con_tide.*added.*mkt_tide.*level 2026-01-17 12:00:00.*revised.*12\.0000/s,
    )
    expect(asked('knowledge-diff?from_as_of=2026-01-16T00%3A00%3A00Z&to_as_of=2026-01-17T12%3A00%3A00Z')).toBe(1)
    expect(await wrongInLooks(page)).toEqual([])
  })
})
