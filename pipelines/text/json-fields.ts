import { dayMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import { Quarantined } from '../venues/quarantine.ts'
import { isPlainId, readId, readInstant } from './fields.ts'

/** Readers of the fields of one JSON line. null, an absent field and (where said) "N/A" are no value. */
export type JsonObject = Readonly<Record<string, unknown>>

const TEXT_LENGTH_MAX = 100_000

/** A text, or null where there is none. */
export function optionalText(object: JsonObject, field: string): string | null {
  return textOrNull(object[field])
}

/** The same of a value: `object.price` is read faster than `object[field]`, above all where the field is absent. */
export function textOrNull(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX || !value.isWellFormed()) {
    throw new Quarantined('BAD_TEXT')
  }
  return value
}

/** A text that must be there. */
export function requiredText(object: JsonObject, field: string): string {
  const text = optionalText(object, field)
  if (text === null) throw new Quarantined('MISSING_FIELD')
  return text
}

/** A text in which "N/A" means none. */
export function textOrNotAvailable(object: JsonObject, field: string): string | null {
  const text = optionalText(object, field)
  return text === 'N/A' ? null : text
}

/** An id that must be there. */
export function idField(object: JsonObject, field: string): string {
  return readId(requiredText(object, field))
}

/** An id, or null where there is none. */
export function optionalIdField(object: JsonObject, field: string): string | null {
  return idOrNull(object[field])
}

/** The same of a value: `object.id` is read faster than `object[field]`. */
export function idOrNull(value: unknown): string | null {
  if (typeof value === 'string' && isPlainId(value)) return value
  const text = textOrNull(value)
  return text === null ? null : readId(text)
}

/** An instant that must be there. */
export function instantField(object: JsonObject, field: string): Micros {
  return readInstant(requiredText(object, field))
}

/** An instant, or null where there is none. */
export function optionalInstantField(object: JsonObject, field: string): Micros | null {
  const text = optionalText(object, field)
  return text === null ? null : readInstant(text)
}

/** An instant or a day (midnight UTC) of a schedule; null where it is absent, "N/A" or no real time: a schedule is not evidence. */
export function scheduleField(object: JsonObject, field: string): Micros | null {
  const value = object[field]
  return typeof value === 'string' ? (microsOf(value) ?? dayMicros(value)) : null
}
