import type { Micros } from '../../../primitives/instants.ts'
import { idField, requiredText } from '../../text/json-fields.ts'
import { type JsonTextObject, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { countRecords, type PayloadOrigin, readPart } from '../read-payload.ts'
import type { ReferenceRecord } from '../record.ts'
import type { Base, Reading } from './memory.ts'
import { type Price, statedPrice } from './prices.ts'
import { baseOf } from './quotes.ts'
import { changeMarket, stateMarket } from './references.ts'
import { payoutOf, stateResult } from './resolutions.ts'
import { messageTime, optionalTimeField, scheduleField } from './times.ts'

/** A market's status after each step of its life; null = unchanged. */
const STATUS_AFTER = new Map<string, ReferenceRecord['status']>([
  ['created', 'scheduled'],
  ['activated', 'open'],
  ['deactivated', 'paused'],
  ['close_date_updated', null],
  ['metadata_updated', null],
  ['price_level_structure_updated', null],
  ['determined', 'resolving'],
  ['settled', 'resolved'],
])

/**
 * Reads `market_lifecycle_v2`: a step of a market's life. `created` describes the market; a later step updates the latest known
 * description. `determined` names the result, `settled` confirms its payment.
 */
export function readLifecycle(msg: JsonTextObject, origin: PayloadOrigin, reading: Reading): Outcome {
  const before = countRecords(reading.out)
  const ticker = idField(msg, 'market_ticker')
  const step = requiredText(msg, 'event_type')
  if (!STATUS_AFTER.has(step)) throw new Quarantined('BAD_FLAG')
  readPart(reading.out, origin, () => readResult(msg, step, ticker, origin, reading))
  readPart(reading.out, origin, () => {
    const base = baseOf(reading, origin, ticker, stepTime(msg) ?? messageTime(msg, reading.payload))
    if (step === 'created') readCreated(msg, base, reading)
    else changeMarket(reading, base, { status: STATUS_AFTER.get(step)!, closes_at: scheduleField(msg, 'close_ts') })
  })
  return countRecords(reading.out) > before ? 'taken' : 'repeated'
}

function readCreated(msg: JsonTextObject, base: Base, reading: Reading): void {
  const texts = objectOf(msg.additional_metadata)
  const schedule = {
    opens_at: scheduleField(msg, 'open_ts'),
    closes_at: scheduleField(msg, 'close_ts'),
    expected_resolution_at: scheduleField(texts, 'expected_expiration_ts'),
  }
  stateMarket(reading, base, texts, { event_ticker: idField(texts, 'event_ticker'), status: 'scheduled', schedule })
}

/** Reads a result. The `settled` message repeats neither result nor value: it makes the latest named one final. */
function readResult(msg: JsonTextObject, step: string, ticker: string, origin: PayloadOrigin, reading: Reading): void {
  if (step !== 'determined' && step !== 'settled') return
  // Here the value is decimal dollars under the plain name.
  const value = statedPrice(msg.settlement_value, undefined)
  const named = payoutOf(msg, value)
  const payout = step === 'determined' ? named : (named ?? value ?? latestPayout(ticker, reading))
  if (payout === null) return
  const finality = step === 'determined' ? 'proposed' : 'final'
  stateResult(reading, origin, ticker, { finality, payout, stated_at: stepTime(msg) })
}

function latestPayout(ticker: string, { memory }: Reading): Price | null {
  const known = memory.results.get(ticker)
  return known === undefined ? null : { text: known.payout, whole_cents: false }
}

function stepTime(msg: JsonTextObject): Micros | null {
  return optionalTimeField(msg, 'settled_ts') ?? optionalTimeField(msg, 'determination_ts')
}
