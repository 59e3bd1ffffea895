import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { receivedItem } from '../../../connectors/archives/payloads/payload-item.ts'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { ingestSession } from '../../../operations/live/ingest-session.ts'
import { FLUSH_MS, recordVenue } from '../../../operations/record/record-venue.ts'
import type { VenueId } from '../../../simulator/world/options.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { MINUTE, SECOND, START } from '../../simulator/support/small-world.ts'
import { openedWarehouses } from '../../support/opened-warehouses.ts'
import { type ServedVenue, serveVenue } from '../../support/served-venue.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { allPayloads, allRows, LIMITS, ONE_READ, type OpenedStreams, openedStreams, ticking } from './support.ts'

const folder = tempFolder()
const { running, warehouseAt } = openedWarehouses(folder)
const WORLD = { seed: 'record', start: START, days: 2, markets: 4, interval: MINUTE }
const SESSION_MS = 600_000

/** Follows a venue by a live ingest and a recorder side by side, for several runs with a pause between two of them. */
async function followTwice(venue_id: VenueId, name: string, runs: number) {
  const served = await serveVenue(venue_id, WORLD, START + 60 * MINUTE)
  running.push(served)
  const live = await warehouseAt(`${name}-live`)
  const dir = join(folder, `${name}-recording`)
  const { clock } = served
  const now = () => clock.now()
  const stream = { backoff_first_ms: 5, backoff_max_ms: 20, heartbeat_ms: 3_600_000 }
  for (let run = 0; run < runs; run += 1) {
    const streams = openedStreams(2)
    const stop = new AbortController()
    const connect = () => streams.watched(served.connect({ stream, now: ticking(clock) }))
    const common = { connect, now, plan: ONE_READ, signal: stop.signal }
    const done = Promise.all([
      ingestSession({ venue_id, session_ms: SESSION_MS }, { ...common, warehouse: live, linger_ms: 20 }),
      recordVenue({ ...common, venue_id, dir, markets: null, limits: { ...LIMITS, file_bytes_max: 4_000 } }),
    ])
    await streams.arrived()
    for (let step = 0; step < sized(12, 60); step += 1) {
      if (step === 6) await gap(served, streams, dir)
      clock.advanceTo(clock.now() + 20 * SECOND)
      await streams.arrived()
    }
    stop.abort()
    await done
    clock.advanceTo(clock.now() + 40 * MINUTE) // nobody listens
  }
  return { served, live, dir }
}

/** Closes the venue's streams for longer than a recorder takes to notice, until everybody follows them again and it is noted. */
async function gap(served: ServedVenue, streams: OpenedStreams, dir: string): Promise<void> {
  const closed = () => gapsOf(dir).filter(({ missing, to }) => missing === 'streams' && to !== null).length
  const before = closed()
  const { resume } = await served.interrupt()
  await sleep(2 * FLUSH_MS)
  await resume()
  await streams.arrived()
  while (closed() === before) await sleep(20)
}

/** Gaps in the journal of a recording. */
function gapsOf(dir: string): readonly { readonly missing: string; readonly to: string | null }[] {
  const lines = readFileSync(join(dir, 'recording.jsonl'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'gap')
}

async function imported(venue_id: VenueId, dir: string): Promise<Warehouse> {
  const warehouse = await warehouseAt(`${basename(dir)}-imported`)
  const report = await importArchive({ archive: venue_id, dir, clock: 'wall', warehouse })
  expect(report.quarantine).toEqual([])
  return warehouse
}

/** The next test compares Polymarket in both lanes, its quotes by what they say. */
const COMPARED = sized(['kalshi', 'manifold'] as const, ['kalshi', 'polymarket', 'manifold'] as const)

test.each(COMPARED)(
  '%s: rows imported from a recording equal those that live ingest stored, over a gap of the streams too',
  async (venue_id) => {
    const { live, dir } = await followTwice(venue_id, `${venue_id}-once`, 1)
    const other = await imported(venue_id, dir)
    const [expected, found] = [await allRows(live), await allRows(other)]
    expect(expected.market_quote!.length).toBeGreaterThan(4)
    expect(await allPayloads(other)).toEqual(await allPayloads(live))
    for (const [table, rows] of Object.entries(expected)) expect({ table, rows: found[table] }).toEqual({ table, rows })
    expect(gapsOf(dir)).toMatchObject([
      { missing: 'streams', to: null },
      { missing: 'streams', to: expect.any(String) },
    ])
  },
  120_000,
)

test('a recording that was stopped and went on: equal, but for what an import remembers from before the pause', async () => {
  const { live, dir } = await followTwice('polymarket', 'twice', 2)
  const other = await imported('polymarket', dir)
  const [expected, found] = [await allRows(live), await allRows(other)]
  expect(await allPayloads(other)).toEqual(await allPayloads(live))
  for (const table of ['event', 'market', 'order_book', 'public_trade', 'market_resolution']) {
    expect({ table, rows: found[table] }).toEqual({ table, rows: expected[table] })
  }
  for (const [table, statementOf] of [
    ['market_quote', touchOf],
    ['market_metric', sizesOf],
  ] as const) {
    expect(new Set(found[table]!.map(statementOf))).toEqual(new Set(expected[table]!.map(statementOf)))
  }
  expect(gapsOf(dir).filter(({ missing }) => missing === 'recorder')).toHaveLength(2)
}, 120_000)

test.each(['kalshi', 'polymarket'] as const)(
  '%s: of named markets alone',
  async (venue_id) => {
    const served = await serveVenue(venue_id, WORLD, START + 60 * MINUTE)
    running.push(served)
    const all = await namedMarkets(served)
    const markets = all.slice(0, 1)
    const [streams, stop] = [openedStreams(1), new AbortController()]
    const dir = join(folder, `${venue_id}-named`)
    const stream = { heartbeat_ms: 3_600_000 }
    const connect = () =>
      streams.watched(served.connect({ stream, stream_markets: markets, now: ticking(served.clock) }))
    const now = () => served.clock.now()
    const done = recordVenue({
      venue_id,
      dir,
      markets,
      connect,
      now,
      plan: ONE_READ,
      limits: LIMITS,
      signal: stop.signal,
    })
    await streams.arrived()
    for (let step = 0; step < 20; step += 1) {
      served.clock.advanceTo(served.clock.now() + 10 * MINUTE)
      await streams.arrived()
    }
    stop.abort()
    expect((await done).payloads).toBeGreaterThan(1)
    const rows = await allRows(await imported(venue_id, dir))
    const about = [...rows.market_quote!, ...rows.public_trade!].map(({ source_market_id }) => source_market_id)
    expect(all.length).toBeGreaterThan(1)
    expect([...new Set(about)]).toEqual(markets)
  },
  120_000,
)

test('bytes that are no text are kept and imported as quarantined; those that may name accounts are in the journal', async () => {
  const dir = join(folder, 'unreadable')
  const bytes = Buffer.from('{"price":"\xff"}', 'latin1')
  const at = { venue_id: 'polymarket', request: '/x?limit=1', received_at: START, file: 'venue' } as const
  const stop = new AbortController()
  async function* read(part: string) {
    if (part === 'catalogue') {
      yield receivedItem({ ...at, endpoint: 'GET /book' }, bytes)
      yield receivedItem({ ...at, endpoint: 'GET /trades', request: '/trades?user=0xabc&limit=1' }, bytes)
      yield receivedItem({ ...at, endpoint: 'GET /book' }, Buffer.from('{}'))
    } else stop.abort()
  }
  const connect = () =>
    ({ confirmed_at: null, read, openStreams: () => [], close: async () => undefined }) as unknown as VenueConnector
  const report = await recordVenue({
    ...{ venue_id: 'polymarket', dir, markets: null, connect, now: () => START, plan: ONE_READ, limits: LIMITS },
    signal: stop.signal,
  })
  expect(report).toMatchObject({ payloads: 2, payloads_new: 2 })
  const journal = readFileSync(join(dir, 'recording.jsonl'), 'utf8').trimEnd().split('\n')
  expect(journal.map((line) => JSON.parse(line)).filter(({ event }) => event === 'not_kept')).toEqual([
    {
      ...{ at: expect.any(String), event: 'not_kept', reason: 'BAD_ENCODING', endpoint: 'GET /trades' },
      ...{ request: '/trades?limit=1', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    },
  ])
  const warehouse = await warehouseAt('unreadable-imported')
  const { input, quarantine } = await importArchive({ archive: 'polymarket', dir, clock: 'wall', warehouse })
  expect(input).toMatchObject({ read: 2 + input.ignored, imported: 0, quarantined: 2 })
  expect(quarantine[0]).toMatchObject({ line: 1, reason: 'BAD_ENCODING' })
})

/** A session of live ingest begins without the last trades and sizes of the one before. */
function touchOf({ outcome_id, source_at, bid, ask, bid_depth, ask_depth, reported_probability }: Row): string {
  return JSON.stringify([outcome_id, source_at, bid, ask, bid_depth, ask_depth, reported_probability])
}

function sizesOf({ market_id, volume_24h, open_interest, liquidity_notional }: Row): string {
  return JSON.stringify([market_id, volume_24h, open_interest, liquidity_notional])
}

/** Ids of the markets that trade, as the venue lists them. */
async function namedMarkets(served: ServedVenue): Promise<string[]> {
  const connector = served.connect()
  const ids = new Set<string>()
  for await (const item of connector.read('markets', { from: START, to: null })) {
    const text = 'payload' in item ? item.payload.text : ''
    for (const [, id] of text.matchAll(/"(?:ticker|conditionId)"\s*:\s*"([^"]+)"/g)) ids.add(id!)
  }
  await connector.close()
  return [...ids]
}
