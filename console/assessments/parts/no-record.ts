import { html } from '../../html.ts'

/** Note in place of a missing record, with the reason codes. */
export function NoRecord({ reason_codes }: { reason_codes: readonly string[] }) {
  return html`<p class="quiet">No current record: <span class="codes">${reason_codes.join(', ')}</span></p>`
}
