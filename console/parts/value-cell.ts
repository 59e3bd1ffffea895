import { groupDigits } from '../data/decimal-text.ts'
import { html } from '../html.ts'

/** A decimal with all its digits, in a table; null is a dash, and no zero. */
export function ValueCell({ text }: { text: string | null }) {
  return html`<td class="number">${text === null ? html`<span class="none">–</span>` : groupDigits(text)}</td>`
}
