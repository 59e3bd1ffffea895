import { ASSESSMENT_TYPES, type AssessmentType } from '../../vocabulary/severity.ts'
import { Level } from '../assessments/parts/grade.ts'
import { useSeverity } from '../assessments/use-severity.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { useCell } from '../data/hooks.ts'
import { showMinute } from '../data/instant-text.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { ErrorNote, Loading } from '../parts/notes.ts'

/** Severity of the event that a market is about; it says nothing about the quality of the market. */
export default function SeverityNote({ api, event_id }: { api: Api; event_id: string }) {
  const shown = useCell(route)
  return html`<section aria-labelledby="severity-title">
    <div class="section-head"><h2 id="severity-title">Severity of its event</h2><span class="quiet">impact in the world, apart from the rating of the market · <a href=${linkTo(shown, { view: 'events', event_id })}>event</a></span></div>
    ${ASSESSMENT_TYPES.map((type) => html`<${Series} key=${type} api=${api} event_id=${event_id} type=${type} />`)}
  </section>`
}

function Series({ api, event_id, type }: { api: Api; event_id: string; type: AssessmentType }) {
  const { read } = useSeverity(api, event_id, type)
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Severity" />`
  if (read.state === 'loading') return html`<${Loading} what="severity" />`
  const { level, score, assessment_id, effective_from } = read.data
  return html`<p class=${`grade-line severity is-${type}`}><span class="quiet">${type}</span> ${assessment_id === null ? html`<span class="none">not assessed</span>` : html`<${Level} level=${level} />`}${score !== null && html` <span class="quiet">score</span> <b>${groupDigits(score)}</b>`}${effective_from !== null && html` <span class="quiet">since ${showMinute(effective_from)} UTC</span>`}</p>`
}
