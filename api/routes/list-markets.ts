import { ServiceError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import { quantize } from '../../primitives/scaled.ts'
import { BANDED_MARKETS_MAX } from '../../protocol/limits.ts'
import type { MarketSort } from '../../vocabulary/market.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { QUANTITY } from '../../warehouse/tables/columns.ts'
import { type OwnStates, withOwnStates } from '../own-venue/own-states.ts'
import { marketOf, updatedAt } from '../resources/market-resources.ts'
import { rowOrNull } from '../resources/pick.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { readInSteps } from '../server/read-in-steps.ts'
import { catalogPage } from './catalog-page.ts'
import { expandMarkets } from './expand-markets.ts'
import { marketsInForce } from './indexes.ts'
import { instantParameter, listParameter, textParameter } from './parameters.ts'
import { equalTests, type RowTest, titleTests } from './row-tests.ts'

/** Answers with a page of markets; with `expand` also with what their own endpoints answer. */
export function listMarkets(request: RouteRequest): RouteAnswer | Promise<RouteAnswer> {
  const listed = withOwnStates(request, (own) => pageOf(request, own))
  if (listParameter(request, 'expand').length === 0) return listed
  return Promise.resolve(listed).then((answer) => expandMarkets(request, answer))
}

async function pageWithBand(request: RouteRequest, own: OwnStates, band: string): Promise<RouteAnswer> {
  const tests = marketTests(request)
  const candidates = rowsOf(request, own, request.reader.catalog(request.as_of)).filter((row) => passes(row, tests))
  const bands = await bandsOf(request, candidates)
  const hasBand: RowTest = ({ market_id }) => (bands.get(String(market_id)) ?? UNRATED) === band
  return catalogPage(request, listOf(request, own, [...tests, hasBand]))
}

function pageOf(request: RouteRequest, own: OwnStates): RouteAnswer | Promise<RouteAnswer> {
  const band = textParameter(request, 'rating_band')
  if (band !== null) return pageWithBand(request, own, band)
  return catalogPage(request, listOf(request, own, marketTests(request)))
}

function listOf(request: RouteRequest, own: OwnStates, tests: readonly RowTest[]) {
  const order = ORDERS[(textParameter(request, 'sort') ?? 'updated') as MarketSort]
  return {
    rows: (catalog: Catalog) => rowsOf(request, own, catalog),
    keep: (row: Row) => passes(row, tests),
    key: (row: Row) => [order(row), String(row.market_id)],
    show: (row: Row) => marketOf(row, request.reader.simulatedVenues()),
  }
}

function rowsOf(request: RouteRequest, own: OwnStates, catalog: Catalog): readonly Row[] {
  const markets = own.markets(catalog)
  const index_id = textParameter(request, 'index_id')
  if (index_id === null) return markets
  const index = catalog.index(index_id)
  const in_force = index === null ? new Set<string>() : marketsInForce(index, catalog)
  return markets.filter((row) => in_force.has(String(row.market_id)))
}

function passes(row: Row, tests: readonly RowTest[]): boolean {
  return tests.every((test) => test(row))
}

const UNRATED = 'NR'
const ANY_RATING = { kind: null, methodology_id: null }

/**
 * Returns the band of the rating in force of each market that has one: now from memory, of the past one by one.
 * @throws {ServiceError} VALIDATION_QUERY_LIMIT: too many markets of the past
 */
async function bandsOf({ reader, as_of }: RouteRequest, markets: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  if (as_of === null) {
    const known = reader.assessments.allCurrent('market_rating')
    return new Map(known.flatMap(({ key, placed }) => bandEntry(String(key.market_id), placed?.row ?? null)))
  }
  if (markets.length > BANDED_MARKETS_MAX) throw tooManyMarkets(markets.length)
  const found = await readInSteps(markets, async (market) => {
    const market_id = String(market.market_id)
    const series = { table: 'market_rating', key: { market_id } } as const
    const { row } = await reader.assessments.inForce(series, { ...ANY_RATING, whole: false }, as_of)
    return bandEntry(market_id, row)
  })
  return new Map(found.flat())
}

function bandEntry(market_id: string, row: Row | null): [string, string][] {
  return row === null ? [] : [[market_id, String(row.band)]]
}

function tooManyMarkets(markets: number): ServiceError {
  const message = `rating_band with as_of would search ${markets} markets; allowed: ${BANDED_MARKETS_MAX}, so add further filters`
  return new ServiceError('VALIDATION_QUERY_LIMIT', message, { markets: String(markets) })
}

/** Sort key of a market without the value that a list is sorted by: after all instants and all texts of digits. */
const LAST_INSTANT = Number.MAX_SAFE_INTEGER
const LAST_TEXT = '~'

/** First part of the sort key of each order, ascending. */
const ORDERS: Readonly<Record<MarketSort, (row: Row) => string | number>> = {
  updated: (row) => -toMicros(updatedAt(row)),
  title: ({ title }) => String(title).toLowerCase(),
  closes: ({ schedule }) => {
    const closes_at = rowOrNull(schedule)?.closes_at ?? null
    return closes_at === null ? LAST_INSTANT : toMicros(closes_at)
  },
  volume: ({ metrics }) => {
    const volume = rowOrNull(metrics)?.volume_24h ?? null
    return volume === null ? LAST_TEXT : descendingText(String(volume))
  },
}

/** Digits of the longest quantity, and a greater number of as many digits. */
const DIGITS = 40
const GREATEST = 10n ** BigInt(DIGITS) - 1n

/** Returns a text that sorts the greater of two quantities first. */
function descendingText(quantity: string): string {
  return (GREATEST - quantize(quantity, QUANTITY.scale)).toString().padStart(DIGITS, '0')
}

function marketTests(request: RouteRequest): RowTest[] {
  const venue_id = textParameter(request, 'venue_id')
  const source_market_id = textParameter(request, 'source_market_id')
  const eligibility = textParameter(request, 'eligibility_status')
  const resolution_after = instantParameter(request, 'resolution_after')
  const expected = (row: Row) => rowOrNull(row.schedule)?.expected_resolution_at ?? null
  return [
    ...equalTests(request, ['event_id', 'status', 'category', 'outcome_type']),
    ...titleTests(request),
    (row) => source_market_id === null || rowOrNull(row.venue_mapping)?.source_market_id === source_market_id,
    (row) => venue_id === null || rowOrNull(row.venue_mapping)?.venue_id === venue_id,
    (row) => eligibility === null || rowOrNull(row.eligibility)?.status === eligibility,
    (row) => resolution_after === null || (expected(row) !== null && toMicros(expected(row)) > resolution_after),
  ]
}
