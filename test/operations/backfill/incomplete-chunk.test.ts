import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import { AnswerTally, lackOf } from '../../../operations/backfill/answer-tally.ts'
import type { BackfillSubject } from '../../../operations/backfill/backfill-subject.ts'
import { runBackfill } from '../../../operations/backfill/run-backfill.ts'
import { recordPause, recordResume } from '../../../operations/pause/record-schedule-act.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import type { ServedVenue } from '../../support/served-venue.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { DAYS, FROM, portsOf, recordsOf, servePast, TO } from './served-past.ts'

const folder = tempFolder()
let served: ServedVenue
let warehouse: Warehouse
let close: () => Promise<void>
let connector: VenueConnector
let subject: BackfillSubject

beforeAll(async () => {
  served = await servePast('kalshi')
  warehouse = await openWarehouse({ root: join(folder, 'disturbed'), create: true })
  const opened = portsOf(served, warehouse)
  connector = opened.ports.connectorOf('kalshi')
  close = opened.close
  const [market] = await tickersOf(connector)
  subject = { kind: 'venue', request: { venue_id: 'kalshi', from: FROM, to: TO, markets: [market!] } }
}, 120_000)

afterAll(async () => {
  await close()
  await warehouse.close()
  await served.close()
})

async function tickersOf(of: VenueConnector): Promise<string[]> {
  const found = new Set<string>()
  for await (const item of of.read('markets', { from: 0, to: null })) {
    if ('payload' in item)
      for (const [, ticker] of item.payload.text.matchAll(/"ticker":"([^"]+)"/g)) found.add(ticker!)
  }
  return [...found].sort()
}

/** The real connection to the served venue, some of whose answers arrive in another form. */
function garbled(isGarbled: (request: string) => boolean): VenueConnector {
  async function* read(...args: Parameters<VenueConnector['read']>): AsyncGenerator<PayloadItem> {
    for await (const item of connector.read(...args)) {
      const is_hit = 'payload' in item && isGarbled(item.payload.request ?? '')
      yield is_hit ? { payload: { ...item.payload, text: '{"candlesticks":"later"}' } } : item
    }
  }
  return { ...connector, read }
}

const run = (of: VenueConnector, into: Warehouse, name: string) =>
  runBackfill(subject, { warehouse: into, connectorOf: () => of, home: join(folder, name) })

/** What a report of all that is stored states. */
async function storedIn(of: Warehouse): Promise<{ records_new: number; marks_published: number }> {
  const session = await openReadSession(of, { as_of: null })
  const rowsOf = async (table: string) => {
    const [row] = await session.query(`select count(*)::integer as rows from ${table}_history`)
    return Number(row!.rows)
  }
  try {
    const records = [await rowsOf('market_quote'), await rowsOf('public_trade'), await rowsOf('market_resolution')]
    return { records_new: records.reduce((a, b) => a + b, 0), marks_published: await rowsOf('market_mark') }
  } finally {
    await session.close()
  }
}

describe('a chunk with an unreadable answer', () => {
  test('is not done: the run fails and names it, the other days are there; a repeat reads it alone and heals it', async () => {
    let hits = 0
    const once = garbled((request) => request.includes('candlesticks') && ++hits === 1)
    const failed = await run(once, warehouse, 'home')
    expect(failed).toMatchObject({ state: 'failed', chunks_total: DAYS, chunks_done: DAYS - 1 })
    expect(failed.failed).toEqual([
      {
        subject: failed.failed[0]!.subject,
        from: FROM,
        code: 'BACKFILL_CHUNK_INCOMPLETE',
        message: expect.stringMatching(/^kalshi: 1 of \d+ answers could not be read: .*candlesticks/),
      },
    ])
    const healed = await run(connector, warehouse, 'home')
    expect(healed).toMatchObject({ state: 'done', chunks_done: DAYS, chunks_resumed: DAYS - 1, failed: [] })
    // The first run counts what its incomplete chunk stored; both together count all that is stored.
    expect(healed).toMatchObject(await storedIn(warehouse))
    expect(failed.records_new).toBeGreaterThan(0)

    const whole = await openWarehouse({ root: join(folder, 'undisturbed'), create: true })
    await run(connector, whole, 'other-home')
    expect(await recordsOf(warehouse)).toEqual(await recordsOf(whole))
    await whole.close()
  }, 120_000)

  test('fails the plan where it describes the markets, which would otherwise be missing unsaid', async () => {
    const of = garbled((request) => request.startsWith('/events/'))
    connector.forget()
    await expect(run(of, warehouse, 'home')).rejects.toMatchObject({ code: 'BACKFILL_CHUNK_INCOMPLETE' })
  }, 120_000)
})

describe('while ingest of the venue or publication is paused', () => {
  test.each(['ingest-venue/kalshi', 'publish-tick'])(
    '%s: a backfill stores nothing, and says who paused it',
    async (id) => {
      const before = await recordsOf(warehouse)
      await recordPause(warehouse, id, { actor: 'ada', reason: 'wrong books' })
      const refused = run(connector, warehouse, 'home')
      await expect(refused).rejects.toMatchObject({
        code: 'SCHEDULE_PAUSED',
        message: expect.stringMatching(new RegExp(`^${id} is paused by ada at .* \\(wrong books\\); allowed: after`)),
      })
      expect(await recordsOf(warehouse)).toEqual(before)
      await recordResume(warehouse, id, { actor: 'ada', reason: 'mended' })
    },
  )
})

describe('what a part lacks', () => {
  const url = (request: string) => `http://127.0.0.1:1/v2${request}`
  const answer = (request: string) => ({
    venue_id: 'v',
    endpoint: 'e',
    request,
    received_at: 0,
    file: url(request),
    text: '',
  })
  const refused = { quarantine: [{ file: 'f', line: 1, path: '$', reason: 'UNKNOWN_SHAPE' as const }] }

  test('an answer that was cut and came whole the next time is read', () => {
    const tally = new AnswerTally()
    tally.add(answer('/a'), refused)
    tally.add(answer('/a'), {})
    tally.addUnkept(url('/b'))
    tally.add(answer('/b'), { quarantine: [{ file: 'f', line: 1, path: '$.x[0]', reason: 'BAD_VALUE' }] })
    const answers = tally.answers()
    expect(answers).toEqual({ expected: 2, read: 2, unreadable: [] })
    expect(lackOf({ answers, records_read: 100, records_quarantined: 9 })).toBeNull()
    expect(lackOf({ answers, records_read: 100, records_quarantined: 10 })).toBe('10 of 100 records could not be read')
  })
})
