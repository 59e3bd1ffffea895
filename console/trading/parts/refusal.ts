import type { ApiError } from '../../data/api-error.ts'
import { html } from '../../html.ts'

/** A rejected request: sentence, code, violations, and the facts of its signature. */
export function Refusal({ error, live = true }: { error: ApiError; live?: boolean }) {
  const violations = error.fields?.field_violations ?? []
  const facts = FACTS.flatMap((name) => {
    const value = error.fields?.[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return html`<div class="refusal" role=${live ? 'alert' : undefined}>
    <p>${error.message}</p>
    ${violations.length > 0 && html`<ul>${violations.map(({ field, code, message }) => html`<li key=${field}><code>${field}</code> ${message} <span class="codes">${code}</span></li>`)}</ul>`}
    ${facts.length > 0 && html`<ul>${facts.map(([name, value]) => html`<li key=${name}>${name} <code class="hash">${value}</code></li>`)}</ul>`}
    <p class="small">
      ${error.request_id === null ? html`<code>${error.code}</code>` : html`<a href=${`/docs/errors/${error.code}`} target="_blank" rel="noopener"><code>${error.code}</code></a>`}
      ${error.request_id !== null && html`, request <code class="hash">${error.request_id}</code>`}
    </p>
  </div>`
}

const FACTS = ['expected_signer', 'recovered_signer', 'first_differing_field', 'digest'] as const
