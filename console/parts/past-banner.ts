import { useCell } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { go, route } from '../data/route.ts'
import { html } from '../html.ts'

/** Banner on every view that shows the past, with a button back to now. */
export function PastBanner() {
  const { as_of } = useCell(route)
  if (as_of === null) return null
  return html`<div class="past" role="status">
    <p><b>As of ${showInstant(as_of)} UTC.</b> Later publications are hidden and values do not update.</p>
    <button type="button" onClick=${() => go({ as_of: null, observation_id: null })}>Back to now</button>
  </div>`
}
