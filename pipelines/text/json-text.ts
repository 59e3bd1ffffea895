import { Quarantined } from '../venues/quarantine.ts'
import type { FormStep } from './json-forms.ts'
import { JsonScan } from './json-scan.ts'

/** A JSON value whose numbers are texts: the digits that the source wrote, which no double has touched. */
export type JsonText = string | boolean | null | JsonTextObject | readonly JsonText[]
export type JsonTextObject = { readonly [field: string]: JsonText | undefined }

/**
 * Parses JSON and gives every number as its source text, so that 0.45530000000000004 or a 78-digit token id arrives as
 * written and no double has touched it. A number and a string of the same text are the same afterwards: venues mix both
 * for one field. Texts may be slices that keep the whole document in memory while they live.
 * @param forms of the objects that are expected: they make the reading faster and change nothing of what is read
 * @throws Quarantined BAD_JSON, also for lists and objects nested deeper than JSON_DEPTH_MAX
 */
export function parseJsonText(text: string, forms: readonly FormStep[] = NO_FORMS): JsonText {
  return new JsonScan(text, forms).read()
}

const NO_FORMS: readonly FormStep[] = []

/** The value as an object. @throws Quarantined UNKNOWN_SHAPE */
export function objectOf(value: JsonText | undefined): JsonTextObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as JsonTextObject
}

/** The value as a list; absent and null are an empty one. @throws Quarantined UNKNOWN_SHAPE */
export function listOf(value: JsonText | undefined): readonly JsonText[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as readonly JsonText[]
}
