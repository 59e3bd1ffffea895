import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { actOnComplaint } from '../../../operations/notices/act-on-complaint.ts'
import { openComplaintBox } from '../../../operations/notices/complaint-box.ts'
import { publishNotices } from '../../../operations/notices/publish-notices.ts'
import { readCalendar } from '../../../operations/notices/read-calendar.ts'
import { readNotices } from '../../../operations/notices/read-notices.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertIsError, assertMatchesOperation } from '../../support/match-schema.ts'
import { append, governHome, PEOPLE, recordFaults } from '../../support/notice-world.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import type { AnswerBody } from '../acceptance/served.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const home = tempFolder()
const root = join(home, 'warehouse')
const box = openComplaintBox(home, 10)
let warehouse: Warehouse
let api: ServedApi
let before: string

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  await governHome(warehouse)
  before = new Date(Math.ceil((await warehouse.now()) / 1000)).toISOString()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await recordFaults(warehouse)
  await append(warehouse, 'market_rating', rating('2030-01-01T00:00:00Z'))
  await publishNotices(warehouse)
  api = await serveApi({
    warehouse_root: root,
    host: '127.0.0.1',
    port: 0,
    environment: 'test',
    file_complaint: box.file,
    query_limits: PATIENT_QUERIES,
  })
})

afterAll(async () => {
  await api.close()
  await warehouse.close()
})

function rating(effective_to: string) {
  return {
    ...{ rating_id: 'rtg_a', chain_id: 'rch_a', revision: 1, market_id: 'mkt_a', band: 'MR2' },
    ...{ outlook: 'stable', watch_status: 'none', confidence: '0.5', reason_codes: [], evidence: [] },
    ...{ component_scores: {}, methodology_id: 'mth_a', methodology_version: '1', review_state: 'approved' },
    ...{ issuer: { kind: 'committee', issuer_id: 'x', model_version: null }, observation_cutoff_at: before },
    ...{ effective_from: before, effective_to },
  }
}

/** Asks again while a busy machine starts the process of queries too slowly. */
async function get(path: string): Promise<{ status: number; body: AnswerBody }> {
  for (;;) {
    const response = await fetch(`${api.base_url}/v1${path}`)
    const body = (await response.json()) as AnswerBody
    if (body.error?.code !== 'QUERY_TIMEOUT') return { status: response.status, body }
  }
}
const rows = async (path: string) => (await get(path)).body.data as Record<string, unknown>[]

test('notices are listed with their filters, page by page, and as known then', async () => {
  const all = await get('/governance/notices')
  assertMatchesOperation('list_governance_notices', all.body)
  const list = all.body.data as Record<string, unknown>[]
  expect(list).toHaveLength(11)
  // The command line has the same order, and the feed the reverse of it.
  const ids = list.map(({ notice_id }) => notice_id)
  expect((await readNotices(warehouse)).map(({ notice_id }) => notice_id)).toEqual(ids)
  const feed = await (await fetch(`${api.base_url}/v1/governance/notices.atom`)).text()
  expect([...feed.matchAll(/<id>urn:tidemark:notice:(\w+)<\/id>/g)].map(([, id]) => id)).toEqual(ids.toReversed())
  expect(await rows('/governance/notices?kind=correction')).toHaveLength(2)
  expect(await rows('/governance/notices?index_id=idx_a')).toHaveLength(4)
  expect(await rows(`/governance/notices?as_of=${before}`)).toEqual([])
  expect(await rows(`/governance/notices?since=${list[10]!.published_at}`)).not.toHaveLength(0)
  expect(await rows('/governance/notices?since=2100-01-01T00:00:00Z')).toEqual([])
  const first = await get('/governance/notices?limit=5')
  const next = await rows(`/governance/notices?limit=5&cursor=${first.body.page!.next_cursor}`)
  expect([...(first.body.data as unknown[]), ...next]).toEqual(list.slice(0, 10))
  const one = await get(`/governance/notices/${list[0]!.notice_id}`)
  assertMatchesOperation('get_governance_notice', one.body)
  expect(one.body.data).toEqual(list[0])
  const absent = await get('/governance/notices/ntc_absent')
  assertIsError(absent.body)
  expect([absent.status, absent.body.error?.code]).toEqual([404, 'GOVERNANCE_NOT_FOUND'])
})

test('the calendar is that of the command line, and its range is bounded', async () => {
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z' }
  const now = new Date((await warehouse.now()) / 1000)
  const to = new Date(now.getTime() + 399 * 86_400_000).toISOString()
  const start = new Date(now.getTime() - 1000).toISOString()
  const answer = await get(`/governance/calendar?start_time=${start}&end_time=${to}`)
  assertMatchesOperation('list_governance_calendar', answer.body)
  expect(answer.body.data).toEqual(await readCalendar(warehouse, { from: start, to, as_of: null }))
  expect((answer.body.data as { kind: string }[]).map(({ kind }) => kind)).toEqual(['roster_expiry', 'policy_expiry'])
  const later = await rows('/governance/calendar?start_time=2029-12-31T00:00:00Z&end_time=2030-01-02T00:00:00Z')
  expect(later).toMatchObject([{ kind: 'rating_expiry', subject_id: 'rtg_a', at: '2030-01-01T00:00:00Z' }])
  const first = await get(`/governance/calendar?start_time=${start}&end_time=${to}&limit=1`)
  const next = await rows(
    `/governance/calendar?start_time=${start}&end_time=${to}&limit=1&cursor=${first.body.page!.next_cursor}`,
  )
  expect([...(first.body.data as unknown[]), ...next]).toEqual(answer.body.data)
  const long = await get(`/governance/calendar?start_time=${range.from}&end_time=2028-01-01T00:00:00Z`)
  expect(long.body.error?.code).toBe('VALIDATION_RANGE_INVALID')
})

test('fixings are the same in the list, by the command, and as an event of the file that recurs', async () => {
  const definition = JSON.stringify({ fixing: { at: '16:00' }, constituents: [] })
  const version = {
    ...{ index_version_id: 'idv_b', index_id: 'idx_b', version: '1', status: 'published', effective_from: before },
    ...{ methodology_id: 'mth_b', methodology_version: '1', mode: 'gauge', calculation_frequency: 'PT1H' },
    ...{ weight_sum: '1', minimum_coverage_ratio: '0.5', change_summary: [], constituents: [], definition },
  }
  const index = {
    ...{ index_id: 'idx_b', slug: 'b', symbol: 'B', unit: 'points', base_value: '10' },
    base_date: before,
  }
  await append(warehouse, 'index_definition', { ...index, revision: 1, status: 'active' })
  await append(warehouse, 'index_version', version)
  const path = '/governance/calendar?kind=fixing&index_id=idx_b'
  await vi.waitFor(async () => expect(await rows(path)).not.toEqual([]), { timeout: 20_000 })
  const fixings = await rows(path)
  expect(fixings.every(({ at }) => String(at).endsWith('T16:00:00Z'))).toBe(true)
  const wish = { from: null, to: null, as_of: null }
  expect((await readCalendar(warehouse, wish)).filter(({ kind }) => kind === 'fixing')).toEqual(fixings)
  expect(await rows('/governance/calendar?kind=fixing&index_id=idx_a')).toEqual([])
  expect((await rows('/governance/calendar?index_id=idx_b')).map(({ kind }) => kind)).toContain('rebalance')
  const file = await vi.waitFor(async () => {
    const answer = await fetch(`${api.base_url}/v1/governance/calendar.ics`)
    expect(answer.status).toBe(200)
    return answer.text()
  })
  const days = [...file.matchAll(/RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=\d{8}T160000Z/g)]
  expect(days).toHaveLength(1)
})

test.each([
  ['/v1/governance/notices.atom', 'application/atom+xml; charset=utf-8', '<feed xmlns='],
  ['/v1/governance/calendar.ics', 'text/calendar; charset=utf-8; method=PUBLISH', 'BEGIN:VCALENDAR\r\n'],
])('%s is a feed that is not sent again while nothing has changed', async (path, type, begin) => {
  const answer = await vi.waitFor(
    async () => {
      const got = await fetch(api.base_url + path)
      expect(got.status).not.toBe(422)
      return got
    },
    { timeout: 60_000 },
  )
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
  expect(await answer.text()).toContain(begin)
  const etag = answer.headers.get('etag')!
  const again = await fetch(api.base_url + path, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const asked = await fetch(`${api.base_url}${path}?limit=1`)
  expect([asked.status, ((await asked.json()) as AnswerBody).error?.code]).toEqual([
    400,
    'VALIDATION_PARAMETER_UNKNOWN',
  ])
})

test('the ledger of rules has each text of a market once', async () => {
  const market = (revision: number, resolution_question: string) => ({
    ...{ market_id: 'mkt_a', revision, event_id: 'evt_a', title: 'A', outcome_type: 'binary' },
    rules: { resolution_question },
    venue_mapping: { venue_id: 'kalshi', source_market_id: 'K' },
    ...{ source_at: before, received_at: before },
  })
  for (const [revision, question] of ['Rain?', 'Rain?', 'Snow?'].entries())
    await append(warehouse, 'market', market(revision + 1, question))
  await vi.waitFor(async () => expect(await rows('/governance/rule-changes')).toHaveLength(2), { timeout: 20_000 })
  const answer = await get('/governance/rule-changes?market_id=mkt_a&venue_id=kalshi')
  assertMatchesOperation('list_rule_changes', answer.body)
  expect(answer.body.data).toMatchObject([
    { kind: 'archived', revision: 1, rules_sha256: sha256Hex('Rain?\u001f'), previous_sha256: null },
    {
      kind: 'changed',
      revision: 3,
      previous_sha256: sha256Hex('Rain?\u001f'),
      changed_fields: ['resolution_question'],
    },
  ])
  expect(await rows('/governance/rule-changes?kind=changed')).toHaveLength(1)
  expect(await rows(`/governance/rule-changes?as_of=${before}`)).toEqual([])
  expect(await rows('/governance/rule-changes?index_id=idx_a')).toEqual([])
})

const file = (body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(`${api.base_url}/v1/governance/complaints`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const COMPLAINT = {
  subject_kind: 'index',
  subject_id: 'idx_a',
  text: 'The level is wrong.',
  contact: 'jane@example.com',
}

test.each([
  ['a text that is too long', { ...COMPLAINT, text: 'x'.repeat(8001) }],
  ['an empty text', { ...COMPLAINT, text: '' }],
  ['a blank text', { ...COMPLAINT, text: ' \n\t\u00a0 ' }],
  ['a blank contact', { ...COMPLAINT, contact: ' ' }],
  ['a text that turns its order', { ...COMPLAINT, text: '\u202eabc' }],
  ['an index without its id', { ...COMPLAINT, subject_id: null }],
  ['an id of no record', { ...COMPLAINT, subject_kind: 'other' }],
  ['an absent index', { ...COMPLAINT, subject_kind: 'index', subject_id: 'xyz_absent' }],
  ['an absent market', { ...COMPLAINT, subject_kind: 'market', subject_id: 'xyz_absent' }],
  ['an absent proposal', { ...COMPLAINT, subject_kind: 'proposal', subject_id: 'xyz_absent' }],
  ['an absent rating', { ...COMPLAINT, subject_kind: 'rating', subject_id: 'xyz_absent' }],
  ['an absent severity', { ...COMPLAINT, subject_kind: 'severity', subject_id: 'xyz_absent' }],
  ['an absent notice', { ...COMPLAINT, subject_kind: 'notice', subject_id: 'xyz_absent' }],
  ['an unknown field', { ...COMPLAINT, name: 'Jane' }],
  ['no JSON', 'text'],
])('a complaint with %s is refused and not kept', async (_name, body) => {
  const answer = await file(body)
  const error = (await answer.json()) as AnswerBody
  assertIsError(error)
  expect([answer.status, error.error?.code]).toEqual([400, 'VALIDATION_BODY_INVALID'])
  expect(await box.list()).toEqual([])
})

test('a refused complaint names the field, the value and what exists', async () => {
  const answer = await file({ ...COMPLAINT, subject_id: 'idx_absent' })
  const { error } = (await answer.json()) as { error: { message: string; field_violations: readonly object[] } }
  expect(error.message).toContain('idx_absent')
  expect(error.field_violations).toMatchObject([{ field: 'subject_id' }])
  expect(JSON.stringify(error)).toContain('allowed with subject_kind index: an index of GET /v1/indexes')
})

test('anybody files a complaint; it is public once a member has read it, and an address files few', async () => {
  expect((await file(JSON.stringify(COMPLAINT), { 'content-type': 'text/plain' })).status).toBe(415)
  const { contact: _none, ...anonymous } = COMPLAINT
  expect((await file(anonymous)).status).toBe(202)
  expect(await box.list()).toMatchObject([{ text: COMPLAINT.text, contact: null }])
  const answer = await file(COMPLAINT)
  expect(answer.status).toBe(202)
  const { data } = (await answer.json()) as { data: { complaint_id: string; text_sha256: string; state: string } }
  expect(data).toMatchObject({ state: 'received', text_sha256: sha256Hex(COMPLAINT.text) })
  expect(await rows('/governance/complaints')).toEqual([])
  expect((await get(`/governance/complaints/${data.complaint_id}`)).status).toBe(404)
  const wish = { act: 'publish_complaint', text: null } as const
  await actOnComplaint({ warehouse, box }, PEOPLE.operator.signer, data.complaint_id, wish)
  await vi.waitFor(async () => expect(await rows('/governance/complaints')).toHaveLength(1), { timeout: 20_000 })
  const one = await get(`/governance/complaints/${data.complaint_id}`)
  assertMatchesOperation('get_complaint', one.body)
  assertMatchesOperation('list_complaints', (await get('/governance/complaints?state=published')).body)
  expect(one.body.data).toMatchObject({ text: COMPLAINT.text, is_redacted: false, history: [{ revision: 1 }] })
  expect(JSON.stringify(one.body)).not.toContain('jane')
  expect(await rows(`/governance/complaints?as_of=${before}`)).toEqual([])
  const about_rating = { ...COMPLAINT, subject_kind: 'rating', subject_id: 'rtg_a' }
  const statuses = [(await file(about_rating)).status]
  for (let count = 0; count < 5; count += 1) statuses.push((await file(COMPLAINT)).status)
  expect(statuses).toEqual([202, 202, 202, 429, 429, 429])
})

test('late restatements are listed as known at an instant, each with its levels', async () => {
  const change = { observation_id: 'iob_b', supersedes_id: 'iob_a', tick_at: before, old_level: '10.0000' }
  await append(warehouse, 'index_restatement', {
    ...{ proposal_id: 'prp_a', index_id: 'idx_a', change_class: 'late_restatement', correction_reason: 'LATE_DATA' },
    ...{ starts_at: before, ends_at: '2030-01-01T00:00:00Z', known_at: before, act_id: 'gac_a' },
    changes: [{ ...change, new_level: '12.5000', basis_points: '2500.00', quality_state: 'corrected' }],
  })
  await vi.waitFor(async () => expect(await rows('/governance/restatements')).toHaveLength(1), { timeout: 20_000 })
  assertMatchesOperation('list_restatements', (await get('/governance/restatements?index_id=idx_a')).body)
  const one = await get('/governance/restatements/prp_a')
  assertMatchesOperation('get_restatement', one.body)
  expect(one.body.data).toMatchObject({ changes: [{ old_level: '10.0000', new_level: '12.5000' }] })
  expect(await rows('/governance/restatements?index_id=idx_b')).toEqual([])
  expect(await rows(`/governance/restatements?as_of=${before}`)).toEqual([])
  const absent = await get('/governance/restatements/prp_absent')
  expect(absent.status).toBe(404)
  assertIsError(absent.body)
})

test('a stream has each notice when it is published, and resumes without a gap', async () => {
  const socket = new WebSocket(`${api.stream_url}/v1/ws`)
  const messages: Record<string, unknown>[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Record<string, unknown>))
  await once(socket, 'open')
  socket.send(JSON.stringify({ op: 'subscribe', id: '1', topic: 'governance.notice', index_id: 'idx_a' }))
  const of = (type: string) => messages.find((message) => message.type === type)
  await vi.waitFor(() => expect(of('subscribed')).toBeDefined())
  const { epoch, seq } = of('subscribed')!
  const index = { index_id: 'idx_a', slug: 'a', symbol: 'A', unit: 'points', base_value: '10', base_date: before }
  await append(warehouse, 'index_definition', { ...index, revision: 3, status: 'archived' })
  await publishNotices(warehouse)
  await vi.waitFor(() => expect(of('event')).toBeDefined(), { timeout: 20_000 })
  const event = of('event')!
  expect(event).toMatchObject({
    kind: 'published',
    data: { kind: 'cessation', index_id: 'idx_a', title: 'Ended: idx_a' },
  })
  expect(event.data).toEqual((await rows('/governance/notices?kind=cessation'))[0])
  const resume = { epoch, after_seq: seq }
  socket.send(JSON.stringify({ op: 'subscribe', id: '2', topic: 'governance.notice', resume }))
  await vi.waitFor(() => expect(messages.filter(({ type }) => type === 'event')).toHaveLength(2), { timeout: 20_000 })
  expect(messages.filter(({ type }) => type === 'event')[1]!.data).toEqual(event.data)
  socket.close()
})
