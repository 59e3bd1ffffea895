import { readFileSync } from 'node:fs'
import { fillSlots, fillWords, type Slots } from '../../primitives/fill-slots.ts'
import { SQL_SETS } from '../../vocabulary/sql-sets.ts'

const TEXTS = new Map<string, string>()

/**
 * Returns the text of an SQL file without its header.
 * @param module_url `import.meta.url` of the caller
 * @param path       the file as the caller sees it: `sql/rating_books.sql`
 * @param slots      text for each `{{slot}}` of the file that is no set of words
 * @throws           (a bug) a slot without a text, or a text without a slot
 */
export function readSql(module_url: string, path: string, slots: Slots = {}): string {
  return fillSlots(path, sqlText(new URL(path, module_url)), slots)
}

/** Returns a column or relation name as SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns a text as an SQL literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The header comment names the slots, so it goes before they are filled in. */
function sqlText(file: URL): string {
  const known = TEXTS.get(file.href)
  if (known !== undefined) return known
  const text = fillWords(readFileSync(file, 'utf8').replaceAll(/^--.*\n/gm, ''), SQL_SETS).trim()
  TEXTS.set(file.href, text)
  return text
}
