import { escapeHtml } from '../primitives/escape-html.ts'
/** HTML or SVG that was made by `markup`, so that nothing in it is unescaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type MarkupValue = string | number | null | Markup | readonly MarkupValue[]

/**
 * A template of HTML or SVG: every text put into it is escaped, markup stays as it is, null is nothing and lists are joined.
 * Attributes must be written in quotes.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(parts.reduce((text, part, i) => text + render(values[i - 1]!) + part))
}

/** A text of ours that is already markup: style sheets, scripts. */
export function trusted(text: string): Markup {
  return new Markup(text)
}

function render(value: MarkupValue): string {
  if (value === null) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'string') return escapeHtml(value)
  return typeof value === 'number' ? String(value) : value.map(render).join('')
}
