import { dayMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import { missingField, Quarantined } from '../venues/quarantine.ts'
import { isPlainId, readId, readInstant } from './fields.ts'

/** A parsed JSON line. Its readers take null, an absent field and, if they say so, "N/A" as no value. */
export type JsonObject = Readonly<Record<string, unknown>>

const TEXT_LENGTH_MAX = 100_000

/** Reads a text, or null if there is none. */
export function optionalText(object: JsonObject, field: string): string | null {
  return textOrNull(object[field])
}

/** Reads a text from a value: `object.price` is faster than `object[field]`, above all if the field is absent. */
export function textOrNull(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX || !value.isWellFormed()) {
    throw new Quarantined('BAD_TEXT')
  }
  return value
}

/** Reads a required text. */
export function requiredText(object: JsonObject, field: string): string {
  const text = optionalText(object, field)
  if (text === null) throw missingField(field)
  return text
}

/** Reads a text in which "N/A" means none. */
export function textOrNotAvailable(object: JsonObject, field: string): string | null {
  const text = optionalText(object, field)
  return text === 'N/A' ? null : text
}

/** Reads a required id. */
export function idField(object: JsonObject, field: string): string {
  return readId(requiredText(object, field))
}

/** Reads an id, or null if there is none. */
export function optionalIdField(object: JsonObject, field: string): string | null {
  return idOrNull(object[field])
}

/** Reads an id from a value: `object.id` is faster than `object[field]`. */
export function idOrNull(value: unknown): string | null {
  if (typeof value === 'string' && isPlainId(value)) return value
  const text = textOrNull(value)
  return text === null ? null : readId(text)
}

/** Reads a required instant. */
export function instantField(object: JsonObject, field: string): Micros {
  return readInstant(requiredText(object, field))
}

/** Reads an instant, or null if there is none. */
export function optionalInstantField(object: JsonObject, field: string): Micros | null {
  const text = optionalText(object, field)
  return text === null ? null : readInstant(text)
}

/**
 * Reads an instant or a day (midnight UTC) of a schedule; null if it is absent, "N/A" or not a real time: a schedule is not
 * evidence.
 */
export function scheduleField(object: JsonObject, field: string): Micros | null {
  const value = object[field]
  return typeof value === 'string' ? (microsOf(value) ?? dayMicros(value)) : null
}
