import { BETFAIR_ENDPOINTS } from '../../../../pipelines/venues/betfair/endpoints.ts'
import type { Recorded, TimedFile } from '../payload-form.ts'
import { latestOf, object, oneOrList, type Recogniser } from '../recogniser.ts'

/** The publish time of a stream message, in epoch milliseconds. */
const PUBLISHED = /"pt"\s*:\s*(\d{12,14})\b/g

/** An answer of listMarketBook is not read: it has prices and no names. */
const isMarketBook = object(
  (value) => 'isMarketDataDelayed' in value || ('status' in value && !('marketName' in value)),
)
// Some recorders add an `op` to markets too.
const isMarket = object(({ marketId }) => typeof marketId === 'string')
const isCatalogue = (value: unknown) => isMarket(value) && !isMarketBook(value)
const isMessage = object((value) => !isMarket(value) && (typeof value.op === 'string' || Array.isArray(value.mc)))

/**
 * Messages of the market stream, whose publish time is the only time they have, so it counts as the receipt; and market
 * catalogues, or lists of them.
 */
export const BETFAIR: Recogniser = {
  venue_id: 'betfair',
  endpoints: Object.values(BETFAIR_ENDPOINTS),
  shapes: [
    {
      endpoint: BETFAIR_ENDPOINTS.catalogue,
      known_by: '`marketId`, and none of the `isMarketDataDelayed` and `status` of a market book; one market or a list',
      is: oneOrList(isCatalogue),
    },
    {
      endpoint: BETFAIR_ENDPOINTS.stream,
      known_by: '`op` or a list `mc`; one message or a list',
      is: oneOrList(isMessage),
    },
  ],
  receipt: '`pt`; of a catalogue the start of the stream of its market, whose file is named after the market',
  isStream: (endpoint) => endpoint === BETFAIR_ENDPOINTS.stream,
  clockOf: (text, endpoint) =>
    endpoint === BETFAIR_ENDPOINTS.stream ? latestOf(text, PUBLISHED, (millis) => Number(millis) * 1000) : null,
  untimed: startOfStream,
}

/**
 * A catalogue has no time of its own. It is requested before a market's stream is followed, so the start of that market's
 * recorded stream, whose file is named after the market, counts as its receipt.
 */
function startOfStream({ text }: Recorded, beside: readonly TimedFile[]): number | null {
  const market_id = /"marketId"\s*:\s*"([^"]+)"/.exec(text)?.[1]
  const streams = beside.filter(({ name }) => market_id !== undefined && name.includes(market_id))
  return streams.length === 0 ? null : Math.min(...streams.map(({ first_received_at }) => first_received_at))
}
