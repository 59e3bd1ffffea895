import { checkQuery } from '../given.ts'

/** Query parameters; undefined ones are left out, the items of a list are joined by commas. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>

/**
 * Returns the query with its question mark; empty without parameters.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: a value has no one text
 */
export function queryText(query: Query): string {
  checkQuery(query)
  const given = Object.entries(query).flatMap(([name, value]) =>
    value == null ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
