import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'

const VIEWS = [
  ['events', 'Events'],
  ['severity', 'Severity assessments'],
  ['ratings', 'Market ratings'],
  ['review', 'Review queue'],
] as const

/** Links between the views of events, ratings and severity. */
export function AssessmentNav() {
  const shown = useCell(route)
  return html`<nav class="views" aria-label="Assessments">
    ${VIEWS.map(
      ([view, name]) =>
        html`<a key=${view} href=${linkTo(shown, { view })} aria-current=${shown.view === view ? 'page' : null}>${name}</a>`,
    )}
  </nav>`
}
