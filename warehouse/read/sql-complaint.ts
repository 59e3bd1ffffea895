import { nearestWord } from '../../primitives/nearest-word.ts'

/** Most names that a complaint lists. */
const LISTED_MAX = 8

/**
 * Shortens a message of DuckDB to its first line, which names kind and cause, and adds the name that was probably meant. The rest
 * of the message points into the statement. Pure.
 */
export function sqlComplaint(message: string): string {
  const [first = ''] = message.split('\n')
  const cause = first.trim().replace(/[.!]$/, '')
  const hint = hintOf(cause, message)
  return hint === null ? cause : `${cause} (${hint})`
}

/** Names that every DuckDB has; no statement may read them. */
const CATALOGUE = /^"?(pg_|duckdb_|sqlite_|pragma_|information_schema)/i

function hintOf(cause: string, message: string): string | null {
  const [, suggested] = /^Did you mean "([^"]+)"/m.exec(message) ?? []
  if (suggested !== undefined) return CATALOGUE.test(suggested) ? null : `did you mean ${suggested}?`
  const [, bindings] = /^Candidate bindings: (.*)$/m.exec(message) ?? []
  const names = [...(bindings ?? '').matchAll(/"([^"]+)"/g)].map(([, name]) => name!.split('.').at(-1)!)
  if (names.length === 0) return null
  const wrong = /column named "([^"]+)"/.exec(cause)?.[1] ?? /"([^"]+)"/.exec(cause)?.[1] ?? ''
  const nearest = nearestWord(wrong.toLowerCase(), names)
  return nearest === null ? `candidates: ${names.slice(0, LISTED_MAX).join(', ')}` : `did you mean ${nearest}?`
}
