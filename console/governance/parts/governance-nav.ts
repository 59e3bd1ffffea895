import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { GOVERNANCE_VIEWS } from '../../data/views.ts'
import { html } from '../../html.ts'

/** Names of the links; the view of governance itself lists the proposals. */
const NAMES = Object.entries({ ...GOVERNANCE_VIEWS, governance: 'Proposals' })

/** Links between the views of governance. */
export function GovernanceNav() {
  const shown = useCell(route)
  return html`<nav class="views" aria-label="Governance">
    ${NAMES.map(
      ([view, name]) =>
        html`<a key=${view} href=${linkTo(shown, { view })} aria-current=${shown.view === view ? 'page' : null}>${name}</a>`,
    )}
  </nav>`
}
