import { takesEffectAt } from '../../pipelines/governance/due.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { differencesFromBase, reasonOfVote } from '../../pipelines/governance/proposal-detail.ts'
import { proposalRecord } from '../../pipelines/governance/proposal-record.ts'
import { seatsOfState } from '../../pipelines/governance/seats.ts'
import { vetoedBefore } from '../../pipelines/governance/vetoed-before.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type {
  GovernanceAct,
  Proposal as ProposalResource,
  ProposalWithHistory,
} from '../../protocol/resources/governance.ts'
import { compareShown, type Facts } from './compare-shown.ts'
import type { ReplayedGovernance } from './replay-acts.ts'
import type { Findings } from './report.ts'

/** Proposal as a list and its own page show it; null: there is no such page, or it cannot be read. */
export type ShownProposal = { readonly listed: ProposalResource; readonly detail: ProposalWithHistory | null }

/** Acts of proposals, in two forms: as they are served, and what follows from them. */
type Decided = { readonly acts: readonly GovernanceAct[]; readonly replayed: ReplayedGovernance }

const SOURCE = 'the acts'

/**
 * Compares every state of every proposal with what follows from the acts. The newest one is also shown in the list, and with seats,
 * differences and reasons in its detail.
 */
export function checkProposals(shown: readonly ShownProposal[], decided: Decided, findings: Findings): void {
  const { history } = decided.replayed
  const by_id = new Map(shown.map((one) => [one.listed.proposal_id, one]))
  const records = [...history.values()].flatMap((states) => {
    const last = states.at(-1)!
    return [proposalRecord(last.proposal, last.act_id)]
  })
  for (const id of new Set([...history.keys(), ...by_id.keys()])) {
    const [one, states] = [by_id.get(id), history.get(id) ?? []]
    const wanted = states.map(({ proposal, act_id }) => proposalRecord(proposal, act_id))
    const served = one?.detail?.history ?? []
    findings.count('decisions', Math.max(served.length, wanted.length))
    const detail = one?.detail ?? null
    if (one === undefined || detail === null || served.length !== wanted.length) {
      const message = `${served.length} records are served, ${wanted.length} follow from the acts`
      findings.fail('decisions', id, message)
      continue
    }
    served.forEach(({ published_at: _in_log, ...state }, n) => {
      const subject = `${id}, record ${n + 1}`
      compareShown({ check: 'decisions', subject }, state, { facts: wanted[n]!, source: SOURCE }, findings)
    })
    compareNewest(
      { listed: one.listed, detail },
      { proposal: states.at(-1)!.proposal, record: wanted.at(-1)!, records },
      decided,
      findings,
    )
  }
}

type WithDetail = Omit<ShownProposal, 'detail'> & { readonly detail: ProposalWithHistory }
type Newest = {
  readonly proposal: Proposal
  readonly record: ReturnType<typeof proposalRecord>
  /** Newest records of all proposals. */
  readonly records: readonly ReturnType<typeof proposalRecord>[]
}

/** Compares the list and the detail of a proposal with its newest state; the log has the instant of its publication. */
function compareNewest({ listed, detail }: WithDetail, newest: Newest, decided: Decided, findings: Findings): void {
  const { published_at } = detail.history.at(-1)!
  const id = newest.record.proposal_id
  const facts: Facts = { ...newest.record, published_at }
  compareShown({ check: 'decisions', subject: `${id} in the list` }, listed, { facts, source: SOURCE }, findings)
  const { history: _compared, ...page } = detail
  const wanted = { facts: { ...facts, ...detailOf(newest, published_at, decided) }, source: SOURCE }
  compareShown({ check: 'decisions', subject: `${id} in its detail` }, page, wanted, findings)
}

/** Returns the fields that only the detail of a proposal has. */
function detailOf({ proposal, record, records }: Newest, published_at: string, { acts, replayed }: Decided): Facts {
  const at = takesEffectAt(proposal)
  return {
    votes: record.votes.map((vote) => ({ ...vote, reason: reasonOfVote(record.proposal_id, vote, acts) })),
    ...seatsOfState({ ...proposal, published_at: toMicros(published_at, 'published_at') }, replayed.state),
    takes_effect_at: at === null ? null : formatMicros(at),
    vetoed_before: vetoedBefore(proposal, replayed.state.proposals.values()),
    diff: differencesFromBase(record, records),
  }
}
