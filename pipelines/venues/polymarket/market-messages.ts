import { idField, type JsonObject, optionalText } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import type { ReferenceRecord } from '../record.ts'
import type { Location, Reading } from './memory.ts'
import { payoutsOfWinner } from './payouts.ts'
import { stateResolution } from './resolution-log.ts'
import { shortReference } from './short-reference.ts'
import { stateOrWait, stateReference } from './state-reference.ts'
import { readMillis } from './times.ts'
import { outcomeLabels } from './token-directory.ts'
import { readFlag, readTextList } from './values.ts'

/** Reads `new_market`: the first description of a market, which Gamma completes. */
export function readNewMarket(reading: Reading, message: JsonTextObject, location: Location): Outcome {
  const id = marketOf(message)
  if (reading.memory.references.has(id)) return 'DESCRIBED_BEFORE'
  const status = readFlag(message, 'active') === false ? 'scheduled' : 'open'
  if (!describeByMessage(reading, message, location, id, status)) throw new Quarantined('MISSING_FIELD')
  return 'taken'
}

/**
 * Reads `market_resolved`, the venue's own announcement of the winner. It describes its market like `new_market`; one that does
 * not waits until a later payload describes the market.
 */
export function readMarketResolved(reading: Reading, message: JsonTextObject, location: Location): Outcome {
  const id = marketOf(message)
  const { tokens, references } = reading.memory
  if (tokens.knows(String(message.winning_asset_id))) tokens.find(message.winning_asset_id, id)
  if (!references.has(id)) describeByMessage(reading, message, location, id, 'resolved')
  const before = reading.found.resolutions.length
  const is_stated = stateOrWait(reading, location, id, (known) => stateWinner(known, message, location, id))
  if (!is_stated) return 'WAITS_FOR_MARKET'
  return reading.found.resolutions.length > before ? 'taken' : 'repeated'
}

function stateWinner(reading: Reading, message: JsonTextObject, location: Location, id: string): void {
  const { tokens } = reading.memory
  const { outcome } = tokens.find(message.winning_asset_id, id)
  const stated = message.winning_outcome ?? ''
  if (typeof stated !== 'string') throw new Quarantined('BAD_TEXT')
  if (stated !== '' && stated !== outcome && stated.toUpperCase() !== outcome) throw new Quarantined('FIELDS_DISAGREE')
  const outcomes = tokens.outcomesOf(id) ?? []
  const payouts = payoutsOfWinner(outcomes, outcomes.indexOf(outcome))
  stateResolution(reading, location, id, { finality: 'final', payouts }, readMillis(message.timestamp))
}

/** Returns the condition id, which newer messages state twice. */
function marketOf(message: JsonTextObject): string {
  return idField(message as JsonObject, message.market === undefined ? 'condition_id' : 'market')
}

/** Records the market that a message describes; false if it does not state question, outcomes and tokens. */
function describeByMessage(
  reading: Reading,
  message: JsonTextObject,
  location: Location,
  id: string,
  status: ReferenceRecord['status'],
): boolean {
  const title = optionalText(message as JsonObject, 'question')
  const labels = readTextList(message.outcomes)
  const token_ids = readTextList(message.assets_ids ?? message.asset_ids ?? message.clob_token_ids)
  if (title === null || labels === null || token_ids === null) return false
  const outcomes = outcomeLabels(labels)
  const reference = shortReference(reading, location, {
    id,
    title,
    outcomes,
    criteria: optionalText(message as JsonObject, 'description'),
    event: eventOf(message.event_message),
    status,
    closes_at: null,
    tick: message.order_price_min_tick_size,
    minimum: undefined,
    source_at: readMillis(message.timestamp),
  })
  reading.memory.tokens.describe(id, outcomes, token_ids)
  stateReference(reading, reference)
  return true
}

function eventOf(value: JsonText | undefined): JsonTextObject | null {
  return value === undefined || value === null || value === '' ? null : objectOf(value)
}
