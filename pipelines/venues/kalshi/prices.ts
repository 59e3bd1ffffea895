import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { readUnitValue } from '../fields.ts'
import { optionalText } from '../json-fields.ts'
import type { JsonText, JsonTextObject } from '../json-text.ts'
import { Quarantined } from '../quarantine.ts'

/**
 * Kalshi's prices. A contract pays one dollar, so dollars are probabilities. `NAME_dollars` is a decimal text and counts
 * first; `NAME` is whole cents (withdrawn in 2026), which a market with finer steps rounds.
 */

const ONE = toScaled('1', SCALE.observed_value)
const CENT = toScaled('0.01', SCALE.observed_value)

/** A price in billionths. `whole_cents`: known from the rounded field only. */
export type Price = { readonly scaled: bigint; readonly whole_cents: boolean }

/** How the integer fields of an object are to be read: in cents, or not at all. */
export type PriceUnits = { readonly cents: boolean }
export const CENTS: PriceUnits = { cents: true }

/** `response_price_units` says what the integers are; any other unit than cents leaves the dollars alone to be read. */
export function priceUnits(object: JsonTextObject): PriceUnits {
  const units = optionalText(object, 'response_price_units')
  return { cents: units === null || units === 'usd_cent' }
}

/** A price in [0, 1], or null where there is none. @throws Quarantined FIELDS_DISAGREE where dollars and cents differ */
export function priceField(object: JsonTextObject, field: string, units: PriceUnits = CENTS): Price | null {
  const dollars = dollarsField(object, dollarsName(field))
  const cents = units.cents ? centsField(object, field) : null
  if (dollars !== null && cents !== null && !sameAmount(dollars, cents, CENT)) throw new Quarantined('FIELDS_DISAGREE')
  const scaled = dollars ?? cents
  return scaled === null ? null : { scaled, whole_cents: dollars === null }
}

/**
 * The price where it is one at which an order can rest. Kalshi writes "no quote" as 0 or as 1 (0 and 100 cents), which no
 * order can have.
 */
export function quotedPrice(price: Price | null): Price | null {
  return price === null || price.scaled <= 0n || price.scaled >= ONE ? null : price
}

/** A price at which an order rests or a trade happened, which must be there. */
export function requiredPrice(price: Price | null): Price {
  const quoted = quotedPrice(price)
  if (quoted === null) throw new Quarantined('MISSING_FIELD')
  return quoted
}

/** The text of a required price as one side of a book lists it: by itself, in dollars or in cents. */
export function levelPrice(value: JsonText | undefined, field: 'price' | 'price_dollars'): DecimalString {
  if (field === 'price_dollars' && typeof value === 'string' && value !== '') return levelText(value)
  return priceText(requiredPrice(priceField({ [field]: value }, 'price')))
}

/** The same of an object that may state it in dollars, in cents or in both. @throws Quarantined FIELDS_DISAGREE */
export function requiredPriceText(object: JsonTextObject): DecimalString {
  if ((object.price ?? '') === '') return levelPrice(object.price_dollars, 'price_dollars')
  return priceText(requiredPrice(priceField(object, 'price')))
}

/** The other outcome's price: one minus a real one. */
export function complement(price: Price): Price {
  return { ...price, scaled: ONE - price.scaled }
}

/** The price where a record states it once or twice the same. @throws Quarantined FIELDS_DISAGREE */
export function agreedPrice(stated: Price | null, again: Price | null): Price | null {
  if (stated === null || again === null) {
    if (stated !== again) throw new Quarantined('FIELDS_DISAGREE')
    return null
  }
  const apart = stated.scaled > again.scaled ? stated.scaled - again.scaled : again.scaled - stated.scaled
  const allowed = stated.whole_cents || again.whole_cents ? CENT : 0n
  if (apart > allowed) throw new Quarantined('FIELDS_DISAGREE')
  return stated.whole_cents ? again : stated
}

/** With 9 fraction digits. */
export function priceText(price: Price): DecimalString {
  return textOfScaled(price.scaled)
}

/** One minus a price text. */
export function complementText(price: DecimalString): DecimalString {
  return complementOfText(price)
}

/** An exact amount and its rounding to whole units agree: equal where it is whole, else less than one unit apart. */
export function sameAmount(exact: bigint, rounded: bigint, unit: bigint): boolean {
  if (exact % unit === 0n) return exact === rounded
  const apart = exact > rounded ? exact - rounded : rounded - exact
  return apart < unit
}

function dollarsField(object: JsonTextObject, field: string): bigint | null {
  const text = optionalText(object, field)
  return text === null ? null : dollarsOf(text)
}

// A venue's prices are few, on a grid, and come back millions of times.
const REMEMBERED_MAX = 20_000

const dollarsOf = remembering((text: string) =>
  toScaled(readUnitValue(text, SCALE.observed_value), SCALE.observed_value),
)
const levelText = remembering((dollars: string) =>
  priceText(requiredPrice(priceField({ price_dollars: dollars }, 'price'))),
)
const dollarsName = remembering((field: string) => `${field}_dollars`)
const textOfScaled = remembering((scaled: bigint) => fromScaled(scaled, SCALE.observed_value))
const complementOfText = remembering((text: DecimalString) =>
  fromScaled(ONE - toScaled(text, SCALE.observed_value), SCALE.observed_value),
)

/** A function that calculates each value once; memory is bounded. */
export function remembering<K, V>(calculate: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = calculate(key)
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(key, value)
    return value
  }
}

function centsField(object: JsonTextObject, field: string): bigint | null {
  const text = optionalText(object, field)
  if (text === null) return null
  // Whole cents only: a fraction would be dollars or another unit under the same name.
  if (!/^-?(0|[1-9]\d*)$/.test(text)) throw new Quarantined('BAD_VALUE')
  const scaled = toScaled(text, 0) * CENT
  if (scaled < 0n || scaled > ONE) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return scaled
}
