import { expect, test } from 'vitest'
import { bidLists, touchFields } from '../../../simulator/wire/kalshi/touch.ts'
import { gammaMarket } from '../../../simulator/wire/polymarket/gamma.ts'
import { polymarketNames } from '../../../simulator/wire/polymarket/names.ts'
import { wireJson } from '../../../simulator/wire/wire-json.ts'
import type { BookMarket } from '../../../simulator/world/market-state.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { MINUTE, SMALL, START, smallVenue } from '../support/small-world.ts'

/** A market that is listed later in the world, so that nobody has quoted it. */
function unquoted(venue_id: 'polymarket' | 'kalshi') {
  const { world } = smallVenue(venue_id)
  const market = world.markets.find(({ stage }) => stage === 'announced')
  expect(market).toBeDefined()
  return market as BookMarket
}

function ask<Body>(venue_id: Parameters<typeof smallVenue>[0], request: string, after = 0): Body {
  const { world, wire } = smallVenue(venue_id)
  while ((world.nextAt() ?? Number.POSITIVE_INFINITY) < START + after) world.advance()
  return JSON.parse(wire.respond(request, START + after).body) as Body
}

test('kalshi: "no quote" looks like a price: bid 0, ask 0, and so 1 and 1 for NO', () => {
  expect(touchFields(unquoted('kalshi'))).toMatchObject({
    yes_bid_dollars: '0.0000',
    yes_ask_dollars: '0.0000',
    no_bid_dollars: '1.0000',
    no_ask_dollars: '1.0000',
  })
})

test('kalshi: a book has bids alone; an offer of YES is a bid for NO at one minus the price', () => {
  const market = {
    ...unquoted('kalshi'),
    ladder: { bids: [{ price: 4_000, size: 1_250 }], asks: [{ price: 4_300, size: 500 }] },
  }
  expect(bidLists(market)).toEqual({ yes: '[["0.4000","12.50"]]', no: '[["0.5700","5.00"]]' })
})

test('polymarket: lists are JSON in strings; a market that nobody quoted has bid 0, ask 1 and spread 1', () => {
  const market = unquoted('polymarket')
  const names = polymarketNames(planWorld(SMALL))[market.plan.ordinal]!
  const text = wireJson(gammaMarket(market, names))
  expect(text).toContain('"outcomes":"[\\"Yes\\", \\"No\\"]"')
  expect(text).toContain('"bestBid":0,"bestAsk":1,"spread":1')
  expect(names.tokens.every((token) => /^\d{60,78}$/.test(token))).toBe(true)
  expect(names.condition_id).toMatch(/^0x[0-9a-f]{64}$/)
})

test('polymarket: books list the best price last, and NO mirrors YES at one minus the price', () => {
  type Book = {
    readonly bids: readonly { price: string; size: string }[]
    readonly asks: readonly { price: string; size: string }[]
  }
  const { tokens } = polymarketNames(planWorld(SMALL))[0]!
  const [yes, no] = tokens.map((token) => ask<Book>('polymarket', `/book?token_id=${token}`, 10 * MINUTE)) as [
    Book,
    Book,
  ]
  const prices = (levels: Book['bids']) => levels.map(({ price }) => Number(price))
  expect(prices(yes.bids)).toEqual(prices(yes.bids).toSorted((a, b) => a - b))
  expect(prices(yes.asks)).toEqual(prices(yes.asks).toSorted((a, b) => b - a))
  expect(no.bids.map(({ size }) => size)).toEqual(yes.asks.map(({ size }) => size))
  expect(no.bids.map(({ price }) => (1 - Number(price)).toFixed(4))).toEqual(
    yes.asks.map(({ price }) => Number(price).toFixed(4)),
  )
})

test('polymarket: several answers of one event share their negative-risk id', () => {
  type Event = { readonly negRisk: boolean; readonly markets: readonly { negRiskMarketID?: string }[] }
  const multi = ask<readonly Event[]>('polymarket', '/events?limit=50').filter(({ negRisk }) => negRisk)
  expect(multi.length).toBeGreaterThan(0)
  for (const { markets } of multi) expect(new Set(markets.map((one) => one.negRiskMarketID)).size).toBe(1)
})

test('manifold: answers are in a market read by itself, not in lists', () => {
  type Market = {
    readonly id: string
    readonly outcomeType: string
    readonly answers?: readonly { probability: number }[]
    shouldAnswersSumToOne?: boolean
  }
  const list = ask<readonly Market[]>('manifold', '/v0/markets?limit=1000', 10 * MINUTE)
  const several = list.filter(({ outcomeType }) => outcomeType === 'MULTIPLE_CHOICE')
  expect(several.length).toBeGreaterThan(0)
  expect(list.every(({ answers }) => answers === undefined)).toBe(true)
  for (const { id } of several) {
    const { answers, shouldAnswersSumToOne } = ask<Market>('manifold', `/v0/market/${id}`, 10 * MINUTE)
    const sum = answers!.reduce((total, { probability }) => total + probability, 0)
    if (shouldAnswersSumToOne) expect(sum).toBeCloseTo(1, 12)
  }
})
