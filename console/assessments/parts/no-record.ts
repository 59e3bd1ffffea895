import { html } from '../../html.ts'

/** Said where no record is in force: why, and nothing that a record would say. */
export function NoRecord({ reason_codes }: { reason_codes: readonly string[] }) {
  return html`<p class="quiet">No record is in force: <span class="codes">${reason_codes.join(', ')}</span></p>`
}
