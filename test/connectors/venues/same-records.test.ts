import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { mergePayloads } from '../../../connectors/archives/payloads/merge-payloads.ts'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import { importLive } from '../../../operations/import/import-live.ts'
import { importPayloads } from '../../../operations/import/import-payloads.ts'
import type { ImportReport } from '../../../operations/import/import-report.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { createDayFiles } from '../../../simulator/files/day-files.ts'
import { recordVenue } from '../../../simulator/files/record-venue.ts'
import { type Faults, NO_FAULTS } from '../../../simulator/server/faults.ts'
import { createSimulatedVenue } from '../../../simulator/simulated-venue.ts'
import { VENUES, type VenueId, type WorldOptions } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { MINUTE, START } from '../../simulator/support/small-world.ts'
import { scriptedFaults } from '../../support/scripted-faults.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { ANSWER_MS, type ServedLog, servedWorld } from './served-world.ts'

/** One day of three venues: enough for outages and disputes. Pages are so short that every list has several. */
const WORLD: WorldOptions = { seed: 'served', start: START, days: 1, markets: sized(3, 5), interval: 10 * MINUTE }
const PAGE_MAX = 3
const TIMEOUT_MS = 300_000
const RECORDS = ['market_quote', 'order_book', 'public_trade', 'market_resolution', 'market', 'event'] as const
const folder = tempFolder()

async function imported<T>(name: string, load: (warehouse: Warehouse) => Promise<T>) {
  const warehouse = await openWarehouse({ root: join(folder, name), create: true })
  try {
    const report = await load(warehouse)
    const tables: Record<string, Row[]> = {}
    const session = await openReadSession(warehouse, { as_of: null })
    try {
      for (const table of [...RECORDS, 'venue_payload']) {
        const without = table === 'venue_payload' ? 'exclude (row_ordinal, file, request)' : 'exclude (row_ordinal)'
        tables[table] = await session.query(`select * ${without} from ${table}_history order by all`)
      }
    } finally {
      await session.close()
    }
    return { report, tables }
  } finally {
    await warehouse.close()
  }
}

/** The world as files of what a recorder without any delay gets. */
async function fromFiles() {
  const dir = join(folder, 'files')
  mkdirSync(dir)
  for (const venue_id of VENUES) {
    const { world, wire } = createSimulatedVenue(planWorld(WORLD), venue_id)
    const polls = wire.polls.map((poll) => ({ ...poll, requests: (now: Micros) => poll.requests(now).map(shortPages) }))
    const files = createDayFiles(dir, venue_id)
    for (const payload of recordVenue(world, { ...wire, polls }, undefined, 'instant')) await files.add(payload)
    await files.close()
  }
  return imported('warehouse-files', (warehouse) =>
    importPayloads({ archive: 'payloads', dir, clock: 'recorded', warehouse }),
  )
}

function shortPages(request: string): string {
  return request.replace(/\blimit=\d+/, `limit=${PAGE_MAX}`)
}

/** The world as its servers show it, venue beside venue as the files lie side by side. */
async function fromServers(name: string, faultsOf: (venue_id: VenueId) => Faults) {
  const logs: Record<string, ServedLog> = {}
  const sources = VENUES.toSorted().map((venue_id) => {
    const log = { failed_reads: 0, connections: 0 }
    logs[venue_id] = log
    const served = { world_options: WORLD, faults: faultsOf(venue_id), log, page_max: PAGE_MAX }
    return {
      first_received_at: START,
      read: async function* read() {
        for await (const item of servedWorld(venue_id, served)) yield [item]
      },
    }
  })
  const result = await imported(name, (warehouse) =>
    importLive({
      archive: 'payloads',
      items: flat(mergePayloads(sources)),
      clock: 'recorded',
      warehouse,
      linger_ms: null,
    }),
  )
  return { ...result, logs }
}

async function* flat(lists: AsyncIterable<readonly PayloadItem[]>): AsyncGenerator<PayloadItem> {
  for await (const list of lists) yield* list
}

/** Returns one fault of each kind, each at another list or book. */
function faultsOf(venue_id: VenueId): Faults {
  const faults = scriptedFaults()
  const { list, other, leaf } = PATHS[venue_id]
  faults.nextAnswer(list, { kind: 'rate_limit', retry_after_seconds: 1 })
  faults.nextAnswer(list, { kind: 'status', status: 502 })
  faults.nextAnswer(list, { kind: 'cut' })
  faults.nextAnswer(other, { kind: 'stall', wait_ms: 3 * ANSWER_MS })
  faults.nextAnswer(other, { kind: 'reset' })
  faults.nextAnswer(leaf, { kind: 'cut' })
  return faults
}

const PATHS: Readonly<Record<VenueId, { readonly list: string; readonly other: string; readonly leaf: string }>> = {
  polymarket: { list: '/markets?', other: '/trades', leaf: '/book' },
  kalshi: { list: '/markets?', other: '/events', leaf: '/series/' },
  manifold: { list: '/v0/markets', other: '/v0/bets', leaf: '/v0/market-probs' },
}
const MALFORMED = VENUES.length * 2

describe('a served world', () => {
  let files: Awaited<ReturnType<typeof fromFiles>>
  beforeAll(async () => {
    files = await fromFiles()
  }, TIMEOUT_MS)

  test('there is something to compare in every table', () => {
    const rows = Object.entries(files.tables).map(([table, { length }]) => [table, length > 5])
    expect(rows).toEqual([...RECORDS, 'venue_payload'].map((table) => [table, true]))
  })

  test(
    'gives the payloads and records of its files, received and published at the same instants',
    async () => {
      const { tables, logs, report } = await fromServers('warehouse-served', () => NO_FAULTS)
      for (const table of RECORDS) expect(tables[table], table).toEqual(files.tables[table])
      // A list whose last page is full ends with an empty one.
      expect(tables.venue_payload!.filter(hasContent)).toEqual(files.tables.venue_payload!.filter(hasContent))
      expect(countsOf(report)).toEqual(countsOf(files.report))
      for (const { connections, failed_reads } of Object.values(logs)) {
        expect([connections, failed_reads > 0]).toEqual([2, true]) // one outage
      }
    },
    TIMEOUT_MS,
  )

  test(
    'with 429, 502, stalls, resets and cut answers gives the same records: what was cut is quarantined and asked for again',
    async () => {
      const { tables, report } = await fromServers('warehouse-faults', faultsOf)
      for (const table of RECORDS) {
        expect(tables[table]!.map(withoutClock), table).toEqual(files.tables[table]!.map(withoutClock))
      }
      const { reasons, ...counts } = countsOf(report)
      const { reasons: reasons_of_files, ...counts_of_files } = countsOf(files.report)
      const cut = Array.from({ length: MALFORMED }, () => 'BAD_JSON')
      expect(reasons).toEqual([...cut, ...reasons_of_files].sort())
      expect(counts.records_new).toBe(counts_of_files.records_new)
      expect(counts.records_revised).toBe(counts_of_files.records_revised)
      expect(counts.records_quarantined).toBe(counts_of_files.records_quarantined + MALFORMED)
      const malformed = tables.venue_payload!.filter(hasContent).length
      expect(malformed).toBe(files.tables.venue_payload!.filter(hasContent).length + MALFORMED)
    },
    TIMEOUT_MS,
  )
})

function hasContent({ body }: Row): boolean {
  return body !== '[]'
}

/** Batches are cut elsewhere where there are more payloads, so that a minute may be published in two parts. */
function withoutClock({ published_at: _published_at, ...row }: Row): Row {
  return row
}

function countsOf({ quarantine, records_read, records_new, records_revised, records_quarantined }: ImportReport) {
  const reasons = quarantine.map(({ reason }) => reason as string).sort()
  return { records_read, records_new, records_revised, records_quarantined, reasons }
}
