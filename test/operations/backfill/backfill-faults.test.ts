import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnector } from '../../../connectors/venues/open-connector.ts'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import type { BackfillSubject } from '../../../operations/backfill/backfill-subject.ts'
import { runBackfill } from '../../../operations/backfill/run-backfill.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { createRuledFaults, parseFaultRule } from '../../../simulator/server/fault-rules.ts'
import { startSimulatorServer } from '../../../simulator/server/start-simulator-server.ts'
import { emptyTally } from '../../../simulator/truth/trade-tally.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import type { ServedVenue } from '../../support/served-venue.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { FROM, portsOf, recordsOf, servePast, TO } from './served-past.ts'

/** Each fault alone at 30 %, and all of them together. */
const SHARE = 0.3
const NAMES = ['429', '500', 'garbage', 'cut', 'shape', 'stall', 'reset'] as const
const CASES = [...NAMES.map((name) => [`${name}=${SHARE}`]), NAMES.map((name) => `${name}=0.05`)]
/** The same command again; each repeat reads what the one before it could not. Planning a market needs all of its documents at once. */
const RUNS_MAX = 200
const MARKETS = sized(2, 3)
const HTTP = {
  attempts_max: 5,
  backoff_first_ms: 1,
  backoff_max_ms: 5,
  breaker_failures: 1_000_000,
  retry_after_max_ms: 60_000,
  answer_ms: 100,
} as const
const STALL_MS = 150

const folder = tempFolder()
const served = new Map<VenueId, { venue: ServedVenue; markets: readonly string[]; rows: Record<string, Row[]> }>()

beforeAll(async () => {
  for (const venue_id of VENUES) {
    const venue = await servePast(venue_id)
    const warehouse = await emptyWarehouse(`plain-${venue_id}`)
    const { ports, close } = portsOf(venue, warehouse)
    const home = join(folder, `plain-home-${venue_id}`)
    const markets = venue.venue.truth(emptyTally()).markets.map(({ source_market_id }) => source_market_id)
    const some = markets.slice(0, MARKETS)
    for (const market of some) await runBackfill(subjectOf(venue_id, market), { ...ports, home })
    await close()
    served.set(venue_id, { venue, markets: some, rows: await recordsOf(warehouse) })
    await warehouse.close()
  }
}, 240_000)
afterAll(async () => {
  for (const { venue } of served.values()) await venue.close()
})

const emptyWarehouse = (name: string) => openWarehouse({ root: join(folder, name), create: true })
const subjectOf = (venue_id: VenueId, market: string): BackfillSubject => ({
  kind: 'venue',
  request: { venue_id, from: FROM, to: TO, markets: [market] },
})

/** Repeats a market's backfill until it is done. */
async function untilDone(subject: BackfillSubject, connector: VenueConnector, warehouse: Warehouse, home: string) {
  for (let runs = 1; runs <= RUNS_MAX; runs += 1) {
    try {
      const { state } = await runBackfill(subject, { warehouse, connectorOf: () => connector, home })
      if (state === 'done') return
    } catch (error) {
      if (!isServiceError(error)) throw error // any other error is a bug, whatever the venue answers
    }
  }
  throw new RangeError(`not done after ${RUNS_MAX} runs`)
}

/**
 * An event is known by its market's document until its own can be read. Both are received at the instant of a clock that stands still
 * here, and the first statement of an instant counts.
 */
function comparable({ event, ...rows }: Record<string, Row[]>, name: string): Record<string, Row[] | undefined> {
  return name.includes('shape') ? rows : { event, ...rows }
}

describe.each(VENUES)('%s: the past of a venue with faults', (venue_id) => {
  const cases = CASES.filter((_, n) => sized(n % VENUES.length === VENUES.indexOf(venue_id), true))
  test.each(cases.map((rules) => [rules.join(' '), rules] as const))(
    '%s: the rows of a venue without them',
    async (name, texts) => {
      const { venue, markets, rows } = served.get(venue_id)!
      const rules = texts.map(parseFaultRule)
      const ruled = createRuledFaults({ venue_id, rules, seed: name, stall_ms: STALL_MS })
      const server = await startSimulatorServer({ venue: venue.venue, clock: venue.clock, rules: ruled, limits: [] })
      const place = `${venue_id}-${name.replaceAll(' ', '-')}`
      const warehouse = await emptyWarehouse(place)
      const options = { now: () => venue.clock.now(), limits: [], http: HTTP, page_max: 200 }
      const connector = openConnector(venue_id, options, server.base_url)
      try {
        for (const market of markets) {
          await untilDone(subjectOf(venue_id, market), connector, warehouse, join(folder, `home-${place}`))
        }
        expect(ruled.counts().reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(0)
        expect(rows.market!.length).toBeGreaterThan(0)
        expect(comparable(await recordsOf(warehouse), name)).toEqual(comparable(rows, name))
      } finally {
        await connector.close()
        await server.close()
        await warehouse.close()
      }
    },
    120_000,
  )
})
