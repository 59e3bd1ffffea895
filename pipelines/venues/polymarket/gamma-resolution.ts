import { plainDecimal } from '../../text/fields.ts'
import { type JsonObject, optionalText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { Payout } from '../record.ts'
import { payoutsOfWinner, splitPayouts } from './payouts.ts'
import type { Statement } from './resolution-log.ts'
import { readFlag, readTextList } from './values.ts'

/** Words of umaResolutionStatus and umaResolutionStatuses. */
const UMA_WORDS = ['proposed', 'disputed', 'resolved'] as const
type UmaWord = (typeof UMA_WORDS)[number]

/**
 * Reads a Gamma market's resolution, or null if it states none. Payouts are prices of exactly 1 and 0, or of 0.5 each, of a
 * closed market. Prices of a trading market are prices, and the outcome of a closed one at 0 and 0 (legacy, no winner recorded)
 * or at its last price is unknown. The oracle's state decides whether payouts are final; it may be absent.
 * @throws Quarantined BAD_FLAG for another word of the oracle, FIELDS_DISAGREE for lists of different length
 */
export function statedResolution(market: JsonTextObject, outcomes: readonly string[]): Statement | null {
  const payouts = readFlag(market, 'closed') === true ? readPayouts(market, outcomes) : []
  const word = umaWord(market)
  if (word === 'proposed' || word === 'disputed') return { finality: word, payouts }
  return payouts.length === 0 ? null : { finality: 'final', payouts }
}

function readPayouts(market: JsonTextObject, outcomes: readonly string[]): Payout[] {
  const prices = readTextList(market.outcomePrices)
  if (prices === null) return []
  if (prices.length !== outcomes.length) throw new Quarantined('FIELDS_DISAGREE')
  const plain = prices.map(plainDecimal)
  if (plain.length === 2 && plain.every((price) => price === '0.5')) return splitPayouts(outcomes)
  const winner = plain.indexOf('1')
  const decided = winner >= 0 && plain.every((price, i) => i === winner || price === '0')
  return decided ? payoutsOfWinner(outcomes, winner) : []
}

/** Reads the oracle's current state: the single field, else the last of the history. */
function umaWord(market: JsonTextObject): UmaWord | null {
  const text = optionalText(market as JsonObject, 'umaResolutionStatus')
  const word = text ?? readTextList(market.umaResolutionStatuses)?.at(-1) ?? null
  if (word === null) return null
  const found = UMA_WORDS.find((known) => known === word.toLowerCase())
  if (found === undefined) throw new Quarantined('BAD_FLAG')
  return found
}
