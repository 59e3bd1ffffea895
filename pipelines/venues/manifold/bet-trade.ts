import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { divideHalfEven, fromScaled, pow10, quantize, toScaled } from '../../../primitives/scaled.ts'
import { type JsonTextObject, listOf, objectOf } from '../json-text.ts'
import { optionalNumber } from '../plain-number.ts'
import { Quarantined } from '../quarantine.ts'
import type { PayloadOrigin } from '../read-payload.ts'
import type { TradeRecord } from '../record.ts'
import { optionalSourceMillis } from '../source-times.ts'

/** What names a bet and its clocks. */
export type Bet = {
  readonly origin: PayloadOrigin
  readonly source_market_id: string
  readonly source_trade_id: string
  /** Side that was bet on: of the market, or of its answer `answer_id`. */
  readonly side: 'YES' | 'NO'
  readonly answer_id: string | null
  readonly created_at: Micros
  readonly received_at: Micros
}

/** Fraction digits of a quantity, in shares: each pays 1 mana where its side wins. */
const QUANTITY_SCALE = 6
const FEES = ['creatorFee', 'liquidityFee', 'platformFee'] as const

/**
 * The executed part of a bet as one trade at its average price; none where nothing is executed, or less than a millionth
 * of a share. A bet that gets further fills is the same trade again with a larger quantity and a later time: a revision.
 *
 *   price = (amount - fees) / shares        half even to 9 fraction digits
 *
 * `amount` holds the fees of the taker, who pays them on top of the price; a sale has a negative amount and shares.
 * A NO bet on one answer of several is a trade of that answer at 1 - price on the other side.
 * @throws Quarantined VALUE_OUT_OF_RANGE for a price outside [0, 1], MISSING_FIELD, BAD_VALUE, BAD_DATE, SOURCE_AFTER_RECEIVED
 */
export function betTrade(fields: JsonTextObject, bet: Bet): TradeRecord[] {
  const shares = optionalNumber(fields, 'shares')
  const amount = optionalNumber(fields, 'amount')
  if (shares === null || amount === null || isZero(shares) || isZero(amount)) return []
  const quantity = quantityOf(shares)
  if (isZero(quantity)) return []
  const price = priceOf(shares, amount, feesOf(fields))
  const { last_fill_at, rested } = fillTimes(fields, bet)
  const mirrored = bet.answer_id !== null && bet.side === 'NO'
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
      price: priceText(price, mirrored),
      quantity,
      aggressor_side: rested ? null : bought ? 'BUY' : 'SELL',
      source_trade_id: bet.source_trade_id,
      source_sequence: null,
      correction_kind: null,
    },
  ]
}

/** @throws Quarantined BAD_VALUE for more than twelve digits before the point, as of any venue's quantity */
function quantityOf(shares: DecimalString): DecimalString {
  const size = shares.startsWith('-') ? shares.slice(1) : shares
  const quantity = fromScaled(quantize(size, QUANTITY_SCALE), QUANTITY_SCALE)
  if (quantity.length > 12 + 1 + QUANTITY_SCALE) throw new Quarantined('BAD_VALUE')
  return quantity
}

/** A price as a fraction in [0, 1]; cost and shares are not negative. */
type Price = { readonly cost: bigint; readonly shares: bigint }

function priceOf(shares: DecimalString, amount: DecimalString, fees: readonly DecimalString[]): Price {
  let scale = Math.max(fractionDigits(shares), fractionDigits(amount))
  for (const fee of fees) scale = Math.max(scale, fractionDigits(fee))
  const paid = fees.reduce((left, fee) => left - toScaled(fee, scale), toScaled(amount, scale))
  const signed = toScaled(shares, scale)
  const price = signed < 0n ? { cost: -paid, shares: -signed } : { cost: paid, shares: signed }
  if (price.cost < 0n || price.cost > price.shares) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return price
}

/** The price, or one minus it, with 9 fraction digits. */
function priceText({ cost, shares }: Price, mirrored: boolean): DecimalString {
  const part = mirrored ? shares - cost : cost
  return fromScaled(divideHalfEven(part * pow10(SCALE.observed_value), shares), SCALE.observed_value)
}

/** The fees that are not zero. */
function feesOf(fields: JsonTextObject): DecimalString[] {
  if (fields.fees === undefined || fields.fees === null) return []
  const fees = objectOf(fields.fees)
  const charged: DecimalString[] = []
  for (const name of FEES) {
    const fee = optionalNumber(fees, name)
    if (fee !== null && !isZero(fee)) charged.push(fee)
  }
  return charged
}

function fractionDigits(text: DecimalString): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

function isZero(text: DecimalString): boolean {
  return text === '0' || /^-?0(\.0+)?$/.test(text)
}

/** When the bet was last filled. It rested in the book if that was after it was made: then others took it. */
function fillTimes(fields: JsonTextObject, bet: Bet): { last_fill_at: Micros; rested: boolean } {
  const times = listOf(fields.fills).map((fill) => optionalSourceMillis(objectOf(fill), 'timestamp', bet.received_at))
  const last_fill_at = Math.max(bet.created_at, ...times.filter((time) => time !== null))
  return { last_fill_at, rested: last_fill_at > bet.created_at }
}
