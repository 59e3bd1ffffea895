import { SCALE } from '../../../primitives/decimal.ts'
import { readOptionalPrice, readOptionalQuantity } from '../../text/fields.ts'
import type { JsonText } from '../../text/json-text.ts'
import { plainNumber } from '../../text/plain-number.ts'
import { Quarantined } from '../quarantine.ts'
import type { TradingParameters } from '../record.ts'
import { priceGrid, tradingParameters } from '../trading-parameters.ts'
import type { Place, Reading } from './memory.ts'
import { recordOf } from './reading.ts'
import { numberText } from './values.ts'

/** Shares have two decimals on every grid. */
const QUANTITY_INCREMENT = '0.010000'
const QUANTITY_SCALE = 6
const ASSET = 'usdc'

/**
 * Trading parameters as Gamma and CLOB state them: the tick, which may change while a market trades, and the least size.
 * The venue takes prices from one tick to one less a tick. null where neither is stated.
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

/** Zero stands for a missing number: no market has a step or a least size of none. */
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
 * Gives out the latest description of a market with other trading parameters. Only Gamma describes markets: of one that it
 * has not described, nothing is said.
 */
export function changeTrading(reading: Reading, place: Place, id: string, trading: TradingParameters | null): void {
  const known = reading.memory.references.get(id)
  if (known === undefined || trading === null) return
  const reference = { ...known, ...recordOf(reading, place, id, reading.payload.received_at), trading }
  reading.memory.references.set(id, reference)
  reading.found.references.push(reference)
}
