import { readFileSync } from 'node:fs'
import { invariant } from '../../primitives/errors.ts'

const TEXTS = new Map<string, string>()

/**
 * Returns the text of an SQL file without its header.
 * @param module_url `import.meta.url` of the caller
 * @param path       the file as the caller sees it: `sql/rating_books.sql`
 * @param slots      text for each `{{slot}}` of the file: relations and literals, which parameters cannot express
 * @throws           (a bug) a slot without a text, or a text without a slot
 */
export function readSql(module_url: string, path: string, slots: Readonly<Record<string, string>> = {}): string {
  const used = new Set<string>()
  const text = sqlText(new URL(path, module_url)).replaceAll(/\{\{(\w+)\}\}/g, (_, slot: string) => {
    const value = slots[slot]
    invariant(value !== undefined, `${path}: no text for {{${slot}}}`)
    used.add(slot)
    return value
  })
  const unused = Object.keys(slots).filter((slot) => !used.has(slot))
  invariant(unused.length === 0, `${path}: no slot for ${unused.join(', ')}`)
  return text
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
  const text = readFileSync(file, 'utf8')
    .replaceAll(/^--.*\n/gm, '')
    .trim()
  TEXTS.set(file.href, text)
  return text
}
