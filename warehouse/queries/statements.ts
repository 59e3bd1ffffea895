import { readFileSync } from 'node:fs'

const TEXTS = new Map<string, string>()

/** The text of warehouse/sql/<name>.sql; its parameters are named in its header. */
export function statement(name: string): string {
  const known = TEXTS.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8')
  TEXTS.set(name, text)
  return text
}
