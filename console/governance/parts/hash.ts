import { html } from '../../html.ts'

/** A hash or id in full, which wraps; null reads "none". */
export function Hash({ text }: { text: string | null }) {
  return text === null ? html`<span class="none">none</span>` : html`<code class="hash">${text}</code>`
}
