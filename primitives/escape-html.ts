import { plainLines } from './plain-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text as it may stand between tags and in quoted attributes; control characters and marks that turn its order are replaced. */
export function escapeHtml(text: string): string {
  return plainLines(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}
