import type { Micros } from '../../../primitives/instants.ts'
import { required } from '../../text/fields.ts'
import { idOrNull, textOrNull } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { countRecords, type PayloadOrigin, type PayloadRecords, readItem, readPart } from '../read-payload.ts'
import type { VenuePayload } from '../record.ts'
import { CLOCK_AHEAD_MAX, sourceMillis } from '../source-times.ts'
import { type Bet, betTrade } from './bet-trade.ts'
import { pushProbability } from './probability-quote.ts'

/**
 * Reads `GET /v0/bets`: each bet is a probability of its market when it was made (`probAfter`), and a trade as far as it is
 * executed. Redemptions of opposite shares are neither.
 */
export function readBets(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  readList(Array.isArray(document) ? document : [loneBet(document)], payload, out)
}

/** Returns a bet that a recorder keeps alone. @throws Quarantined UNKNOWN_SHAPE */
function loneBet(document: JsonText): JsonText {
  if (objectOf(document).contractId === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  return document
}

/**
 * Reads `ws global/new-bet`, `ws contract/{id}/new-bet`: a broadcast of one or several bets; acknowledgements carry no data.
 */
export function readBetMessage(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  const message = objectOf(document)
  if (message.type === 'ack') {
    readItem(out, payload.file, '$', () => 'CONNECTION')
    return
  }
  if (message.type !== 'broadcast') throw new Quarantined('UNKNOWN_SHAPE')
  readList(betsOf(message.data), payload, out)
}

function betsOf(data: JsonText | undefined): readonly JsonText[] {
  if (Array.isArray(data)) return data
  const { bets, bet } = objectOf(data)
  return bets === undefined ? [bet ?? data!] : listOf(bets)
}

function readList(bets: readonly JsonText[], payload: VenuePayload, out: PayloadRecords): void {
  bets.forEach((value, n) => {
    readItem(out, payload.file, `bets[${n}]`, (origin) => readBet(objectOf(value), origin, payload.received_at, out))
  })
}

function readBet(fields: JsonTextObject, origin: PayloadOrigin, received_at: Micros, out: PayloadRecords): Outcome {
  if (fields.isRedemption === true) return 'REDEMPTION'
  const before = countRecords(out)
  const bet: Bet = {
    origin,
    source_market_id: required(idOrNull(fields.contractId)),
    source_trade_id: required(idOrNull(fields.id)),
    side: sideOf(fields.outcome),
    answer_id: idOrNull(fields.answerId),
    created_at: required(sourceMillis(fields.createdTime, received_at, CLOCK_AHEAD_MAX.manifold)),
    received_at,
  }
  readPart(out, origin, () => {
    const { source_market_id, created_at } = bet
    const state = { origin, source_market_id, source_at: created_at, received_at, confirmed_at: null }
    pushProbability(out.quotes, fields.probAfter, bet.answer_id ?? 'YES', state)
  })
  readPart(out, origin, () => out.trades.push(...betTrade(fields, bet)))
  return countRecords(out) > before ? 'taken' : 'NOTHING_STATED'
}

/** Reads a bet's side. Bets of the venue's former markets without YES and NO name an answer or a bucket here. */
function sideOf(outcome: JsonText | undefined): 'YES' | 'NO' {
  if (outcome === 'YES' || outcome === 'NO') return outcome
  required(textOrNull(outcome))
  throw new Quarantined('UNKNOWN_OUTCOME')
}
