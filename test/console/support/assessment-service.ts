import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { consoleRoutes } from '../../../api/console/console-routes.ts'
import { serveApi } from '../../../api/serve.ts'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { showRating } from '../../../operations/rating/read-ratings.ts'
import { runRatings } from '../../../operations/rating/run-ratings.ts'
import { moveRecord, proposeOverride } from '../../../operations/review/review.ts'
import { applySeverityIndex } from '../../../operations/severity/apply-severity-index.ts'
import { computeSeverityIndex } from '../../../operations/severity/compute-severity-index.ts'
import { showSeverity } from '../../../operations/severity/read-severity.ts'
import { runSeverity } from '../../../operations/severity/run-severity.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { submitForecast } from '../../../operations/severity/submit-forecast.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Band } from '../../../vocabulary/rating.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { E22_MARKET, writeRatedDay } from '../../support/rating-world.ts'
import { assessedRow, modelRow, person, portsOf } from '../../support/review-world.ts'

export const [RATED, UNRATED] = ['mkt_e22', 'mkt_play'] as const
export const [FLOOD, QUAKE] = ['evt_flood', 'evt_quake'] as const

const AT = toMicros('2026-06-01T00:00:00Z')
const day = (days: number): Micros => AT + days * MICROS_PER_DAY
const PEOPLE = [person('ana', 'analyst'), person('bo', 'committee'), person('oda', 'observer')] as const
const [ana, bo, oda] = PEOPLE

export type AssessmentService = {
  readonly base_url: string
  /** Publishes a rating by the program, effective from so many days ago; its id. */
  rate(market_id: string, band: Band, days_ago: number): Promise<string>
  /** A member withdraws a rating. */
  withdraw(rating_id: string): Promise<void>
  /** Publishes an observed assessment by the program, of now. */
  assess(event_id: string, level: string): Promise<void>
  /** Publishes the severity index as of now. */
  computeIndex(): Promise<void>
  close(): Promise<void>
}

/**
 * The real service over a warehouse with a market that was rated by the program, overridden by a member and disputed by another; one
 * that is not rated; a flood with an observed and a forecast severity; an earthquake with too few facts; an index of both.
 */
export async function startAssessmentService(folder: string): Promise<AssessmentService> {
  const root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root, create: true })
  await rate(warehouse)
  await assess(warehouse, folder)
  await publishIndex(warehouse, folder)
  const place = { warehouse_root: root, host: '127.0.0.1', port: 0, environment: 'test' } as const
  const api = await serveApi({
    ...place,
    rate_limits: 'off',
    extra: await consoleRoutes(),
    query_limits: PATIENT_QUERIES,
  })
  return {
    base_url: api.base_url,
    async rate(market_id, band, days_ago) {
      const row = modelRow(market_id, band, (await warehouse.now()) - days_ago * MICROS_PER_DAY)
      await append(warehouse, 'market_rating', [row], null)
      return row.rating_id
    },
    async withdraw(record_id) {
      const act = { act: 'withdraw', record_id, text: 'It was of another market.' } as const
      await moveRecord(RATING_SUBJECT, portsOf(warehouse, PEOPLE, bo), act)
    },
    async assess(event_id, level) {
      const row = assessedRow(event_id, level, await warehouse.now())
      await append(warehouse, 'severity_assessment', [row], null)
    },
    async computeIndex() {
      const at = formatMicros(await warehouse.now())
      await computeSeverityIndex({ severity_index_id: 'svi_lowport', at, clock: 'wall', warehouse })
    },
    async close() {
      await api.close()
      await warehouse.close()
    },
  }
}

async function rate(warehouse: Warehouse): Promise<void> {
  const markets = [E22_MARKET, { ...E22_MARKET, market_id: UNRATED, venue_id: 'manifold', asset: 'mana' }]
  await writeRatedDay(warehouse, markets, AT)
  await runRatings({ at: formatMicros(AT + 60_000_000), clock: 'recorded', warehouse })
  const { rating } = await showRating({ market_id: RATED, as_of: null, warehouse })
  const by = (who: (typeof PEOPLE)[number], days: number) => portsOf(warehouse, PEOPLE, who, day(days))
  const proposed = await proposeOverride(RATING_SUBJECT, by(ana, 1), {
    record_id: String(rating.rating_id),
    proposed_value: 'MR4',
    reason_code: 'NEWS',
    narrative: 'The source is in doubt.',
    starts_at: null,
    expires_at: formatMicros(day(20)),
  })
  const waiting = String(proposed.records[0]!.rating_id)
  const approved = await moveRecord(RATING_SUBJECT, by(bo, 2), { act: 'approve', record_id: waiting, text: null })
  const record_id = String(approved.records[0]!.rating_id)
  await moveRecord(RATING_SUBJECT, by(oda, 3), { act: 'dispute', record_id, text: 'The source has answered since.' })
}

async function assess(warehouse: Warehouse, folder: string): Promise<void> {
  const red = {
    venue_id: 'gdacs',
    hazard_type: 'flood',
    alert_level: 'red',
    is_current: true,
    title: 'Flood in Lowport',
  }
  const exposed = { population_value: '1000000000', population_unit: 'Pop74', started_at: '2026-05-20T00:00:00Z' }
  const flood = { ...hazardRow(FLOOD, AT), ...red, ...exposed }
  const quake = { ...hazardRow(QUAKE, AT), title: 'Earthquake off Lowport' }
  await append(warehouse, 'event', [
    eventRow(FLOOD, 'Flood in Lowport', 'gdacs'),
    eventRow(QUAKE, 'Earthquake off Lowport', 'usgs'),
  ])
  await append(warehouse, 'hazard_alert', [flood, quake])
  await runSeverity({ at: formatMicros(AT + 120_000_000), clock: 'recorded', warehouse })
  const { history } = await showSeverity({ event_id: FLOOD, assessment_type: 'observed', as_of: null, warehouse })
  const by = (who: (typeof PEOPLE)[number], days: number) => portsOf(warehouse, PEOPLE, who, day(days))
  const approve = (record_id: string, days: number) =>
    moveRecord(SEVERITY_SUBJECT, by(bo, days), { act: 'approve', record_id, text: null })
  await approve(String(history[0]!.assessment_id), 4)
  const file = join(folder, 'forecast.yaml')
  writeFileSync(file, FORECAST)
  const forecast = await submitForecast(by(ana, 5), file)
  await approve(String(forecast.records[0]!.assessment_id), 6)
}

async function publishIndex(warehouse: Warehouse, folder: string): Promise<void> {
  const file = join(folder, 'severity-index.yaml')
  writeFileSync(file, INDEX)
  await applySeverityIndex({ file, warehouse })
  const at = formatMicros(day(7))
  await computeSeverityIndex({ severity_index_id: 'svi_lowport', at, clock: 'wall', warehouse })
}

const FORECAST = `forecast: { event_id: ${FLOOD}, horizon_end: 2026-12-31T00:00:00Z, window_start: 2026-05-20T00:00:00Z, window_end: null, effective_from: null, confidence: 0.5, rationale: "The rain goes on." }
scenarios:
  - { name: mild, probability: 0.85, components: { human: "20", economic: null, infrastructure: null, geographic: null, geopolitical: null, duration: null } }
  - { name: bad, probability: 0.15, components: { human: "75", economic: null, infrastructure: null, geographic: null, geopolitical: null, duration: null } }
evidence: []
`

const INDEX = `severity_index: { severity_index_id: svi_lowport, name: Hazards of Lowport }
versions:
  - version: "1"
    effective_from: 2026-01-01T00:00:00Z
    assessment_type: observed
    events: { hazard_types: [flood, earthquake] }
    relevance: { default: 1 }
`

function eventRow(event_id: string, title: string, venue_id: string): Row {
  const at = formatMicros(AT)
  return {
    event_id,
    revision: 1,
    title,
    category: 'hazard',
    regions: ['AA'],
    status: 'ongoing',
    event_start: at,
    source_mappings: [{ venue_id, source_event_id: event_id }],
    updated_at: at,
    source_at: at,
    received_at: at,
  }
}

let steps = 0
/** @param at when it was published; null: now */
async function append(
  warehouse: Warehouse,
  table: TableName,
  rows: readonly Row[],
  at: Micros | null = AT,
): Promise<void> {
  steps += 1
  const stamp = at === null ? ({ kind: 'wall' } as const) : ({ kind: 'recorded', at } as const)
  await warehouse.append(table, rows, { app_id: `assess ${steps}`, app_sequence: 1, stamp, operation: 'TEST' })
}
