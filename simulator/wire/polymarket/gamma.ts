import { formatMicros, utcDay } from '../../../primitives/instants.ts'
import { PRICE_ONE } from '../../world/grid.ts'
import { bestAsk, bestBid } from '../../world/ladder.ts'
import type { BookMarket } from '../../world/market-state.ts'
import type { EventPlan } from '../../world/plan.ts'
import { plainPrice, plainScaled, plainSize } from '../decimal-text.ts'
import { jsonNumber, type WireValue } from '../wire-json.ts'
import { tickText } from './book.ts'
import { type EventNames, type MarketNames, OUTCOMES } from './names.ts'

/** Objects of Gamma, the metadata service. Lists inside a market are JSON written into a string. */

type Fields = Readonly<Record<string, WireValue | undefined>>

/** Returns a market without its event. */
export function gammaMarket(market: BookMarket, names: MarketNames): Fields {
  const { plan, stage, volume } = market
  const final = stage === 'final'
  return {
    id: names.id,
    question: plan.question,
    conditionId: names.condition_id,
    slug: names.slug,
    endDate: formatMicros(plan.scheduled_close_at),
    startDate: formatMicros(plan.opens_at),
    description: descriptionOf(plan),
    outcomes: spacedList(OUTCOMES),
    outcomePrices: spacedList(outcomePrices(market)),
    volume: plainSize(volume),
    volumeNum: jsonNumber(plainSize(volume)),
    ...liquidityFields(market),
    active: stage !== 'announced',
    closed: final,
    archived: false,
    questionID: names.question_id,
    enableOrderBook: true,
    orderPriceMinTickSize: jsonNumber(tickText(market)),
    orderMinSize: 5,
    endDateIso: utcDay(plan.scheduled_close_at),
    umaResolutionStatuses: spacedList(umaStatuses(market)),
    umaResolutionStatus: umaStatuses(market).at(-1),
    clobTokenIds: spacedList(names.tokens),
    acceptingOrders: stage === 'open',
    negRisk: names.event.neg_risk_id !== null,
    negRiskMarketID: names.event.neg_risk_id ?? undefined,
    groupItemTitle: plan.label === 'Yes' ? undefined : plan.label,
    ...quoteFields(market),
    createdAt: formatMicros(plan.created_at),
    updatedAt: formatMicros(lastChange(market)),
    closedTime: final ? spacedTime(market.stage_at) : undefined,
    feesEnabled: false,
    feeType: null,
  }
}

function descriptionOf({ rules, question }: BookMarket['plan']): string {
  if (rules === null) return `This market resolves to Yes if so and to No otherwise. ${question}`
  return `${rules.primary}\n\n${rules.secondary}`
}

/** Returns an event without its markets. */
export function gammaEvent(event: EventPlan, names: EventNames, markets: readonly BookMarket[]): Fields {
  const first = markets[0]!.plan
  const changed = Math.max(...markets.map(lastChange))
  return {
    id: names.id,
    ticker: names.slug,
    slug: names.slug,
    title: event.title,
    description: event.title,
    startDate: formatMicros(first.opens_at),
    endDate: formatMicros(markets.at(-1)!.plan.scheduled_close_at),
    active: true,
    closed: markets.every(({ stage }) => stage === 'final'),
    archived: false,
    category: event.category,
    negRisk: names.neg_risk_id !== null,
    enableNegRisk: names.neg_risk_id !== null,
    negRiskAugmented: false,
    negRiskMarketID: names.neg_risk_id ?? undefined,
    createdAt: formatMicros(first.created_at),
    updatedAt: formatMicros(changed),
  }
}

/**
 * Returns best prices as JSON numbers; before the first quote the venue writes 0, 1 and a spread of 1. They stay after the
 * close.
 */
function quoteFields({ ladder, last_trade }: BookMarket): Fields {
  const bid = bestBid(ladder) ?? 0
  const ask = bestAsk(ladder) ?? PRICE_ONE
  return {
    bestBid: jsonNumber(plainPrice(bid)),
    bestAsk: jsonNumber(plainPrice(ask)),
    spread: jsonNumber(plainPrice(ask - bid)),
    lastTradePrice: last_trade === null ? undefined : jsonNumber(plainPrice(last_trade.price)),
  }
}

/** Returns the dollars that rest in the book, as text and as a number: bids cost their price, asks one minus it. */
function liquidityFields({ ladder }: BookMarket): Fields {
  const bids = ladder.bids.reduce((sum, { price, size }) => sum + price * size, 0)
  const all = ladder.asks.reduce((sum, { price, size }) => sum + (PRICE_ONE - price) * size, bids)
  const liquidity = plainScaled(all, LIQUIDITY_SCALE)
  return { liquidity, liquidityNum: jsonNumber(liquidity) }
}

/** Prices in ten-thousandths, sizes in hundredths. */
const LIQUIDITY_SCALE = 6

/** Returns the payout of each outcome, else midpoints, which may lie between two ticks. */
function outcomePrices({ stage, final_payout, ladder, last_trade }: BookMarket): readonly string[] {
  if (stage === 'final' && final_payout !== null) return pair(final_payout * 10)
  const bid = bestBid(ladder)
  const ask = bestAsk(ladder)
  if (bid !== null && ask !== null) return pair((bid + ask) * 5)
  return pair((last_trade?.price ?? PRICE_ONE / 2) * 10)
}

function pair(yes: number): readonly string[] {
  return [plainScaled(yes, 5), plainScaled(PRICE_ONE * 10 - yes, 5)]
}

function umaStatuses({ stage, proposed_payout, final_payout, was_disputed }: BookMarket): readonly string[] {
  const disputed = was_disputed ? ['disputed'] : []
  if (stage === 'proposed') return ['proposed']
  if (stage === 'disputed') return ['proposed', 'disputed']
  if (stage !== 'final') return []
  const again = was_disputed && proposed_payout !== final_payout ? ['proposed'] : []
  return ['proposed', ...disputed, ...again, 'resolved']
}

function lastChange({ book_at, stage_at }: BookMarket): number {
  return Math.max(book_at, stage_at)
}

/** Formats `["Yes", "No"]` with a blank after the comma, as the venue writes it. */
function spacedList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`
}

function spacedTime(micros: number): string {
  return `${formatMicros(micros - (micros % 1_000_000))
    .replace('T', ' ')
    .slice(0, 19)}+00`
}
