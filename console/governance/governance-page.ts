import type { Api } from '../data/api-client.ts'
import { html } from '../html.ts'
import { LogView } from '../log/log-view.ts'
import { GovernanceNav } from './parts/governance-nav.ts'
import { CalendarView } from './views/calendar-view.ts'
import { NoticeList } from './views/notice-list.ts'
import { PolicyPage } from './views/policy-page.ts'
import { ProposalList } from './views/proposal-list.ts'
import { ProposalPage } from './views/proposal-page.ts'
import { RosterPage } from './views/roster-page.ts'

/** Views of governance: proposals, roster, policy, notices, calendar, and the log. */
export default function GovernancePage({
  api,
  view,
  proposal_id,
}: {
  api: Api
  view: string
  proposal_id: string | null
}) {
  if (view === 'roster') return html`<h1>Roster</h1><${GovernanceNav} /><${RosterPage} api=${api} />`
  if (view === 'policy') return html`<h1>Policy</h1><${GovernanceNav} /><${PolicyPage} api=${api} />`
  if (view === 'notices') return html`<h1>Notices</h1><${GovernanceNav} /><${NoticeList} api=${api} />`
  if (view === 'calendar') return html`<h1>Calendar</h1><${GovernanceNav} /><${CalendarView} api=${api} />`
  if (view === 'log') return html`<h1>Log</h1><${GovernanceNav} /><${LogView} />`
  if (proposal_id !== null) return html`<${ProposalPage} key=${proposal_id} api=${api} proposal_id=${proposal_id} />`
  return html`<h1>Governance</h1><${GovernanceNav} /><${ProposalList} api=${api} />`
}
