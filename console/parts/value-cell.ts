import { groupDigits } from '../data/decimal-text.ts'
import { html } from '../html.ts'

/** Table cell with all digits of a decimal; null is a dash, never 0. */
export function ValueCell({ text }: { text: string | null }) {
  return html`<td class="number">${text === null ? html`<span class="none">–</span>` : groupDigits(text)}</td>`
}
