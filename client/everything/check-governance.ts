import {
  type Adopted,
  type PolicyDocument,
  type RosterDocument,
  shownPolicy,
  shownRoster,
} from '../../pipelines/governance/documents.ts'
import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type {
  GovernanceAct,
  Policy,
  Proposal as ProposalResource,
  ProposalWithHistory,
  Roster,
} from '../../protocol/resources/governance.ts'
import type { PublicApi } from '../http/public-api.ts'
import { orUnreadable } from './answer-errors.ts'
import { checkProposals, type ShownProposal } from './check-proposals.ts'
import { compareShown, type Facts } from './compare-shown.ts'
import { type ReplayedGovernance, replayActs } from './replay-acts.ts'
import { createFindings, type Findings } from './report.ts'

/** Records of governance as they are served. */
export type ServedGovernance = {
  readonly rosters: readonly Roster[]
  readonly policies: readonly Policy[]
  readonly acts: readonly GovernanceAct[]
  /** Every state of every proposal. */
  readonly states: readonly ProposalResource[]
}

const CHECKS = ['roster_chain', 'policy_chain', 'act_signatures', 'acts', 'decisions'] as const

/**
 * Verifies the records of governance as of an instant: the chains of rosters and policies, every act, and what follows from the acts.
 * @param root_hash  record_hash of a roster that is trusted; null: none
 */
export async function checkGovernance(
  api: PublicApi,
  { as_of, root_hash }: { readonly as_of: string; readonly root_hash: string | null },
  findings: Findings,
): Promise<{ readonly served: ServedGovernance; readonly replayed: ReplayedGovernance }> {
  const read = await readGovernance(api, as_of)
  const { served } = read
  const { rosters, policies, acts } = served
  if (acts.length === 0 && rosters.length === 0)
    for (const check of CHECKS) findings.skip(check, 'the deployment has no roster: nothing in it is governed')
  checkChain('roster_chain', rosters, findings)
  checkChain('policy_chain', policies, findings)
  checkRoot(rosters, root_hash, findings)
  const replayed = replayActs(acts, findings)
  if (findings.hasFailed('acts') || findings.hasFailed('act_signatures'))
    findings.skip('decisions', 'an act does not verify, so nothing follows from the acts')
  else checkDecisions(read, replayed, findings)
  return { served, replayed }
}

type ReadGovernance = { readonly served: ServedGovernance; readonly shown: readonly ShownProposal[] }

async function readGovernance(api: PublicApi, as_of: string): Promise<ReadGovernance> {
  const acts = await api.list<GovernanceAct>('/governance/acts', { outcome: 'recorded', as_of })
  const proposals = await api.list<ProposalResource>('/governance/proposals', { as_of })
  const shown = await Promise.all(
    proposals.map(async (listed) => {
      const path = `/governance/proposals/${listed.proposal_id}`
      return { listed, detail: await orUnreadable(api.find<ProposalWithHistory>(path, { as_of })) }
    }),
  )
  const served = {
    acts,
    states: shown.flatMap(({ detail }) => detail?.history ?? []),
    rosters: await versionsOf<Roster>(api, '/governance/roster', as_of),
    policies: await versionsOf<Policy>(api, '/governance/policy', as_of),
  }
  return { served, shown }
}

async function versionsOf<T>(api: PublicApi, path: string, as_of: string): Promise<readonly T[]> {
  const versions: T[] = []
  for (;;) {
    const found = await orUnreadable(api.find<T>(path, { version: versions.length + 1, as_of }))
    if (found === null) return versions
    versions.push(found)
  }
}

/** Returns the governance of a service that could not be read: nothing is known. */
export function unknownGovernance(): Awaited<ReturnType<typeof checkGovernance>> {
  return { served: { rosters: [], policies: [], acts: [], states: [] }, replayed: replayActs([], createFindings()) }
}

/** Checks that each document has the hash of its text, and names the one before it. */
function checkChain(
  check: 'roster_chain' | 'policy_chain',
  documents: readonly (Roster | Policy)[],
  findings: Findings,
): void {
  documents.forEach(({ version, record_hash, previous_hash, signed_content }, n) => {
    const before = documents[n - 1]?.record_hash ?? null
    const document = documentIn(signed_content)
    findings.count(check)
    const subject = `version ${version}`
    if (sha256Hex(signed_content) !== record_hash) findings.fail(check, subject, 'record_hash is not that of the text')
    else if (document === null) findings.fail(check, subject, 'signed_content is not the RFC 8785 form of a document')
    else if (version !== n + 1 || document.version !== version)
      findings.fail(check, subject, `it is the document of version ${document.version} at place ${n + 1}`)
    else if (previous_hash !== before || document.previous_hash !== before)
      findings.fail(
        check,
        subject,
        `previous_hash is ${document.previous_hash ?? 'none'}, the one before has ${before ?? 'none'}`,
      )
  })
}

type Chained = { readonly version: number; readonly previous_hash: string | null }

/** Parses the text of a document; null: it is not in RFC 8785 form, so a key may be doubled. */
function documentIn(signed_content: string): Chained | null {
  try {
    const document: unknown = JSON.parse(signed_content)
    return isObject(document) && canonicalJson(document) === signed_content ? (document as unknown as Chained) : null
  } catch {
    return null
  }
}

function checkRoot(rosters: readonly Roster[], root_hash: string | null, findings: Findings): void {
  if (root_hash === null) findings.skip('roster_chain', 'no --root-hash: the first roster is trusted as it is served')
  else if (!rosters.some(({ record_hash }) => record_hash === root_hash))
    findings.fail('roster_chain', 'root', `no roster has the record_hash ${root_hash}`)
}

/** Compares the published records with what follows from the acts. */
function checkDecisions({ served, shown }: ReadGovernance, replayed: ReplayedGovernance, findings: Findings): void {
  const { rosters, policies } = replayed.state
  compareAdopted('roster', served.rosters, rosters, findings)
  compareAdopted('policy', served.policies, policies, findings)
  checkProposals(shown, { acts: served.acts, replayed }, findings)
}

function compareAdopted(
  subject: 'roster' | 'policy',
  shown: readonly (Roster | Policy)[],
  wanted: readonly Adopted<RosterDocument | PolicyDocument>[],
  findings: Findings,
): void {
  findings.count('decisions', Math.max(shown.length, wanted.length))
  if (shown.length !== wanted.length)
    findings.fail('decisions', subject, `${shown.length} records are served, ${wanted.length} follow from the acts`)
  else
    shown.forEach((one, n) => {
      const facts = adoptedOf(one, wanted[n]!)
      compareShown(
        { check: 'decisions', subject: `${subject}, record ${n + 1}` },
        one,
        { facts, source: 'the acts' },
        findings,
      )
    })
}

/** Returns a document as it has to be shown; the log has the instant of its publication. */
function adoptedOf({ published_at }: Roster | Policy, adopted: Adopted<RosterDocument | PolicyDocument>): Facts {
  const { document, record_hash, proposal_id, effective_from } = adopted
  const { version, previous_hash, expires_at, statement } = document
  const named = { version, record_hash, previous_hash, proposal_id, expires_at }
  const own = statement === 'tidemark.roster.v1' ? shownRoster(document) : shownPolicy(document)
  const at = { effective_from: formatMicros(effective_from), published_at }
  // A policy that states no drift_after is shown without it, or with null.
  const optional = statement === 'tidemark.policy.v1' ? { drift_after: null } : {}
  return { ...named, ...at, signed_content: canonicalJson(document), ...optional, ...own }
}
