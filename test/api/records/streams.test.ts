import { join } from 'node:path'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { moveRecord } from '../../../operations/review/review.ts'
import { computeSeverityIndex } from '../../../operations/severity/compute-severity-index.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import { dataMessage } from '../../../protocol/stream/server-messages.ts'
import { type TopicName, topicOf } from '../../../protocol/stream/topics.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { assessedRow, modelRow, person, portsOf } from '../../support/review-world.ts'
import { until } from '../../support/service-process.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { wholeWarehouse } from '../../support/whole-warehouse.ts'
import { rowOf, rowsOf, serve, walk } from '../acceptance/served.ts'
import { type Said, StreamClient } from '../stream/stream-client.ts'
import { append } from './severity-records.ts'

/** The three topics over a warehouse in files: snapshots are what REST answers, events are the records of its histories. */
const folder = tempFolder()
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })
const root = join(folder, 'warehouse')
const observer = person('watcher', 'observer')
const member = person('member', 'committee')
let warehouse: Warehouse
let api: Awaited<ReturnType<typeof serve>>
let client: StreamClient

beforeAll(async () => {
  warehouse = await openWarehouse({ root: await wholeWarehouse(folder) })
  api = await serve(root)
  client = await StreamClient.open(`${api.stream_url}/v1/ws`)
})
afterAll(async () => {
  await client.close()
  await warehouse.close()
})

/** Subscribes, and waits until its snapshots are there. */
async function subscribe(id: string, topic: TopicName, filters: object = {}): Promise<Said> {
  const answer = await client.ask({ op: 'subscribe', id, topic, ...filters })
  await client.ask({ op: 'ping', id: `${id} ping` })
  return answer
}
const ofSid = (sid: unknown, of = client) => of.data(String(sid))
const eventsOf = (sid: unknown, of = client) => ofSid(sid, of).filter(({ type }) => type === 'event')

function expectMessage(topic: TopicName, message: Said): void {
  expect(Check(dataMessage(topicOf(topic)), message), JSON.stringify(message)).toBe(true)
}

/** A rating by the program, then a dispute about it. */
async function publishRating(market_id: string): Promise<string> {
  const row = modelRow(market_id, 'MR4', await warehouse.now())
  await append(warehouse, 'market_rating', [row], null)
  const ports = portsOf(warehouse, [observer], observer)
  const done = await moveRecord(RATING_SUBJECT, ports, { act: 'dispute', record_id: row.rating_id, text: 'why' })
  return String(done.records[0]!.rating_id)
}

test('market.rating: the rating in force, then every record; with and without a filter, and resumed', async () => {
  const one = await subscribe('one', 'market.rating', { market_id: 'mkt_e11' })
  const all = await subscribe('all', 'market.rating')
  const [snapshot] = ofSid(one.sid)
  expectMessage('market.rating', snapshot!)
  expect(snapshot!.data).toEqual(rowOf(await api.get('/markets/mkt_e11/rating')))
  const of_all = ofSid(all.sid).filter(({ type }) => type === 'snapshot')
  expect(of_all.length).toBeGreaterThan(40)
  const rows = await Promise.all(
    of_all.slice(0, 5).map(async ({ data }) => rowOf(await api.get(`/markets/${data.market_id}/rating`))),
  )
  expect(of_all.slice(0, 5).map(({ data }) => data)).toEqual(rows)

  const disputed = await publishRating('mkt_e11')
  await client.next(({ sid, data }) => sid === one.sid && (data as Row | undefined)?.rating_id === disputed)
  await client.ask({ op: 'ping', id: 'disputed' })
  const heard = eventsOf(one.sid)
  for (const message of heard) expectMessage('market.rating', message)
  expect(heard.map(({ kind }) => kind)).toEqual(['published', 'corrected'])
  expect(heard[1]!.prev_seq).toBe(heard[0]!.seq)
  const query = '/markets/mkt_e11/ratings?include_corrections=true&review_state=approved,disputed'
  expect(heard.map(({ data }) => data)).toEqual(rowsOf(await api.get(query)).slice(-2))
  expect(eventsOf(all.sid).map(({ data }) => data)).toEqual(heard.map(({ data }) => data))
  // The program's record is disputed; the analyst's stays in force.
  expect(rowOf(await api.get('/markets/mkt_e11/rating')).issuer).toMatchObject({ kind: 'analyst' })

  const again = await StreamClient.open(`${api.stream_url}/v1/ws`)
  const resume = { epoch: heard[0]!.epoch, after_seq: heard[0]!.seq }
  const resumed = await again.ask({ op: 'subscribe', id: 'r', topic: 'market.rating', market_id: 'mkt_e11', resume })
  expect(resumed.mode).toBe('resumed')
  await again.ask({ op: 'ping', id: 'p' })
  expect(ofSid(resumed.sid, again)).toEqual([heard[1]])
  const foreign = { op: 'subscribe', id: 'f', topic: 'market.rating', market_id: 'mkt_e24' }
  const other = await again.ask({ ...foreign, resume: { ...resume, epoch: 'other' } })
  expect(other.mode).toBe('snapshot')
  await again.ask({ op: 'ping', id: 'q' })
  expect(again.said.find(({ type }) => type === 'gap')).toMatchObject({ reason: 'epoch_changed', sid: other.sid })
  await again.close()
})

test('event.severity: what is in force of each type, then every record', async () => {
  const observed = await subscribe('e12', 'event.severity', { event_id: 'evt_e12' })
  const forecast = await subscribe('e13', 'event.severity', { event_id: 'evt_e13' })
  for (const [event_id, { sid }] of [
    ['evt_e12', observed],
    ['evt_e13', forecast],
  ] as const) {
    const answers = await Promise.all(
      ['observed', 'forecast'].map((type) => api.get(`/events/${event_id}/severity?assessment_type=${type}`)),
    )
    const said = ofSid(sid).map(({ data }) => data)
    expect(said).toHaveLength(2)
    expect(said).toEqual(expect.arrayContaining(answers.map(rowOf)))
  }
  const [stored] = rowsOf(await api.get('/events/evt_e12/severity-history'))
  const { published_at: _at, ...kept } = stored!
  const anew = { ...kept, assessment_id: 'asm_live', chain_id: 'ach_live', revision: 1, supersedes_id: null }
  await append(warehouse, 'severity_assessment', [anew], null)
  await client.next(({ sid, type }) => sid === observed.sid && type === 'event')
  const [message] = eventsOf(observed.sid)
  expectMessage('event.severity', message!)
  expect(message!.kind).toBe('published')
  const history = rowsOf(await api.get('/events/evt_e12/severity-history'))
  expect(message!.data).toEqual(history.find(({ assessment_id }) => assessment_id === 'asm_live'))
  expect(eventsOf(forecast.sid)).toEqual([])
})

test('known_gaps of the service say when there is no snapshot, and it is so', async () => {
  const { topics } = rowOf(await api.get('/capabilities')) as { topics: { topic: string; known_gaps: string[] }[] }
  const gapsOf = (name: TopicName) => topics.find(({ topic }) => topic === name)!.known_gaps
  const never_rated =
    'without market_id, markets that were never rated have no snapshot; with market_id, their snapshot is NR'
  expect(gapsOf('market.rating')).toContain(never_rated)
  const [rating] = await snapshotsOf('market.rating', { market_id: 'mkt_bare' })
  expect(rating!.data).toMatchObject({ market_id: 'mkt_bare', rating_id: null, band: 'NR' })
  const rated = await snapshotsOf('market.rating', {})
  expect(rated.map(({ data }) => (data as Row).market_id)).not.toContain('mkt_bare')

  const no_record =
    'without event_id, an event has no snapshot for a type without a record; with event_id, that snapshot is UNKNOWN'
  expect(gapsOf('event.severity')).toContain(no_record)
  const silent = await snapshotsOf('event.severity', { event_id: 'evt_silent' })
  expect(silent.map(({ data }) => (data as Row).level)).toEqual(['UNKNOWN', 'UNKNOWN'])
  const assessed = (await snapshotsOf('event.severity', {})).map(({ data }) => data as Row)
  expect(assessed.map(({ event_id }) => event_id)).not.toContain('evt_silent')
  expect(assessed.filter(({ event_id }) => event_id === 'evt_e12').map((row) => row.assessment_type)).toEqual([
    'observed',
  ])
})

/** Returns the first messages of a new stream, its snapshots. */
async function snapshotsOf(topic: TopicName, filters: object, stream_url = api.stream_url): Promise<readonly Said[]> {
  const anew = await StreamClient.open(`${stream_url}/v1/ws`)
  const { sid } = await anew.ask({ op: 'subscribe', id: 'anew', topic, ...filters })
  await anew.ask({ op: 'ping', id: 'p' })
  const said = ofSid(sid, anew)
  await anew.close()
  for (const message of said) expectMessage(topic, message)
  return said
}

const SUBJECTS = {
  'market.rating': {
    subject: RATING_SUBJECT,
    table: 'market_rating',
    id: 'rating_id',
    filters: { market_id: 'mkt_bare' },
    row: (cutoff: Micros): Row => modelRow('mkt_bare', 'MR3', cutoff),
    rest: ['/markets/mkt_bare/rating'],
  },
  'event.severity': {
    subject: SEVERITY_SUBJECT,
    table: 'severity_assessment',
    id: 'assessment_id',
    filters: { event_id: 'evt_taken_back' },
    row: (cutoff: Micros): Row => assessedRow('evt_taken_back', 'SEV-2', cutoff),
    rest: ['observed', 'forecast'].map((type) => `/events/evt_taken_back/severity?assessment_type=${type}`),
  },
} as const

test.each(['market.rating', 'event.severity'] as const)(
  '%s: after each of several withdrawals the snapshot is what REST answers, of who followed and of who begins anew',
  async (topic) => {
    const { subject, table, id, filters, row, rest } = SUBJECTS[topic]
    const records = sized([3, 2, 1], [5, 4, 3, 2, 1]).map((back) =>
      row(toMicros('2026-07-10T00:00:00Z') - back * MICROS_PER_DAY),
    )
    for (const record of records) await append(warehouse, table, [record], null)
    // An event that is known by its assessments alone cannot be subscribed to before the reader has them.
    await until(async () => {
      const answer = await api.get(rest[0]!)
      return answer.status === 200 && rowOf(answer)[id] === records.at(-1)![id]
    }, 60_000)
    const follower = await StreamClient.open(`${api.stream_url}/v1/ws`)
    const { sid } = await follower.ask({ op: 'subscribe', id: 'f', topic, ...filters })
    for (const [place, record] of records.toReversed().entries()) {
      const record_id = String(record[id])
      const withdraw = { act: 'withdraw', record_id, text: 'A wrong source.' } as const
      const done = await moveRecord(subject as never, portsOf(warehouse, [member], member), withdraw)
      const withdrawn = String((done.records[0] as Row)[id])
      await follower.next((said) => said.sid === sid && (said.data as Row | undefined)?.[id] === withdrawn)
      const answers = await Promise.all(rest.map(async (path) => rowOf(await api.get(path))))
      const expected = records[records.length - 2 - place]
      expect(answers[0]![id]).toBe(expected === undefined ? null : expected[id])
      const said = await snapshotsOf(topic, filters)
      expect(said.map(({ data }) => data)).toEqual(expect.arrayContaining(answers))
      expect(said).toHaveLength(answers.length)
      expect(new Set(said.map(({ event_id }) => event_id)).size).toBe(said.length)
    }
    const begun = await serve(root)
    const [late, early] = await Promise.all([
      snapshotsOf(topic, filters, begun.stream_url),
      snapshotsOf(topic, filters),
    ])
    expect(late).toEqual(early)
    const all = await snapshotsOf(topic, {}, begun.stream_url)
    expect(
      all.filter(({ data }) => Object.entries(filters).every(([name, value]) => (data as Row)[name] === value)),
    ).toHaveLength(1)
    await follower.close()
  },
)

test('severity_index.value: the newest value, then every one that is published', async () => {
  const { sid } = await subscribe('svi', 'severity_index.value', { severity_index_id: 'svi_e14' })
  expect(ofSid(sid)[0]!.data).toEqual(rowOf(await api.get('/severity-indexes/svi_e14/value')))
  await computeSeverityIndex({ severity_index_id: 'svi_e14', at: '2026-07-18T00:00:00Z', clock: 'wall', warehouse })
  await client.next((said) => said.sid === sid && said.type === 'event')
  const [message] = eventsOf(sid)
  expectMessage('severity_index.value', message!)
  expect(message!.data).toEqual(rowOf(await api.get('/severity-indexes/svi_e14/value')))
})

test('a filter that names nothing, or that another topic has, is refused', async () => {
  const REFUSED: readonly (readonly [TopicName, object, string])[] = [
    ['market.rating', { market_id: 'mkt_absent' }, 'MARKET_NOT_FOUND'],
    ['event.severity', { event_id: 'evt_absent' }, 'EVENT_NOT_FOUND'],
    ['severity_index.value', { severity_index_id: 'svi_absent' }, 'SEVERITY_INDEX_NOT_FOUND'],
    ['market.rating', { event_id: 'evt_e12' }, 'VALIDATION_MESSAGE_INVALID'],
    ['event.severity', { event_id: 'evt_e12', assessment_type: 'observed' }, 'VALIDATION_MESSAGE_INVALID'],
  ]
  for (const [place, [topic, filters, code]] of REFUSED.entries())
    expect(await subscribe(`x${place}`, topic, filters)).toMatchObject({ type: 'error', error: { code } })
})

test('neither resource is in the other, nor in the eligibility of a market', async () => {
  const paths = {
    rating: ['/markets/mkt_e11/rating?expand=measured', '/markets/mkt_acts/ratings?include_corrections=true'],
    severity: [
      '/events/evt_e12/severity?assessment_type=observed&expand=measured',
      '/events/evt_e13/severity-history',
      '/severity-indexes',
      '/severity-indexes/svi_e14/values?expand=inputs',
    ],
    neither: ['/markets', '/events'],
  }
  const fieldsOf = async (some: readonly string[]) => {
    const answers = await Promise.all(some.map((path) => api.get(path)))
    return [...new Set(answers.flatMap(({ body }) => [...names(body.data)]))]
  }
  const [ratings, severity, neither] = await Promise.all([paths.rating, paths.severity, paths.neither].map(fieldsOf))
  expect(ratings).toContain('rating_id')
  expect(severity).toContain('assessment_id')
  expect([...ratings!, ...neither!].filter((name) => /severity|assessment|scenario|exceedance/.test(name))).toEqual([])
  expect([...severity!, ...neither!].filter((name) => /rating|band/.test(name))).toEqual([])
  expect(severity!.filter((name) => /market/.test(name))).toEqual([])
})

/** Every field name in a value, however deep. */
function* names(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name
    yield* names(inner)
  }
}

test('the list of every market has the ratings of each, by state and band, as of an instant too', async () => {
  const states = 'review_state=approved,disputed,superseded,under_review,draft,withdrawn'
  for (const query of [states, 'review_state=under_review', `${states}&band=MR3`, 'as_of=2026-04-06T12:00:00Z']) {
    const all = await walk(api.get, `/ratings?${query}`, 37)
    const market_ids = [...new Set(all.map(({ market_id }) => String(market_id)))]
    expect([query, all.length > 0]).toEqual([query, true])
    for (const market_id of market_ids.slice(0, 6))
      expect(all.filter((one) => one.market_id === market_id)).toEqual(
        rowsOf(await api.get(`/markets/${market_id}/ratings?${query}&limit=1000`)),
      )
  }
  assertMatchesOperation('list_ratings', (await api.get('/ratings')).body)
})
