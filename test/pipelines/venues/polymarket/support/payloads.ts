import { createPolymarketReader } from '../../../../../pipelines/venues/polymarket/polymarket-reader.ts'
import type { VenuePayload, VenueRecords } from '../../../../../pipelines/venues/record.ts'
import { type Micros, toMicros } from '../../../../../primitives/instants.ts'

/** Payloads in the venue's wire format, and a reader that is fed with them. */

export const NOW = toMicros('2026-11-01T00:00:00Z')
/** When payloads are received unless they say otherwise. */
export const AT = toMicros('2026-10-01T12:00:00.500Z')

export const CONDITION = `0x${'ab12'.repeat(16)}`
export const OTHER_CONDITION = `0x${'cd34'.repeat(16)}`
/** Token ids of 77 and 78 digits, which no double holds. */
export const YES_TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
export const NO_TOKEN = '105267568073659068217311993901927962476298440625043565106676088842803600775810'
export const UP_TOKEN = '33333333333333333333333333333333333333333333333333333333333333333333333333331'
export const DOWN_TOKEN = '33333333333333333333333333333333333333333333333333333333333333333333333333332'

export type Body = Readonly<Record<string, unknown>>

/** An open market that trades, as Gamma lists it. */
export function gammaMarket(changes: Body = {}): Body {
  return {
    id: '516710',
    question: 'Will it rain in Lima on 31 December?',
    conditionId: CONDITION,
    slug: 'rain-in-lima',
    resolutionSource: 'https://weather.example/lima',
    endDate: '2026-12-31T12:00:00Z',
    startDate: '2026-05-02T15:48:20.451397Z',
    endDateIso: '2026-12-31',
    description: 'Resolves to Yes if rain is measured in Lima.',
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.0105", "0.9895"]',
    clobTokenIds: JSON.stringify([YES_TOKEN, NO_TOKEN]),
    volume: '46944.579746',
    volumeNum: 46944.58,
    active: true,
    closed: false,
    archived: false,
    acceptingOrders: true,
    enableOrderBook: true,
    orderPriceMinTickSize: 0.001,
    orderMinSize: 5,
    bestBid: 0.01,
    bestAsk: 0.011,
    lastTradePrice: 0.012,
    spread: 0.001,
    umaResolutionStatuses: '[]',
    updatedAt: '2026-10-01T11:58:00.1Z',
    events: [
      {
        id: '11',
        slug: 'weather-in-lima',
        title: 'Weather in Lima',
        description: 'All about rain.',
        category: 'Weather',
      },
    ],
    ...changes,
  }
}

/** A market of two names, neither Yes nor No. */
export function upDownMarket(changes: Body = {}): Body {
  return gammaMarket({
    conditionId: OTHER_CONDITION,
    question: 'Up or down?',
    outcomes: '["Up", "Down"]',
    clobTokenIds: JSON.stringify([UP_TOKEN, DOWN_TOKEN]),
    ...changes,
  })
}

/** The book of a token, levels as the venue lists them: the best one last. */
export function clobBook(changes: Body = {}): Body {
  return {
    market: CONDITION,
    asset_id: YES_TOKEN,
    timestamp: '1790855999123',
    hash: '36f56998e26d9a7c553446f35b240481efb271a3',
    bids: [
      { price: '0.001', size: '1000' },
      { price: '0.3', size: '57.5' },
      { price: '0.301', size: '25.333333' },
    ],
    asks: [
      { price: '0.999', size: '4800' },
      { price: '0.31', size: '12' },
      { price: '0.305', size: '99.17' },
    ],
    min_order_size: '5',
    tick_size: '0.001',
    neg_risk: false,
    last_trade_price: '0.304',
    ...changes,
  }
}

/** A trade of the Data API in its old shape, with everything that it says about its owner. */
export function oldTrade(changes: Body = {}): Body {
  return {
    proxyWallet: '0x6af75d4e4aaf700450efbac3708cce1665810ff1',
    side: 'BUY',
    asset: YES_TOKEN,
    conditionId: CONDITION,
    size: 17.460316999999996,
    price: 0.2972581967,
    timestamp: 1790855900,
    title: 'Will it rain in Lima on 31 December?',
    slug: 'rain-in-lima',
    outcome: 'Yes',
    outcomeIndex: 0,
    name: 'gopatriots',
    pseudonym: 'Weird-Whale',
    bio: 'trader',
    profileImage: 'https://images.example/me.png',
    transactionHash: '0xabc123def456789012345678901234567890abcdef1234567890abcdef123456',
    ...changes,
  }
}

/** The same trade in the shape of 2026. */
export function newTrade(changes: Body = {}): Body {
  return {
    proxy_wallet: '0x6af75d4e4aaf700450efbac3708cce1665810ff1',
    side: 'BUY',
    token_id: YES_TOKEN,
    condition_id: CONDITION,
    size: '17.460316999999996',
    price: '0.2972581967',
    timestamp: 1790855900,
    outcome: 'Yes',
    outcome_index: 0,
    event_slug: 'weather-in-lima',
    name: 'gopatriots',
    transaction_hash: '0xabc123def456789012345678901234567890abcdef1234567890abcdef123456',
    ...changes,
  }
}

/** One entry of a price_change. */
export function change(side: 'BUY' | 'SELL', price: string, size: string, changes: Body = {}): Body {
  return { asset_id: YES_TOKEN, price, size, side, hash: '56621a121a47ed9333273e21c83b660cff37ae50', ...changes }
}

/** Epoch milliseconds as text, so many after a base instant within AT's second. */
export function ms(after: number): string {
  return String(1_790_855_999_123 + after)
}

export function priceChange(entries: readonly Body[], after = 1, changes: Body = {}): Body {
  return { event_type: 'price_change', market: CONDITION, price_changes: entries, timestamp: ms(after), ...changes }
}

export function lastTrade(changes: Body = {}): Body {
  return {
    event_type: 'last_trade_price',
    market: CONDITION,
    asset_id: YES_TOKEN,
    fee_rate_bps: '0',
    price: '0.304',
    side: 'SELL',
    size: '219.217767',
    timestamp: ms(2),
    ...changes,
  }
}

/** A payload of the venue as it was received. */
export function payload(endpoint: string, body: unknown, changes: Partial<VenuePayload> = {}): VenuePayload {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { venue_id: 'polymarket', endpoint, request: null, received_at: AT, file: 'recorded.jsonl', text, ...changes }
}

/** A reader that has read both markets, and is fed one payload after the other. */
export function knowingReader(): (endpoint: string, body: unknown, changes?: Partial<VenuePayload>) => AllRecords {
  const read = newReader()
  read('GET /markets', [gammaMarket(), upDownMarket()], { received_at: AT - 3_600_000_000 })
  return read
}

/** A reader that knows nothing yet. */
export function newReader(now: Micros = NOW) {
  const reader = createPolymarketReader(now)
  return (endpoint: string, body: unknown, changes?: Partial<VenuePayload>): AllRecords =>
    complete(reader.read(payload(endpoint, body, changes)))
}

export type AllRecords = Required<Omit<VenueRecords, 'hazards' | 'outcomes' | 'changed' | 'zeros'>>

/** Returns the records of a payload, with an empty list for each missing kind. */
export function complete({
  outcomes: _outcomes,
  changed: _changed,
  zeros: _zeros,
  ...records
}: VenueRecords): AllRecords {
  return { quotes: [], trades: [], resolutions: [], references: [], metrics: [], books: [], quarantine: [], ...records }
}

/** Reasons and places of what was not taken. */
export function refusals({ quarantine }: AllRecords): string[] {
  return quarantine.map(({ path, reason }) => `${path} ${reason}`)
}
