import type { JsonObject } from '../../../pipelines/text/json-fields.ts'
import { Quarantined } from '../../../pipelines/venues/quarantine.ts'

/**
 * Parses JSON for its shape and texts alone: its numbers are doubles and are never kept.
 * @throws Quarantined BAD_JSON
 */
export function jsonDocument(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch (error) {
    throw isCut(error) ? new Quarantined('BAD_JSON', CUT) : new Quarantined('BAD_JSON')
  }
}

const CUT = 'JSON that ends too early: get it again, or leave it out if its recorder was ended while it wrote'

function isCut(error: unknown): boolean {
  return error instanceof SyntaxError && /^(?:Unexpected end of|Unterminated)/.test(error.message)
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
