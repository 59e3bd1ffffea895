import type { JsonObject } from '../../../pipelines/text/json-fields.ts'
import { Quarantined } from '../../../pipelines/venues/quarantine.ts'
import { withoutMark } from '../lines.ts'

/**
 * Parses JSON for its shape and texts alone: its numbers are doubles and are never kept.
 * @throws Quarantined BAD_JSON
 */
export function jsonDocument(text: string): unknown {
  const json = withoutMark(text)
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new Quarantined('BAD_JSON', adviceOn(String(error), json))
  }
}

/** Says what to do with a text that is not JSON; undefined where the reason says it. */
function adviceOn(error: string, json: string): string | undefined {
  if (/after JSON/.test(error)) {
    return 'more text after a JSON value: write each value on a line of its own, as jq -c . FILE does, into a file NAME.jsonl'
  }
  if (/(?<=[[:,]\s*)-?(?:NaN|Infinity)\b/.test(json)) {
    return 'NaN or Infinity, which JSON does not have: write null instead, as json.dumps(..., allow_nan=False) demands'
  }
  const place = /at position (\d+)/.exec(error)?.[1]
  const is_cut =
    /Unexpected end|Unterminated/.test(error) || (place !== undefined && Number(place) >= json.trimEnd().length)
  return is_cut
    ? 'JSON that ends too early: get it again, or leave it out if its recorder was ended while it wrote'
    : undefined
}

/** Returns the value as an object. @throws Quarantined UNKNOWN_SHAPE */
export function jsonObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value
}

/** Type guard for an object that is not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a text is XML or HTML, behind a mark or not. */
export function isMarkup(text: string): boolean {
  return /^\ufeff?\s*</.test(text)
}
