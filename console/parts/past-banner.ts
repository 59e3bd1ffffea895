import { useCell } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { go, route } from '../data/route.ts'
import { html } from '../html.ts'

/** Says on every view that it is of the past, and leads back. */
export function PastBanner() {
  const { as_of } = useCell(route)
  if (as_of === null) return null
  return html`<div class="past" role="status">
    <p><b>As known at ${showInstant(as_of)} UTC.</b> Nothing published later is shown, and nothing moves.</p>
    <button type="button" onClick=${() => go({ as_of: null, observation_id: null })}>Back to now</button>
  </div>`
}
