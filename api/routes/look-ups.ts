import type { Micros } from '../../primitives/instants.ts'
import type { ObservationKind } from '../../protocol/resources/found-observation.ts'
import type { AssessmentTableName } from '../../warehouse/reader/followed-tables.ts'
import type { Row } from '../../warehouse/schema.ts'
import { tableSchema } from '../../warehouse/tables.ts'
import { missing } from '../missing-resource.ts'
import { findOwnTrade } from '../own-venue/own-routes.ts'
import { indexObservationOf } from '../resources/index-observation.ts'
import { marketRatingOf } from '../resources/market-rating.ts'
import { marketObservationWithQuote, tradeOf } from '../resources/market-records.ts'
import { resolutionOf } from '../resources/market-resources.ts'
import { severityAssessmentOf } from '../resources/severity.ts'
import { severityIndexValueOf } from '../resources/severity-index.ts'
import { pricesArePublic, tradesArePublic } from '../resources/venue.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { loggedAs, type RecordForm } from '../transparency/record-form.ts'
import { RATING, SEVERITY } from '../transparency/record-forms.ts'
import { pinnedAt } from './history-request.ts'
import { listLatestPrices } from './latest-prices.ts'
import { OBSERVATION_TABLES, requirePublic } from './market-prices.ts'
import { resolutionWithEvidence } from './markets.ts'
import { METHODOLOGY_ROUTES } from './methodologies.ts'
import { getObservationPayloads } from './observation-payloads.ts'
import { requiredText } from './parameters.ts'
import { isMeasured } from './record-history.ts'

/** Look-ups by an id alone, and of several records at once. */
export const LOOKUP_ROUTES = {
  ...METHODOLOGY_ROUTES,
  list_latest_prices: listLatestPrices,
  get_observation_payloads: getObservationPayloads,
  get_rating: (request) =>
    assessmentAnswer(request, {
      table: 'market_rating',
      resource: 'rating',
      id: 'rating_id',
      show: marketRatingOf,
      form: RATING,
    }),
  get_severity_assessment: (request) =>
    assessmentAnswer(request, {
      table: 'severity_assessment',
      resource: 'severity_assessment',
      id: 'assessment_id',
      show: severityAssessmentOf,
      form: SEVERITY,
    }),
  get_observation: async (request) => {
    const observation_id = requiredText(request, 'observation_id')
    const { find } = LOOK_UPS.find(({ prefix }) => prefix.test(observation_id))!
    const found = await find(request, observation_id)
    if (found === null) throw missing('observation', observation_id)
    const { kind, record, chain, published_at = null } = found
    return { data: { observation_id, kind, record }, correction_chain: chain, published_at }
  },
} as const satisfies Partial<RouteHandlers>

type Assessment = {
  readonly table: AssessmentTableName
  readonly resource: 'rating' | 'severity_assessment'
  readonly id: string
  readonly show: (row: Row, measured: boolean) => unknown
  readonly form: RecordForm
}

async function assessmentAnswer(
  request: RouteRequest,
  { table, resource, id, show, form }: Assessment,
): Promise<RouteAnswer> {
  const asked = requiredText(request, id)
  const found = await request.reader.assessments.record(table, asked, pinnedAt(request, [table]))
  if (found === null) throw missing(resource, asked)
  const { row, chain } = found
  return { data: show(row, isMeasured(request)), correction_chain: chain, ...loggedAs(form, row) }
}

/** A record in the form of its own endpoint, the ids of its chain, and the instant of the answer if it is not that of the warehouse. */
type Found = {
  readonly kind: ObservationKind
  readonly record: unknown
  readonly chain: readonly string[]
  readonly published_at?: Micros | null
}
type Find = (request: RouteRequest, id: string) => Promise<Found | null> | Found | null

/** The search for each kind of id. */
const LOOK_UPS: readonly { readonly prefix: RegExp; readonly find: Find }[] = [
  { prefix: /^iob_/, find: findLevel },
  { prefix: /^(obs_|mrk_|trd_.*\.last_trade$)/, find: findMarketObservation },
  { prefix: /^trd_/, find: findTrade },
  { prefix: /^svl_/, find: findSeverityValue },
  { prefix: /^(res|evd)_/, find: findResolution },
]

async function findLevel(request: RouteRequest, id: string): Promise<Found | null> {
  const found = await request.reader.history.observation(id, pinnedAt(request, ['index_observation']))
  if (found === null) return null
  return { kind: 'index_observation', record: indexObservationOf(found.row), chain: found.chain }
}

async function findMarketObservation(request: RouteRequest, id: string): Promise<Found | null> {
  const as_of = pinnedAt(request, OBSERVATION_TABLES)
  const found = await request.reader.history.marketObservation(id, as_of)
  if (found === null) return null
  const market = marketOf(request, found.row)
  requirePublic(market, pricesArePublic, 'prices')
  if (id.startsWith('trd_')) requirePublic(market, tradesArePublic, 'trades')
  const record = marketObservationWithQuote(found.row, found.quote)
  return { kind: 'market_observation', record, chain: found.chain }
}

async function findTrade(request: RouteRequest, id: string): Promise<Found | null> {
  const own = await findOwnTrade(request, id)
  if (own !== null) return { kind: 'trade', record: own.trade, chain: own.chain, published_at: own.published_at }
  const found = await request.reader.history.trade(id, pinnedAt(request, ['public_trade']))
  if (found === null) return null
  requirePublic(marketOf(request, found.row), tradesArePublic, 'trades')
  return { kind: 'trade', record: tradeOf(found.row), chain: found.chain }
}

async function findSeverityValue(request: RouteRequest, id: string): Promise<Found | null> {
  const found = await request.reader.history.severityValueById(id, pinnedAt(request, ['severity_index_value']))
  if (found === null) return null
  return { kind: 'severity_index_value', record: severityIndexValueOf(found.row), chain: found.chain }
}

/** Finds a resolution by its id, or the newest one that rests on a piece of evidence. */
function findResolution({ reader, as_of }: RouteRequest, id: string): Found | null {
  const known = reader.catalog(as_of).allResolutions()
  const row = known.find(({ resolution_id }) => resolution_id === id) ?? resolutionWithEvidence(known, id)
  if (row === null) return null
  const columns = tableSchema('market_resolution').chain
  const same = (other: Row) => columns.every((column) => (other[column] ?? null) === (row[column] ?? null))
  const chain = known.filter(same).sort((a, b) => Number(a.revision) - Number(b.revision))
  return { kind: 'resolution', record: resolutionOf(row), chain: chain.map((link) => String(link.resolution_id)) }
}

/** Returns the market of a record; the record's venue where the catalogue does not know the market. */
function marketOf({ reader, as_of }: RouteRequest, { market_id, venue_id = null }: Row): Row {
  return reader.catalog(as_of).market(String(market_id)) ?? { venue_mapping: { venue_id } }
}
