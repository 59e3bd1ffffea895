import { idField, type JsonObject, optionalText, requiredText } from '../../text/json-fields.ts'
import { type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { countRecords } from '../read-payload.ts'
import type { Payout, ReferenceRecord } from '../record.ts'
import type { Location, Reading } from './memory.ts'
import { payoutsOfWinner, splitPayouts } from './payouts.ts'
import { attempt } from './reading.ts'
import { confirmResolution } from './resolution-log.ts'
import { shortReference } from './short-reference.ts'
import { stateOrWait, stateReference } from './state-reference.ts'
import { readSchedule } from './times.ts'
import { outcomeLabels } from './token-directory.ts'
import { changeTrading, readTrading } from './trading.ts'
import { readFlag } from './values.ts'

/**
 * Reads a market of CLOB, `GET /markets/{condition_id}` or a page of `GET /markets`: tokens with their labels and winner, the
 * fallback if Gamma names no winner. It does not name the event. A market that Gamma has described keeps that description, with
 * the tick and minimum size of CLOB; any other is described by its question and rules here. A short form without a question
 * (`GET /simplified-markets`) only names tokens.
 */
export function readClobMarket(reading: Reading, location: Location, market: JsonTextObject): Outcome {
  const id = idField(market as JsonObject, 'condition_id')
  const tokens = listOf(market.tokens).map(objectOf)
  const { outcomes, winners } = tokensOf(reading, id, tokens)
  const before = countRecords(reading.found)
  describe(reading, location, market, { id, outcomes, is_decided: winners.length > 0 })
  if (readFlag(market, 'closed') !== true) {
    if (winners.length > 0) throw new Quarantined('FIELDS_DISAGREE')
    return countRecords(reading.found) > before ? 'taken' : 'CONTEXT_ONLY'
  }
  const payouts = payoutsOf(outcomes, winners, readFlag(market, 'is_50_50_outcome') === true)
  const is_stated =
    payouts.length === 0 ||
    stateOrWait(reading, location, id, (known) => confirmResolution(known, location, id, payouts))
  if (countRecords(reading.found) > before) return 'taken'
  return is_stated ? 'CONTEXT_ONLY' : 'WAITS_FOR_MARKET'
}

type Named = { readonly id: string; readonly outcomes: readonly string[]; readonly is_decided: boolean }

function describe(
  reading: Reading,
  location: Location,
  market: JsonTextObject,
  { id, outcomes, is_decided }: Named,
): void {
  const title = optionalText(market as JsonObject, 'question')
  const { minimum_tick_size: tick, minimum_order_size: minimum } = market
  if (reading.memory.references.has(id) || title === null) {
    attempt(reading, location, () => changeTrading(reading, location, id, readTrading(tick, minimum)))
    return
  }
  const reference = shortReference(reading, location, {
    id,
    title,
    outcomes,
    criteria: optionalText(market as JsonObject, 'description'),
    event: null,
    status: is_decided ? 'resolved' : statusOf(market),
    closes_at: readSchedule(market.end_date_iso),
    tick,
    minimum,
    source_at: reading.payload.received_at,
  })
  stateReference(reading, reference)
}

function statusOf(market: JsonTextObject): ReferenceRecord['status'] {
  if (readFlag(market, 'closed') === true) return 'closed'
  if (readFlag(market, 'archived') === true) return 'archived'
  const active = readFlag(market, 'active')
  if (active === null) return null
  if (!active) return 'scheduled'
  return readFlag(market, 'accepting_orders') === false ? 'paused' : 'open'
}

/** Reads the market's labels and the ordinals of the winners among its tokens. */
function tokensOf(reading: Reading, id: string, tokens: readonly JsonTextObject[]) {
  const { tokens: directory } = reading.memory
  const ids = tokens.map((token) => requiredText(token as JsonObject, 'token_id'))
  const labels = outcomeLabels(tokens.map((token) => requiredText(token as JsonObject, 'outcome')))
  if (ids.some((token_id) => !directory.knows(token_id))) directory.describe(id, labels, ids)
  const outcomes = ids.map((token_id) => directory.find(token_id, id).outcome)
  const winners = tokens.flatMap((token, i) => (readFlag(token, 'winner') === true ? [i] : []))
  return { outcomes, winners }
}

function payoutsOf(outcomes: readonly string[], winners: readonly number[], is_split: boolean): Payout[] {
  const [winner] = winners
  if (winners.length > 1 || (is_split && winner !== undefined)) throw new Quarantined('FIELDS_DISAGREE')
  if (winner !== undefined) return payoutsOfWinner(outcomes, winner)
  return is_split && outcomes.length === 2 ? splitPayouts(outcomes) : []
}
