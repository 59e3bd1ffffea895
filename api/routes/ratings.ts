import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { withMarket } from '../own-venue/known-market.ts'
import { marketRatingOf, notRated, ratingMethodologyOf } from '../resources/market-rating.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { loggedAs } from '../transparency/record-form.ts'
import { RATING } from '../transparency/record-forms.ts'
import { presentAt } from './history-request.ts'
import { requiredText, textParameter } from './parameters.ts'
import { prebuilt } from './prebuilt.ts'
import { isMeasured, recordHistory } from './record-history.ts'

const TABLE = 'market_rating'

/** Bytes of a rating's resource, shared with the stream. */
export const ratingBytes = prebuilt((row) => marketRatingOf(row))

export const RATING_ROUTES = {
  get_market_rating: (request) => withMarket(request, ({ market_id }) => getMarketRating(request, String(market_id))),
  list_market_ratings: (request) =>
    withMarket(request, ({ market_id }) => listRatings(request, { market_id: String(market_id) })),
  list_ratings: (request) => listRatings(request, {}),
  get_rating_methodology: (request) => {
    const [methodology_id, version] = [requiredText(request, 'methodology_id'), requiredText(request, 'version')]
    const row = request.reader.catalog(request.as_of).assessmentMethodology(TABLE, methodology_id, version)
    if (row !== null) return { data: ratingMethodologyOf(row) }
    throw missing('rating_methodology', `${methodology_id}@${version}`)
  },
} as const satisfies Partial<RouteHandlers>

/** Lists ratings. @param key  the market that they are of; empty: every market */
function listRatings(request: RouteRequest, key: Readonly<Record<string, string>>): Promise<RouteAnswer> {
  const show = { grade: 'band', id: 'rating_id', show: marketRatingOf, form: RATING }
  return recordHistory(request, { table: TABLE, key, ...show })
}

function getMarketRating(request: RouteRequest, market_id: string): RouteAnswer | Promise<RouteAnswer> {
  const { assessments } = request.reader
  const series = { table: TABLE, key: { market_id } } as const
  const asked = {
    kind: textParameter(request, 'assessment_kind'),
    methodology_id: textParameter(request, 'methodology_id'),
  }
  const whole = isMeasured(request)
  if (request.as_of === null && !whole) {
    const known = assessments.current(series, asked)
    if (known !== null) return ratingAnswer(market_id, known.placed?.row ?? null)
  }
  const as_of = request.as_of ?? presentAt(request, TABLE)
  return assessments
    .inForce(series, { ...asked, whole }, as_of)
    .then(({ row }) =>
      whole && row !== null
        ? { data: marketRatingOf(row, true), ...loggedAs(RATING, row) }
        : ratingAnswer(market_id, row),
    )
}

function ratingAnswer(market_id: string, row: Row | null): RouteAnswer {
  return { data: row === null ? notRated(market_id) : ratingBytes(row), ...loggedAs(RATING, row) }
}
