import type { Api } from '../data/api-client.ts'
import { html } from '../html.ts'
import { AssessmentNav } from './lists/assessment-nav.ts'
import { EventList } from './views/event-list.ts'
import { EventPage } from './views/event-page.ts'
import { SeverityIndexes } from './views/severity-indexes.ts'

/** Events with their severity, and the severity indexes. */
export default function EventsPage({ api, event_id }: { api: Api; event_id: string | null }) {
  if (event_id !== null) return html`<${EventPage} key=${event_id} api=${api} event_id=${event_id} />`
  return html`<h1>Events</h1><${AssessmentNav} />
    <${EventList} api=${api} />
    <${SeverityIndexes} api=${api} />`
}
