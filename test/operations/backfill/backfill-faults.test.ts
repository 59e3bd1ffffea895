import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnector } from '../../../connectors/venues/open-connector.ts'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import type { BackfillSubject } from '../../../operations/backfill/backfill-subject.ts'
import { runBackfill } from '../../../operations/backfill/run-backfill.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import { createRuledFaults, parseFaultRule } from '../../../simulator/server/fault-rules.ts'
import { startSimulatorServer } from '../../../simulator/server/start-simulator-server.ts'
import { emptyTally } from '../../../simulator/truth/trade-tally.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { START } from '../../simulator/support/small-world.ts'
import type { ServedVenue } from '../../support/served-venue.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { recordsOf, servePast, WORLD } from './served-past.ts'

/** Each fault alone at this share of the answers, and all of them together. */
const SHARE = sized(0.4, 0.3)
const NAMES = ['429', '500', 'garbage', 'cut', 'shape', 'stall', 'reset'] as const
const CASES = [...NAMES.map((name) => [`${name}=${SHARE}`]), NAMES.map((name) => `${name}=${sized(0.03, 0.05)}`)]
/** In the fast lane: what is cut, all at once, and garbage; connectors/venues/same-records has each fault of the transport. */
const SHORT: Readonly<Record<VenueId, number>> = {
  polymarket: NAMES.indexOf('cut'),
  kalshi: CASES.length - 1,
  manifold: NAMES.indexOf('garbage'),
}
const casesOf = (venue_id: VenueId) => CASES.filter((_, n) => sized(n === SHORT[venue_id], true))
const hasShape = (rules: readonly string[]) => rules.some((rule) => rule.startsWith('shape'))
/** The same command again; each repeat reads what the one before it could not. Planning a market needs all of its documents at once. */
const RUNS_MAX = 200
/** Few requests tell of a market of Manifold. */
const MARKETS: Readonly<Record<VenueId, number>> = sized(
  { polymarket: 1, kalshi: 1, manifold: 3 },
  { polymarket: 3, kalshi: 3, manifold: 3 },
)
const DAYS = sized(1, 3)
const [FROM, TO] = [formatMicros(START), formatMicros(START + DAYS * MICROS_PER_DAY)]
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
type Served = {
  readonly venue: ServedVenue
  readonly markets: readonly string[]
  readonly rows: Record<string, Row[]>
  /** Events after one more backfill, a second later. */
  readonly later_events: Row[]
}
const served = new Map<VenueId, Served>()

beforeAll(async () => {
  for (const venue_id of VENUES) {
    const venue = await servePast(venue_id, undefined, { ...WORLD, days: DAYS })
    const warehouse = await emptyWarehouse(`plain-${venue_id}`)
    const all = venue.venue.truth(emptyTally()).markets.map(({ source_market_id }) => source_market_id)
    const markets = all.slice(0, MARKETS[venue_id])
    const read = async (later: Micros) => {
      const connector = venue.connect({ page_max: 200, now: () => venue.clock.now() + later })
      for (const market of markets) {
        await untilDone(subjectOf(venue_id, market), connector, warehouse, join(folder, `plain-${venue_id}-${later}`))
      }
      await connector.close()
      return recordsOf(warehouse)
    }
    const rows = await read(0)
    const { event } = casesOf(venue_id).some(hasShape) ? await read(MICROS_PER_SECOND) : rows
    served.set(venue_id, { venue, markets, rows, later_events: statesOf(event!) })
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
 * The last state of each event, without when it was stated. An event is known by its market's document until its own can be read, and
 * by its first market until another is read. All are received at the instant of a clock that stands still here, and the first statement
 * of an instant counts, so that the others count when they are read again a second later.
 */
function statesOf(revisions: readonly Row[]): Row[] {
  const states = new Map<unknown, Row>()
  for (const row of revisions.toSorted((a, b) => Number(a.revision) - Number(b.revision))) {
    const {
      revision: _r,
      supersedes_id: _s,
      correction_reason: _c,
      updated_at: _u,
      source_at: _a,
      received_at: _at,
      ...state
    } = row
    states.set(row.event_id, state)
  }
  return [...states.values()]
}

describe.each(VENUES)('%s: the past of a venue with faults', (venue_id) => {
  test.each(casesOf(venue_id).map((rules) => [rules.join(' '), rules] as const))(
    '%s: the rows of a venue without them',
    async (name, texts) => {
      const { venue, markets, rows, later_events } = served.get(venue_id)!
      const rules = texts.map(parseFaultRule)
      const ruled = createRuledFaults({ venue_id, rules, seed: name, stall_ms: STALL_MS })
      const server = await startSimulatorServer({ venue: venue.venue, clock: venue.clock, rules: ruled, limits: [] })
      const place = `${venue_id}-${name.replaceAll(' ', '-')}`
      const warehouse = await emptyWarehouse(place)
      let later = 0
      // Waiting as a venue asks is met by the fault alone; among others a run that is asked to wait ends and is repeated.
      const http = { ...HTTP, retry_after_max_ms: texts.length === 1 ? HTTP.retry_after_max_ms : 0 }
      const options = { now: () => venue.clock.now() + later, limits: [], http, page_max: 200 }
      const connector = openConnector(venue_id, options, server.base_url)
      try {
        for (const market of markets) {
          await untilDone(subjectOf(venue_id, market), connector, warehouse, join(folder, `home-${place}`))
        }
        expect(ruled.counts().reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(0)
        expect(rows.market!.length).toBeGreaterThan(0)
        if (!hasShape(texts)) return expect(await recordsOf(warehouse)).toEqual(rows)
        ruled.replace([])
        later = MICROS_PER_SECOND
        connector.forget()
        for (const market of markets) {
          await untilDone(subjectOf(venue_id, market), connector, warehouse, join(folder, `later-${place}`))
        }
        const { event, ...others } = await recordsOf(warehouse)
        expect({ ...others, event: statesOf(event!) }).toEqual({ ...rows, event: later_events })
      } finally {
        await connector.close()
        await server.close()
        await warehouse.close()
      }
    },
    120_000,
  )
})
