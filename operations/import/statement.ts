import { readFileSync } from 'node:fs'

export type KnownStatement =
  | 'known_quotes'
  | 'known_books'
  | 'known_trades'
  | 'known_resolutions'
  | 'known_markets'
  | 'known_events'
  | 'known_hazards'
  | 'known_metrics'
  | 'known_eligibility'
  | 'known_payloads'

/** The text of operations/import/sql/<name>.sql. */
export function statement(name: KnownStatement): string {
  return readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8')
}
