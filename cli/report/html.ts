const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/** A table; null is shown as a dash. */
export function htmlTable(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = (tag: string, values: readonly (string | number | null)[]) =>
    values.map((value) => `<${tag}>${value === null ? '–' : escapeHtml(String(value))}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')
  return `<table>\n<tr>${cells('th', head)}</tr>\n${body}\n</table>`
}
