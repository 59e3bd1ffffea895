import { recordIdOf } from '../../pipelines/market/quote.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation, LevelQuote } from '../../protocol/resources/index-observation.ts'
import type { QuotesAsked } from '../../warehouse/reader/history/asked.ts'
import type { Row } from '../../warehouse/schema.ts'
import { indexObservationOf, indexObservationWithInputs } from '../resources/index-observation.ts'
import { levelQuoteOf } from '../resources/market-records.ts'
import { rowsOf, textsOf } from '../resources/pick.ts'
import { pricesArePublic } from '../resources/venue.ts'
import type { RouteRequest } from '../server/handler.ts'
import { listParameter } from './parameters.ts'
import { venueOfRecord } from './venue-of-record.ts'

/** Levels of a page, as read for the list. */
type LevelPage = { readonly index_id: string; readonly rows: readonly Row[]; readonly as_of: Micros }

/** Returns the levels of a page with what `expand` asks for. */
export async function expandLevels(request: RouteRequest, page: LevelPage): Promise<readonly IndexObservation[]> {
  const expand = listParameter(request, 'expand')
  const { history } = request.reader
  const whole = await history.wholeObservations(page.index_id, page.rows, page.as_of)
  const show = expand.includes('inputs') ? indexObservationWithInputs : (row: Row) => indexObservationOf(row)
  if (!expand.includes('quotes')) return whole.map(show)
  const named = quotesOfLevels(whole)
  // Inputs of a level are admitted up to its tick (methodology, section 3).
  const source_to = whole.reduce((last, { tick_at }) => Math.max(last, toMicros(tick_at)), 0)
  const quotes = await readQuotes(request, named.flat(), { source_to, as_of: page.as_of })
  return whole.map((row, n) => ({ ...show(row), quotes: named[n]!.flatMap((one) => quotes.get(one.record_id) ?? []) }))
}

/** Quote that a leg names, and the instant at which its mark was observed. */
type NamedQuote = {
  readonly record_id: string
  readonly observation_id: string
  readonly market_id: string
  readonly source_at: Micros
}

/** Origins whose first source is no quote. */
const WITHOUT_QUOTE = ['M0', 'fixing']

/** Returns the quotes that each level names first: its legs rest on the first source, others are values of the same quote. */
function quotesOfLevels(levels: readonly Row[]): NamedQuote[][] {
  const seen = new Set<string>()
  return levels.map((level) =>
    rowsOf(level.inputs)
      .flatMap((input) => rowsOf(input.legs))
      .flatMap((leg) => {
        const [observation_id] = textsOf(leg.source_observation_ids)
        if (observation_id === undefined || leg.source_at == null) return []
        const record_id = recordIdOf(observation_id)
        if (WITHOUT_QUOTE.includes(String(leg.origin_rule)) || seen.has(record_id)) return []
        seen.add(record_id)
        const market_id = String(leg.market_id)
        return [{ record_id, observation_id, market_id, source_at: toMicros(leg.source_at) }]
      }),
  )
}

async function readQuotes(
  request: RouteRequest,
  named: readonly NamedQuote[],
  bounds: Pick<QuotesAsked, 'source_to' | 'as_of'>,
): Promise<ReadonlyMap<string, LevelQuote>> {
  const by_id = new Map(named.map((one) => [one.record_id, one]))
  const rows = await request.reader.history.quotesById({
    record_ids: [...by_id.keys()],
    market_ids: [...new Set(named.map(({ market_id }) => market_id))],
    source_from: Math.min(...named.map(({ source_at }) => source_at)),
    ...bounds,
  })
  const is_public = (row: Row) => pricesArePublic(venueOfRecord(request, row))
  return new Map(
    rows.filter(is_public).map((row) => {
      const record_id = String(row.record_id)
      return [record_id, levelQuoteOf(row, by_id.get(record_id)!.observation_id)]
    }),
  )
}
