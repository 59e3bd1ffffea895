import { idField, type JsonObject, requiredText } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { Payout } from '../record.ts'
import type { Reading } from './memory.ts'
import { payoutsOfWinner, splitPayouts } from './payouts.ts'
import { attempt, WHOLE } from './reading.ts'
import { confirmResolution } from './resolution-log.ts'
import { outcomeLabels } from './token-directory.ts'
import { changeTrading, readTrading } from './trading.ts'
import { readFlag } from './values.ts'

/**
 * Reads `GET /markets/{condition_id}` of CLOB: tokens with their labels and winner, the fallback if Gamma names no winner. It
 * is not a reference: it does not name the event, and Gamma's labels of the market stay. Its tick and minimum size update
 * Gamma's.
 */
export function readClobMarket(reading: Reading, document: JsonText): void {
  attempt(reading, WHOLE, () => {
    const market = objectOf(document)
    const id = idField(market as JsonObject, 'condition_id')
    const tokens = listOf(market.tokens).map(objectOf)
    const { outcomes, winners } = describe(reading, id, tokens)
    attempt(reading, WHOLE, () =>
      changeTrading(reading, WHOLE, id, readTrading(market.minimum_tick_size, market.minimum_order_size)),
    )
    if (readFlag(market, 'closed') !== true) {
      if (winners.length > 0) throw new Quarantined('FIELDS_DISAGREE')
      return
    }
    const payouts = payoutsOf(outcomes, winners, readFlag(market, 'is_50_50_outcome') === true)
    if (payouts.length > 0) confirmResolution(reading, WHOLE, id, payouts)
  })
}

/** Reads the market's labels and the ordinals of the winners among its tokens. */
function describe(reading: Reading, id: string, tokens: readonly JsonTextObject[]) {
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
