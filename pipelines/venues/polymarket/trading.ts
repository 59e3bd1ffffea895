import { SCALE } from '../../../primitives/decimal.ts'
import { readOptionalPrice, readOptionalQuantity } from '../../text/fields.ts'
import type { JsonText } from '../../text/json-text.ts'
import { plainNumber } from '../../text/plain-number.ts'
import { Quarantined } from '../quarantine.ts'
import type { TradingParameters } from '../record.ts'
import { priceGrid, tradingParameters } from '../trading-parameters.ts'
import type { Location, Reading } from './memory.ts'
import { recordOf } from './reading.ts'
import { numberText } from './values.ts'

/** Shares have two decimals on every grid. */
const QUANTITY_INCREMENT = '0.010000'
const QUANTITY_SCALE = 6
const ASSET = 'usdc'

/**
 * Reads trading parameters of Gamma or CLOB: the tick, which may change while a market trades, and the minimum size. The venue
 * accepts prices from one tick to one less a tick. null if neither is stated.
 * @throws Quarantined BAD_VALUE, VALUE_OUT_OF_RANGE
 */
export function readTrading(tick: JsonText | undefined, least: JsonText | undefined): TradingParameters | null {
  const [tick_text, least_text] = [statedText(tick), statedText(least)]
  if (tick_text === null && least_text === null) return null
  const minimum_quantity = least_text === null ? null : readOptionalQuantity(plainNumber(least_text), QUANTITY_SCALE)
  return tradingParameters({
    ...priceGrid(tick_text === null ? null : readTick(tick_text)),
    quantity_increment: QUANTITY_INCREMENT,
    minimum_quantity,
    settlement_asset_id: ASSET,
  })
}

/** Returns the stated text; zero means missing, because no market has a tick or a minimum size of 0. */
function statedText(value: JsonText | undefined): string | null {
  const text = numberText(value)
  return text !== null && /^0(\.0+)?$/.test(text) ? null : text
}

function readTick(text: string) {
  const tick = readOptionalPrice(plainNumber(text), SCALE.observed_value)
  if (tick === null || !/^0\.\d*[1-9]/.test(tick)) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return tick
}

/**
 * Records a market's latest description with other trading parameters; an undescribed one gets no record.
 * @returns whether a record was added
 */
export function changeTrading(
  reading: Reading,
  location: Location,
  id: string,
  trading: TradingParameters | null,
): boolean {
  const known = reading.memory.references.get(id)
  if (known === undefined || trading === null) return false
  const reference = { ...known, ...recordOf(reading, location, id, reading.payload.received_at), trading }
  reading.memory.references.set(id, reference)
  reading.found.references.push(reference)
  return true
}
