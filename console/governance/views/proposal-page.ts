import type { GovernanceAct, ProposalWithHistory } from '../../../protocol/resources/governance.ts'
import { type Api, urlOf } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import { type Fact, Facts } from '../../parts/facts.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { actRows } from '../model/act-rows.ts'
import { deadlineOf, showRemaining } from '../model/deadline.ts'
import { minuteOf, spoken } from '../model/words.ts'
import { ActTable } from '../parts/act-table.ts'
import { Hash } from '../parts/hash.ts'
import { StateBadge } from '../parts/state-badge.ts'
import { getProposal, listActs } from '../reads.ts'
import { useServiceClock } from '../use-service-clock.ts'
import { ContentSection } from './content-section.ts'
import { ImpactSection } from './impact-section.ts'
import { RemarkSection } from './remark-section.ts'
import { VoteSection } from './vote-section.ts'

/** Interval of reads while the page shows the present. */
const AGAIN_MS = 60_000

type Whole = { readonly proposal: ProposalWithHistory; readonly acts: readonly GovernanceAct[] }

/** One proposal: what it changes and would do, who has signed, what was said, and every act on it. */
export function ProposalPage({ api, proposal_id }: { api: Api; proposal_id: string }) {
  const shown = useCell(route)
  const now = useNow(AGAIN_MS)
  const load = async (signal: AbortSignal): Promise<Whole> => {
    const [proposal, acts] = await Promise.all([
      getProposal(api, proposal_id, signal),
      listActs(api, proposal_id, signal),
    ])
    return { proposal, acts }
  }
  const read = useLoaded(`proposal ${proposal_id} ${api.as_of}`, load, api.as_of === null ? now : null)
  const place = html`<p class="kind"><a href=${linkTo(shown, { view: 'governance' })}>Proposals</a> / proposal</p>`
  if (read.state === 'failed')
    return html`${place}<h1>Proposal</h1><${ErrorNote} error=${read.error} what="Proposal" />`
  if (read.state === 'loading') return html`${place}<h1>Proposal</h1><${Loading} what="proposal" />`
  const { proposal, acts } = read.data
  const rows = actRows(proposal, acts)
  return html`${place}
    <h1>Proposal: ${spoken(proposal.kind)} ${proposal.target !== proposal.kind && html`<code>${proposal.target}</code>`}</h1>
    <p>${proposal.rationale}</p>
    <${Standing} api=${api} proposal=${proposal} />
    <${ContentSection} proposal=${proposal} />
    <${ImpactSection} api=${api} proposal=${proposal} />
    <${VoteSection} proposal=${proposal} rows=${rows} />
    <${RemarkSection} rows=${rows} />
    <${ActTable} rows=${rows} />`
}

/** State, deadline and facts, with the proof of the newest state. */
function Standing({ api, proposal }: { api: Api; proposal: ProposalWithHistory }) {
  const { proposal_id, state, reason, revision } = proposal
  const deadline = deadlineOf(proposal)
  const clock = useServiceClock(api)
  return html`<p class="beside"><${StateBadge} state=${state} />
      ${reason !== null && html` <span class="codes">${reason}</span>`}
      ${deadline !== null && html` <b>${deadline.what} ${showRemaining(deadline.at, clock.now_ms)}</b> <span class="quiet">${minuteOf(deadline.at)} UTC, ${clock.whose}</span>`}
    </p>
    <${Facts} facts=${factsOf(api, proposal)} />
    <${InclusionCheck} path=${`/governance/proposals/${proposal_id}/proof`} query=${{ revision }} record=${proposal} subject="this state of the proposal" />`
}

function factsOf({ as_of }: Api, one: ProposalWithHistory): readonly Fact[] {
  const instant = (text: string | null) => (text === null ? null : `${showInstant(text)} UTC`)
  const address = urlOf(`/governance/proposals/${one.proposal_id}`, as_of === null ? {} : { as_of })
  return [
    ['Class', html`${one.change_class}${one.emergency !== null && html` <span class="codes">${one.emergency}</span>`}`],
    ['Proposed by', one.proposed_by],
    ['Proposed', instant(one.proposed_at)],
    ['Comments until', instant(one.comment_ends_at)],
    ['Vote until', one.vote_ends_at === null ? 'it is carried' : instant(one.vote_ends_at)],
    ['Effective', instant(one.takes_effect_at)],
    ['Expires', instant(one.expires_at)],
    ['Lapses', instant(one.lapses_at)],
    ['Replaces', html`<${Hash} text=${one.base_hash} />`],
    ['Impact digest', html`<${Hash} text=${one.impact_digest} />`],
    ['Vetoed before', one.vetoed_before.length === 0 ? null : one.vetoed_before.join(', ')],
    [
      'Record',
      html`<a href=${address} target="_blank" rel="noopener"><code class="hash">${one.proposal_id}</code></a>`,
    ],
  ]
}
