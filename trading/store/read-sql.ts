import { readFileSync } from 'node:fs'

/** Returns the text of a statement of trading/store/sql. */
export function readSql(name: string): string {
  return readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8')
}

/** Returns a statement that each connection prepares once. */
export function prepared(name: string): { readonly name: string; readonly text: string } {
  return { name, text: readSql(name) }
}
