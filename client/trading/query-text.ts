import { checkQuery } from '../given.ts'

/** Query parameters; undefined ones are left out, the items of a list are joined by commas. */
export type PrivateQuery = Readonly<Record<string, string | readonly string[] | number | boolean | null | undefined>>

/**
 * Encodes a query by RFC 3986 (a space is %20), so the signed text is the one sent.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: a value has no one text
 */
export function queryText(query: PrivateQuery): string {
  checkQuery(query)
  return Object.entries(query)
    .flatMap(([name, value]) => (value == null ? [] : [`${encode(name)}=${encode(String(value))}`]))
    .join('&')
}

/** Encodes also the five characters reserved by RFC 3986 that `encodeURIComponent` leaves. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
