import { Quarantined } from '../venues/quarantine.ts'

/** A JSON value whose numbers are texts: the digits that the source wrote, never converted to floating point. */
export type JsonText = string | boolean | null | JsonTextObject | readonly JsonText[]
export type JsonTextObject = { readonly [field: string]: JsonText | undefined }

/** Returns the value as an object. @throws Quarantined UNKNOWN_SHAPE */
export function objectOf(value: JsonText | undefined): JsonTextObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as JsonTextObject
}

/** Returns the value as a list; absent and null are an empty one. @throws Quarantined UNKNOWN_SHAPE */
export function listOf(value: JsonText | undefined): readonly JsonText[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as readonly JsonText[]
}
