import { readFileSync } from 'node:fs'
import { fillSlots, fillWords, type Slots } from '../../primitives/fill-slots.ts'
import { SQL_SETS } from '../../vocabulary/sql-sets.ts'

const TEXTS = new Map<string, string>()
const OWN_FOLDER = new URL('./sql/', import.meta.url)

/**
 * Returns the text of a statement.
 * @param folder of the caller's statements
 * @param slots  text for each slot of the file that is no set of words
 */
export function readSql(name: string, folder = OWN_FOLDER, slots: Slots = {}): string {
  const path = `${folder.href}${name}.sql`
  const text = TEXTS.get(path) ?? fillWords(readFileSync(new URL(path), 'utf8'), SQL_SETS)
  TEXTS.set(path, text)
  return fillSlots(path, text, slots)
}

/** Returns a statement that each connection prepares once. */
export function prepared(name: string): { readonly name: string; readonly text: string } {
  return { name, text: readSql(name) }
}
