import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { fractionDigits } from '../../../primitives/scaled-number.ts'
import { roundedSize } from '../../text/fields.ts'
import { type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { numberOrNull } from '../../text/plain-number.ts'
import { quotientText, restText } from '../../text/quotient-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { PayloadOrigin } from '../read-payload.ts'
import type { TradeRecord } from '../record.ts'
import { CLOCK_AHEAD_MAX, sourceMillis } from '../source-times.ts'

/** Identity and clocks of a bet. */
export type Bet = {
  readonly origin: PayloadOrigin
  readonly source_market_id: string
  readonly source_trade_id: string
  /** Side of the bet, of the market or of its answer `answer_id`. */
  readonly side: 'YES' | 'NO'
  readonly answer_id: string | null
  readonly created_at: Micros
  readonly received_at: Micros
}

/** Fraction digits of a quantity, in shares: each pays 1 mana if its side wins. */
const QUANTITY_SCALE = 6
const FEES = ['creatorFee', 'liquidityFee', 'platformFee'] as const

/**
 * Returns the executed part of a bet as one trade at its average price; null if nothing is executed, or less than a millionth
 * of a share. A bet with more fills is the same trade again with a larger quantity and a later time: a revision.
 *   price = (amount - fees) / shares        half even to 9 fraction digits
 * `amount` includes the fees of the taker, who pays them on top of the price; a sale has a negative amount and shares. A NO bet
 * on one answer of several is a trade of that answer at 1 - price on the other side.
 * @throws Quarantined VALUE_OUT_OF_RANGE for a price outside [0, 1], MISSING_FIELD, BAD_VALUE, BAD_DATE, SOURCE_AFTER_RECEIVED
 */
export function betTrade(fields: JsonTextObject, bet: Bet): TradeRecord[] {
  const shares = numberOrNull(fields.shares)
  const amount = numberOrNull(fields.amount)
  if (shares === null || amount === null || isZero(shares) || isZero(amount)) return []
  const quantity = quantityOf(shares)
  if (isZero(quantity)) return []
  const mirrored = bet.answer_id !== null && bet.side === 'NO'
  const price = priceOf(shares, amount, feesOf(fields), mirrored)
  const { last_fill_at, rested } = fillTimes(fields, bet)
  const bought = !shares.startsWith('-') !== mirrored
  return [
    {
      file: bet.origin.file,
      line: bet.origin.line,
      path: bet.origin.path,
      venue_id: 'manifold',
      source_series_id: null,
      source_market_id: bet.source_market_id,
      outcome: bet.answer_id ?? bet.side,
      source_at: last_fill_at,
      received_at: bet.received_at,
      price,
      quantity,
      aggressor_side: rested ? null : bought ? 'BUY' : 'SELL',
      source_trade_id: bet.source_trade_id,
      source_sequence: null,
      correction_kind: null,
    },
  ]
}

/**
 * Reads shares as a quantity. @throws Quarantined BAD_VALUE for more than twelve digits before the point, the limit of every
 * venue
 */
function quantityOf(shares: DecimalString): DecimalString {
  const quantity = roundedSize(shares.startsWith('-') ? shares.slice(1) : shares, QUANTITY_SCALE)
  if (quantity.length > 12 + 1 + QUANTITY_SCALE) throw new Quarantined('BAD_VALUE')
  return quantity
}

function priceOf(
  shares: DecimalString,
  amount: DecimalString,
  fees: readonly DecimalString[],
  mirrored: boolean,
): DecimalString {
  const cost = fees.length === 0 ? amount : withoutFees(amount, fees)
  const price = mirrored ? restText(cost, shares) : quotientText(cost, shares)
  if (price === null) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return price
}

function withoutFees(amount: DecimalString, fees: readonly DecimalString[]): DecimalString {
  const scale = Math.max(fractionDigits(amount), ...fees.map(fractionDigits))
  return fromScaled(
    fees.reduce((left, fee) => left - toScaled(fee, scale), toScaled(amount, scale)),
    scale,
  )
}

function feesOf(fields: JsonTextObject): DecimalString[] {
  if (fields.fees === undefined || fields.fees === null) return []
  const fees = objectOf(fields.fees)
  if (fees.creatorFee === '0' && fees.liquidityFee === '0' && fees.platformFee === '0') return []
  const charged: DecimalString[] = []
  for (const name of FEES) {
    const fee = numberOrNull(fees[name])
    if (fee !== null && !isZero(fee)) charged.push(fee)
  }
  return charged
}

function isZero(text: DecimalString): boolean {
  const is_below_one = text.charCodeAt(text.charCodeAt(0) === MINUS ? 1 : 0) === ZERO
  return is_below_one && (text.length === 1 || /^-?0(\.0+)?$/.test(text))
}

const [MINUS, ZERO] = [45, 48]

/** Returns when the bet was last filled. A fill after the bet was made means that it rested in the book and others took it. */
function fillTimes(fields: JsonTextObject, bet: Bet): { last_fill_at: Micros; rested: boolean } {
  let last_fill_at = bet.created_at
  for (const fill of listOf(fields.fills)) {
    const filled_at = sourceMillis(objectOf(fill).timestamp, bet.received_at, CLOCK_AHEAD_MAX.manifold)
    if (filled_at !== null && filled_at > last_fill_at) last_fill_at = filled_at
  }
  return { last_fill_at, rested: last_fill_at > bet.created_at }
}
