import type { Micros } from '../../../primitives/instants.ts'
import { parseJsonText } from '../../text/json-scan.ts'
import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { missingField, Quarantined } from '../quarantine.ts'
import {
  countRecords,
  type PayloadOrigin,
  type PayloadRecords,
  payloadReader,
  readItem,
  readPart,
} from '../read-payload.ts'
import type { VenuePayload, VenueReader } from '../record.ts'
import { readBetMessage, readBets } from './bets.ts'
import { MANIFOLD_ENDPOINTS as ENDPOINTS } from './endpoints.ts'
import { MANIFOLD_BETS, MANIFOLD_FORMS } from './forms.ts'
import type { ManifoldMemory } from './manifold-market.ts'
import { readMarket, readMarkets } from './market.ts'
import { pushProbability } from './probability-quote.ts'

type Read = (document: JsonText, payload: VenuePayload, out: PayloadRecords, memory: ManifoldMemory) => void

const READS: ReadonlyMap<string, Read> = new Map<string, Read>([
  [ENDPOINTS.markets, readMarkets],
  [ENDPOINTS.market, readMarket],
  [ENDPOINTS.market_by_slug, readMarket],
  [ENDPOINTS.bets, readBets],
  [ENDPOINTS.prob, readProb],
  [ENDPOINTS.probs, readProbs],
  [ENDPOINTS.ws_global_bets, readBetMessage],
  [ENDPOINTS.ws_market_bets, readBetMessage],
])

/**
 * Creates a reader of Manifold's API v0. Play money (mana): prices are probabilities, quantities are shares that pay 1 mana,
 * and volumes and liquidity are never added to dollars. Accounts are never kept.
 * @param now the wall clock
 */
export function createManifoldReader(now: Micros): VenueReader {
  const readPayload = payloadReader(now)
  const memory: ManifoldMemory = { finals: new Map(), ended_answers: new Map() }
  return {
    read: (payload) =>
      readPayload(payload, (out) => {
        const read = READS.get(payload.endpoint)
        if (read === undefined) throw new Quarantined('UNKNOWN_SHAPE')
        read(documentOf(payload), payload, out, memory)
      }),
  }
}

function documentOf({ endpoint, text }: VenuePayload): JsonText {
  if (READS.get(endpoint) === readBetMessage) {
    for (const form of MANIFOLD_BETS) {
      const message = form(text)
      if (message !== null) return message
    }
  }
  return parseJsonText(text, MANIFOLD_FORMS)
}

/**
 * Reads `GET /v0/market/{id}/prob`: the current probability, `{prob}`, or one per answer, `{answerProbs}`. Only the request
 * names the market. The venue states no time, so the receipt counts.
 */
function readProb(...[document, payload, out, memory]: Parameters<Read>): void {
  const id = /\/market\/([^/?#]+)\/prob(?:[?#]|$)/.exec(payload.request ?? '')?.[1]
  if (id === undefined) throw missingField('the market, in the request,')
  readItem(out, payload.file, '$', (origin) => readProbabilities(id, objectOf(document), origin, payload, out, memory))
}

/** Reads `GET /v0/market-probs`: probabilities of up to 100 markets, by market id. */
function readProbs(...[document, payload, out, memory]: Parameters<Read>): void {
  Object.entries(objectOf(document)).forEach(([id, state], n) => {
    readItem(out, payload.file, `markets[${n}]`, (origin) =>
      readProbabilities(id, objectOf(state), origin, payload, out, memory),
    )
  })
}

function readProbabilities(
  source_market_id: string,
  state: JsonTextObject,
  origin: PayloadOrigin,
  { received_at }: VenuePayload,
  out: PayloadRecords,
  { ended_answers }: ManifoldMemory,
): Outcome {
  const { prob, answerProbs } = state
  if (prob === undefined && answerProbs === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  const clocks = { origin, source_market_id, source_at: received_at, received_at, confirmed_at: received_at }
  const before = countRecords(out)
  readPart(out, origin, () => pushProbability(out.quotes, state.prob, 'YES', clocks))
  const answers = answerProbs === undefined || answerProbs === null ? {} : objectOf(answerProbs)
  const ended = ended_answers.get(source_market_id)
  for (const outcome of Object.keys(answers)) {
    if (ended?.has(outcome) === true) continue // its last probability, which no longer moves
    readPart(out, origin, () => pushProbability(out.quotes, answers[outcome], outcome, clocks))
  }
  return countRecords(out) > before ? 'taken' : 'NOTHING_STATED'
}
