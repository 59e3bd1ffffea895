import { html } from '../../html.ts'
import { reasonText } from '../model/eligibility-words.ts'

/** Reason codes of a decision, each with its words. */
export function ReasonList({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return html`<span class="none">none</span>`
  return html`<ul class="keys">${codes.map((code) => html`<li key=${code} class="codes">${reasonText(code)}</li>`)}</ul>`
}
