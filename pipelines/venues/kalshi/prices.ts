import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { complementPrice } from '../../market/price-view.ts'
import { readUnitValue } from '../../text/fields.ts'
import { optionalText, textOrNull } from '../../text/json-fields.ts'
import type { JsonText, JsonTextObject } from '../../text/json-text.ts'
import { remembering } from '../../text/remembering.ts'
import { gridPrice } from '../grid-price.ts'
import { missingField, Quarantined } from '../quarantine.ts'

/**
 * Kalshi's prices. A contract pays one dollar, so dollars are probabilities. `NAME_dollars` is a decimal text and takes
 * precedence; `NAME` is whole cents (withdrawn in 2026), rounded in a market with finer steps.
 * Measured by bench/parse.bench.ts; the plain twin is bench/support/naive. The memos below hold values that depend on their key
 * alone.
 */

/** Prices that no order can have: Kalshi writes "no quote" as 0 or as 1 (0 and 100 cents). */
const [NONE, ALL] = ['0.000000000', '1.000000000']
const ONE = toScaled('1', SCALE.observed_value)
const CENT = toScaled('0.01', SCALE.observed_value)

/** A price in [0, 1] with 9 fraction digits. `whole_cents`: known from the rounded field only. */
export type Price = { readonly text: DecimalString; readonly whole_cents: boolean }

/** Whether the integer fields of an object are cents; if not, they are ignored. */
export type PriceUnits = { readonly cents: boolean }
export const CENTS: PriceUnits = { cents: true }

/** Reads `response_price_units`, the unit of the integers; with any unit but cents only the dollars are read. */
export function priceUnits(object: JsonTextObject): PriceUnits {
  const units = optionalText(object, 'response_price_units')
  return { cents: units === null || units === 'usd_cent' }
}

/**
 * Reads a price in [0, 1]; null if absent.
 * @param dollars_value of `NAME_dollars`
 * @param cents_value   of `NAME`
 * @throws Quarantined FIELDS_DISAGREE if dollars and cents differ
 */
export function statedPrice(
  dollars_value: JsonText | undefined,
  cents_value: JsonText | undefined,
  units: PriceUnits = CENTS,
): Price | null {
  const dollars = dollarsOf(dollars_value)
  const cents = units.cents ? centsOf(cents_value) : null
  if (dollars === null) return cents === null ? null : { text: cents, whole_cents: true }
  if (cents !== null && !sameAmount(billionths(dollars), billionths(cents), CENT)) {
    throw new Quarantined('FIELDS_DISAGREE')
  }
  return { text: dollars, whole_cents: false }
}

/** Returns the price if an order can rest at it, else null. */
export function quotedPrice(price: Price | null): Price | null {
  return price === null || price.text === NONE || price.text === ALL ? null : price
}

/** Returns a price of an order or a trade, which is required. @throws Quarantined MISSING_FIELD */
export function requiredPrice(price: Price | null): Price {
  const quoted = quotedPrice(price)
  if (quoted === null) throw missingField('a price')
  return quoted
}

/** Reads the text of a required price in a side of a book, which states dollars or cents. */
export function levelPrice(value: JsonText | undefined, field: 'price' | 'price_dollars'): DecimalString {
  if (field === 'price_dollars' && typeof value === 'string' && value !== '')
    return gridLevel(value) ?? levelText(value)
  return requiredPrice(field === 'price' ? statedPrice(undefined, value) : statedPrice(value, undefined)).text
}

/** Reads the text of a required price from an object with dollars, cents or both. @throws Quarantined FIELDS_DISAGREE */
export function requiredPriceText(object: JsonTextObject): DecimalString {
  if ((object.price ?? '') === '') return levelPrice(object.price_dollars, 'price_dollars')
  return requiredPrice(statedPrice(object.price_dollars, object.price)).text
}

/** Returns the other outcome's price: one minus a real one. */
export function complement(price: Price): Price {
  return { text: complementText(price.text), whole_cents: price.whole_cents }
}

/**
 * Returns a price that a record states once or twice: the exact one, else the first. Two prices in whole cents may be a cent apart,
 * as both are rounded in a market with finer steps.
 * @throws Quarantined FIELDS_DISAGREE
 */
export function agreedPrice(stated: Price | null, again: Price | null): Price | null {
  if (stated === null || again === null) {
    if (stated !== again) throw new Quarantined('FIELDS_DISAGREE')
    return null
  }
  const allowed = stated.whole_cents || again.whole_cents ? CENT : 0n
  if (stated.text !== again.text && apart(stated.text, again.text) > allowed) throw new Quarantined('FIELDS_DISAGREE')
  return stated.whole_cents && !again.whole_cents ? again : stated
}

/** Returns one minus a price text. */
export const complementText = remembering(complementPrice)

/**
 * Returns whether an exact amount and its rounding to whole units agree: equal if it is whole, else less than one unit apart.
 */
export function sameAmount(exact: bigint, rounded: bigint, unit: bigint): boolean {
  if (exact % unit === 0n) return exact === rounded
  const apart = exact > rounded ? exact - rounded : rounded - exact
  return apart < unit
}

function apart(a: DecimalString, b: DecimalString): bigint {
  const difference = billionths(a) - billionths(b)
  return difference < 0n ? -difference : difference
}

function billionths(price: DecimalString): bigint {
  return toScaled(price, SCALE.observed_value)
}

function dollarsOf(value: JsonText | undefined): DecimalString | null {
  const text = textOrNull(value)
  return text === null ? null : (gridPrice(text) ?? unitText(text))
}

function gridLevel(dollars: string): DecimalString | null {
  const price = gridPrice(dollars)
  return price === NONE ? null : price
}

// A venue's prices are few, on a grid, and repeat millions of times.
const unitText = remembering((text: string) => readUnitValue(text, SCALE.observed_value))
const levelText = remembering((dollars: string) => requiredPrice(statedPrice(dollars, undefined)).text)

function centsOf(value: JsonText | undefined): DecimalString | null {
  const text = textOrNull(value)
  if (text === null) return null
  // Whole cents only: a fraction would be dollars or another unit under the same name.
  if (!/^-?(0|[1-9]\d*)$/.test(text)) throw new Quarantined('BAD_VALUE')
  const scaled = toScaled(text, 0) * CENT
  if (scaled < 0n || scaled > ONE) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return fromScaled(scaled, SCALE.observed_value)
}
