import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'

/** Views of governance, by their name in the address. */
const VIEWS = [
  ['governance', 'Proposals'],
  ['roster', 'Roster'],
  ['policy', 'Policy'],
  ['notices', 'Notices'],
  ['calendar', 'Calendar'],
  ['restatements', 'Restatements'],
  ['complaints', 'Complaints'],
  ['rules', 'Market rules'],
  ['eligibility', 'Eligibility'],
  ['log', 'Log'],
] as const

/** Links between the views of governance. */
export function GovernanceNav() {
  const shown = useCell(route)
  return html`<nav class="views" aria-label="Governance">
    ${VIEWS.map(
      ([view, name]) =>
        html`<a key=${view} href=${linkTo(shown, { view })} aria-current=${shown.view === view ? 'page' : null}>${name}</a>`,
    )}
  </nav>`
}
