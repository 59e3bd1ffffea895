import { invariant } from '../../primitives/errors.ts'

/** Replaces what stands between `<!-- generated: name -->` and `<!-- end: name -->`; the rest stays as written by hand. */
export function fillSection(document: string, name: string, body: string): string {
  const open = `<!-- generated: ${name} -->`
  const close = `<!-- end: ${name} -->`
  const start = document.indexOf(open)
  const end = document.indexOf(close)
  invariant(start >= 0 && end > start, `the document has no section ${open} ... ${close}`)
  return `${document.slice(0, start + open.length)}\n${body.trim()}\n${document.slice(end)}`
}
