import type { QuoteRecord, TradeRecord } from '../../../pipelines/venues/record.ts'
import { Decimal } from '../../../primitives/decimal.ts'
import {
  baseOf,
  instantOf,
  type Json,
  type NaiveReader,
  NO_BOOK,
  ONE,
  type OutcomePlace,
  parseWithNumbersAsText,
  priceOf,
  priceText,
  QUOTE,
  quantityText,
  required,
} from './reader.ts'

/** Returns a reader of probabilities of markets and bets, and of executed bets. The venue sends them as JSON numbers. */
export function naiveManifold(): NaiveReader {
  return {
    read(payload) {
      const document = parseWithNumbersAsText(payload.text)
      const base = baseOf(payload)
      const { received_at } = payload
      if (payload.endpoint === 'GET /v0/market-probs') {
        const book = { ...NO_BOOK, confirmed_at: received_at }
        const quotes = Object.entries<Json>(document).flatMap(([source_market_id, { prob, answerProbs }], i) => {
          const place = { ...base, line: i + 1, path: `markets[${i}]`, source_market_id, source_at: received_at }
          const answers = Object.entries<string>(answerProbs ?? { YES: prob })
          return answers.map(([outcome, value]) => quoteOf({ ...place, outcome, book: { ...book } }, value))
        })
        return { quotes }
      }
      const quotes: QuoteRecord[] = []
      const trades: TradeRecord[] = []
      required<Json>(document.data.bets).forEach((bet: Json, i: number) => {
        if (bet.isRedemption) return
        const source_at = instantOf(Number(required<string>(bet.createdTime)) * 1000, received_at)
        const place = {
          ...base,
          line: i + 1,
          path: `bets[${i}]`,
          source_market_id: required<string>(bet.contractId),
          source_at,
        }
        quotes.push(quoteOf({ ...place, outcome: bet.answerId ?? 'YES', book: null }, required(bet.probAfter)))
        trades.push(...tradesOf({ ...place, outcome: bet.answerId ?? bet.outcome }, bet))
      })
      return { quotes, trades }
    },
  }
}

function quoteOf(base: OutcomePlace & Pick<QuoteRecord, 'book'>, value: string): QuoteRecord {
  return { ...base, ...QUOTE, reported_probability: priceText(priceOf(value)), raw_value: value }
}

function tradesOf(base: OutcomePlace, bet: Json): TradeRecord[] {
  if (bet.outcome !== 'YES' && bet.outcome !== 'NO') throw new RangeError('outcome')
  const [shares, amount] = [new Decimal(required<string>(bet.shares)), new Decimal(required<string>(bet.amount))]
  const quantity = quantityText(shares.abs())
  if (amount.isZero() || quantity === '0.000000') return []
  const { creatorFee = 0, liquidityFee = 0, platformFee = 0 } = bet.fees ?? {}
  const fees = new Decimal(creatorFee).plus(liquidityFee).plus(platformFee)
  const price = priceOf(amount.minus(fees).div(shares))
  const mirrored = bet.answerId !== undefined && bet.outcome === 'NO'
  const fills = (bet.fills ?? []).map((fill: Json) => instantOf(Number(fill.timestamp) * 1000, base.received_at))
  const source_at = Math.max(base.source_at, ...fills)
  const aggressor_side = source_at > base.source_at ? null : shares.isPositive() === mirrored ? 'SELL' : 'BUY'
  return [
    {
      ...base,
      source_at,
      price: priceText(mirrored ? ONE.minus(price) : price),
      quantity,
      aggressor_side,
      source_trade_id: required(bet.id),
      source_sequence: null,
      correction_kind: null,
    },
  ]
}
