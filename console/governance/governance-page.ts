import type { FunctionComponent } from 'preact'
import type { Api } from '../data/api-client.ts'
import { useCell } from '../data/hooks.ts'
import { type Route, route } from '../data/route.ts'
import { GOVERNANCE_VIEWS, type GovernanceView } from '../data/views.ts'
import { html } from '../html.ts'
import { LogView } from '../log/log-view.ts'
import { GovernanceNav } from './parts/governance-nav.ts'
import { CalendarView } from './views/calendar-view.ts'
import { ComplaintList } from './views/complaint-list.ts'
import { ComplaintPage } from './views/complaint-page.ts'
import { IndexEligibilityPage } from './views/index-eligibility-page.ts'
import { MarketEligibilityPage } from './views/market-eligibility-page.ts'
import { MarketRulesPage } from './views/market-rules-page.ts'
import { NoticeList } from './views/notice-list.ts'
import { PolicyList } from './views/policy-list.ts'
import { PolicyPage } from './views/policy-page.ts'
import { ProposalList } from './views/proposal-list.ts'
import { ProposalPage } from './views/proposal-page.ts'
import { RestatementList } from './views/restatement-list.ts'
import { RestatementPage } from './views/restatement-page.ts'
import { RosterPage } from './views/roster-page.ts'
import { RuleList } from './views/rule-list.ts'

type Viewed = FunctionComponent<{ api: Api }>

const LISTS: Readonly<Record<GovernanceView, Viewed>> = {
  governance: ProposalList,
  roster: RosterPage,
  policy: PolicyPage,
  notices: NoticeList,
  calendar: CalendarView,
  restatements: RestatementList,
  complaints: ComplaintList,
  rules: RuleList,
  eligibility: PolicyList,
  log: LogView as Viewed,
}

/** Views of governance: proposals, roster, policy, notices, calendar, restatements, complaints, rules, eligibility, and the log. */
export default function GovernancePage({ api, view }: { api: Api; view: GovernanceView }) {
  const record = recordView(useCell(route), api)
  if (record !== null) return record
  return html`<h1>${GOVERNANCE_VIEWS[view]}</h1><${GovernanceNav} /><${LISTS[view]} api=${api} />`
}

/** Returns the view of the one record that the address names; null: it names none. */
function recordView({ view, proposal_id, complaint_id, market_id, index_id }: Route, api: Api) {
  if (view === 'complaints' && complaint_id !== null)
    return html`<${ComplaintPage} key=${complaint_id} api=${api} complaint_id=${complaint_id} />`
  if (view === 'restatements' && proposal_id !== null)
    return html`<${RestatementPage} key=${proposal_id} api=${api} proposal_id=${proposal_id} />`
  if (view === 'rules' && market_id !== null)
    return html`<${MarketRulesPage} key=${market_id} api=${api} market_id=${market_id} />`
  if (view === 'eligibility' && market_id !== null)
    return html`<${MarketEligibilityPage} key=${market_id} api=${api} market_id=${market_id} />`
  if (view === 'eligibility' && index_id !== null)
    return html`<${IndexEligibilityPage} key=${index_id} api=${api} index_id=${index_id} />`
  if (view === 'governance' && proposal_id !== null)
    return html`<${ProposalPage} key=${proposal_id} api=${api} proposal_id=${proposal_id} />`
  return null
}
