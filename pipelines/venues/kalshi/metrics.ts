import type { DecimalString } from '../../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { PayloadRecords } from '../read-payload.ts'
import { pushMetric, sizeField } from '../sizes.ts'
import type { Base } from './memory.ts'
import { sameAmount } from './prices.ts'

const SIZE_SCALE = 6
const ONE_CONTRACT = toScaled('1', SIZE_SCALE)
const CENTS_IN_DOLLAR = 100n

/**
 * Records a market's sizes: volume and open interest in contracts, each of which pays a dollar, and liquidity in dollars.
 * @throws Quarantined FIELDS_DISAGREE if the exact and the rounded form differ
 */
export function readMetrics(market: JsonTextObject, base: Base, out: PayloadRecords): void {
  const { file, line, path, venue_id, source_market_id, source_at, received_at } = base
  pushMetric(out.metrics, {
    file,
    line,
    path,
    venue_id,
    source_market_id,
    source_at,
    received_at,
    volume_24h: contractsField(market, 'volume_24h'),
    open_interest: contractsField(market, 'open_interest'),
    liquidity_notional: liquidityOf(market),
  })
}

/** Reads contracts: `NAME_fp` is exact and takes precedence; `NAME` is whole contracts. */
function contractsField(market: JsonTextObject, field: string): DecimalString | null {
  const [exact, rounded] = [sizeField(market, `${field}_fp`), sizeField(market, field)]
  if (exact === null || rounded === null) return exact ?? rounded
  const agree = sameAmount(toScaled(exact, SIZE_SCALE), toScaled(rounded, SIZE_SCALE), ONE_CONTRACT)
  if (!agree) throw new Quarantined('FIELDS_DISAGREE')
  return exact
}

/** Reads liquidity; the former form in whole cents is exact too. */
function liquidityOf(market: JsonTextObject): DecimalString | null {
  const dollars = sizeField(market, 'liquidity_dollars')
  if (dollars !== null) return dollars
  const cents = sizeField(market, 'liquidity')
  return cents === null ? null : fromScaled(toScaled(cents, SIZE_SCALE) / CENTS_IN_DOLLAR, SIZE_SCALE)
}
