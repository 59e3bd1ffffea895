import { idField, requiredText } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadOrigin, type PayloadRecords, readItem, readPart } from '../read-payload.ts'
import type { VenuePayload } from '../record.ts'
import { CLOCK_AHEAD_MAX, optionalSourceMillis } from '../source-times.ts'
import {
  isIndependent,
  type ManifoldAnswer,
  type ManifoldMarket,
  type ManifoldMemory,
  resolutionOfAnswer,
} from './manifold-market.ts'
import { pushMarketMetric } from './market-facts.ts'
import { marketReference } from './market-reference.ts'
import { type ProbabilityClocks, pushProbability } from './probability-quote.ts'
import { isWithoutShares, readResolution } from './resolution.ts'

/** Questions with one probability, bet on as YES and NO. */
const ONE_PROBABILITY: readonly string[] = ['BINARY', 'PSEUDO_NUMERIC', 'STONK']

/** Questions without any probability: nobody can win or lose. */
const NO_MARKET: readonly string[] = ['POLL', 'BOUNTIED_QUESTION']

/** Reads `GET /v0/market/{id}`, `GET /v0/slug/{slug}`: one market, with its answers if it has several. */
export function readMarket(
  document: JsonText,
  payload: VenuePayload,
  out: PayloadRecords,
  memory: ManifoldMemory,
): void {
  readOne(document, '$', payload, out, memory)
}

/** Reads `GET /v0/markets`: a list of markets without their answers. */
export function readMarkets(
  document: JsonText,
  payload: VenuePayload,
  out: PayloadRecords,
  memory: ManifoldMemory,
): void {
  if (!Array.isArray(document)) throw new Quarantined('UNKNOWN_SHAPE')
  document.forEach((value: JsonText, n) => {
    readOne(value, `markets[${n}]`, payload, out, memory)
  })
}

/**
 * Reads one market: its description, sizes, probabilities and resolution. A question with several answers that lists none of
 * them (they are in `GET /v0/market/{id}` alone) and one without a probability give nothing. A resolution without payouts, and
 * those of single answers that no resolution of the market states, are counted by themselves.
 */
function readOne(
  value: JsonText,
  path: string,
  payload: VenuePayload,
  out: PayloadRecords,
  memory: ManifoldMemory,
): void {
  let market: ManifoldMarket | null = null
  readItem(out, payload.file, path, (origin) => {
    market = marketOf(objectOf(value), origin, payload)
    if (market === null) return 'NO_PROBABILITY'
    readParts(market, payload, out, memory)
    rememberEnded(market, memory)
    return 'taken'
  })
  if (market !== null && isWithoutShares(market))
    readItem(out, payload.file, `${path}.resolution`, () => 'SHARES_UNSTATED')
  for (const n of market === null ? [] : answersAlone(market))
    readItem(out, payload.file, `${path}.answers[${n}]`, () => 'ANSWER_ALONE')
}

/** Returns a market; null if it has no probability, or lists none of its answers. */
function marketOf(fields: JsonTextObject, origin: PayloadOrigin, { received_at }: VenuePayload): ManifoldMarket | null {
  const type = requiredText(fields, 'outcomeType')
  const has_answers = !ONE_PROBABILITY.includes(type)
  const answers = has_answers ? listOf(fields.answers).map(answerOf) : []
  if (NO_MARKET.includes(type) || (has_answers && answers.length === 0)) return null
  const is_resolved = flag(fields.isResolved)
  const resolved_at = is_resolved
    ? optionalSourceMillis(fields, 'resolutionTime', received_at, CLOCK_AHEAD_MAX.manifold)
    : null
  return { origin, id: idField(fields, 'id'), fields, answers, is_resolved, resolved_at, received_at }
}

function readParts(market: ManifoldMarket, payload: VenuePayload, out: PayloadRecords, memory: ManifoldMemory): void {
  const { origin } = market
  readPart(out, origin, () => out.references.push(marketReference(market)))
  readPart(out, origin, () => pushMarketMetric(out.metrics, market))
  readQuotes(market, out)
  readPart(out, origin, () => readResolution(market, payload, out, memory))
}

/** Returns the independent answers that are cancelled, or resolved while their market is not: no resolution names them. */
function answersAlone(market: ManifoldMarket): number[] {
  const { answers, fields, is_resolved } = market
  if (!isIndependent(market) || fields.resolution === 'CANCEL') return []
  return [...answers.keys()].filter((n) => {
    const { resolution } = answers[n]!.fields
    return typeof resolution === 'string' && (!is_resolved || resolution === 'CANCEL')
  })
}

/**
 * Reads quotes. Their instant is the last bet; if the venue states none, the receipt, or the resolution, after which nobody
 * bets. The probability of a resolved market or answer is not confirmed, because it no longer moves.
 */
function readQuotes(market: ManifoldMarket, out: PayloadRecords): void {
  const { origin, id, fields, answers, is_resolved, resolved_at, received_at } = market
  readPart(out, origin, () => {
    const source_at =
      optionalSourceMillis(fields, 'lastBetTime', received_at, CLOCK_AHEAD_MAX.manifold) ?? resolved_at ?? received_at
    const confirmed_at = is_resolved ? null : received_at
    const clocks = { origin, source_market_id: id, source_at, received_at, confirmed_at }
    const shown = answers.length === 0 ? [{ id: 'YES', fields }] : answers
    for (const answer of shown) {
      readPart(out, origin, () => {
        const own = isIndependent(market) && isEnded(answer) ? endedClocks(answer, clocks) : clocks
        pushProbability(out.quotes, answer.fields.probability, answer.id, own)
      })
    }
  })
}

function rememberEnded(market: ManifoldMarket, { ended_answers }: ManifoldMemory): void {
  const ended = isIndependent(market) ? market.answers.filter(isEnded) : []
  ended_answers.set(market.id, new Set(ended.map(({ id }) => id)))
}

function isEnded(answer: ManifoldAnswer): boolean {
  return resolutionOfAnswer(answer) !== null
}

/** Clocks of the probability of a resolved answer: not confirmed, and not about a later instant than its resolution. */
function endedClocks({ fields }: ManifoldAnswer, clocks: ProbabilityClocks): ProbabilityClocks {
  const { source_at, received_at } = clocks
  const ended_at = optionalSourceMillis(fields, 'resolutionTime', received_at, CLOCK_AHEAD_MAX.manifold)
  return { ...clocks, confirmed_at: null, source_at: Math.min(source_at, ended_at ?? source_at) }
}

function answerOf(value: JsonText): ManifoldAnswer {
  const fields = objectOf(value)
  return { id: idField(fields, 'id'), fields }
}

function flag(value: JsonText | undefined): boolean {
  if (typeof value !== 'boolean') throw new Quarantined(value === undefined ? 'MISSING_FIELD' : 'BAD_FLAG')
  return value
}
