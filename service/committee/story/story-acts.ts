import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { contentOfFile } from '../../../operations/governance/change-of-file.ts'
import { governanceActOf, proposalOfChange } from '../../../operations/governance/governance-act-of.ts'
import { attestImpact } from '../../../operations/governance/impact/attest-impact.ts'
import { computeImpact } from '../../../operations/governance/impact/compute-impact.ts'
import { performGovernanceAct } from '../../../operations/governance/perform-governance-act.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import type { RecordedStep } from '../../../operations/sample/recorded-steps.ts'
import type { ProposedContent } from '../../../pipelines/governance/change-form.ts'
import { invariant } from '../../../primitives/errors.ts'
import type { Instant } from '../../../primitives/instants.ts'
import type { GovernanceActName, ImpactEngine, ProposalKind } from '../../../vocabulary/governance.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import type { Committee, SandboxMember } from '../open-committee.ts'

/** Index of the story. */
export const STORY_INDEX = 'idx_sample_vote'

type Signers = Committee['signers']

const PROPOSALS = fileURLToPath(new URL('../../../datasets/sample/proposals/', import.meta.url))

/** Returns the path of a file that a member of the story proposes. */
export function storyFile(name: string): string {
  return join(PROPOSALS, name)
}

/** Has the service perform what is due at an instant. */
export function whenDue(at: Instant): RecordedStep {
  return { at, perform: (warehouse) => advanceGovernance(warehouse) }
}

/** Proposes a change of the index as the analyst. */
export function proposes(
  signers: Signers,
  wish: {
    readonly at: Instant
    readonly content: (warehouse: Warehouse) => Promise<ProposedContent>
    readonly rationale: string
    readonly emergency?: string
  },
): RecordedStep {
  const { at, content, rationale, emergency = null } = wish
  return {
    at,
    perform: async (warehouse) => {
      const change = { ...(await content(warehouse)), rationale, emergency, base_hash: null }
      await performGovernanceAct(warehouse, await proposalOfChange(warehouse, signers.analyst, change))
    },
  }
}

/** Proposes the change of a file. */
export function proposesFile(
  signers: Signers,
  {
    file,
    ...wish
  }: { readonly at: Instant; readonly file: string; readonly rationale: string; readonly emergency?: string },
): RecordedStep {
  return proposes(signers, { ...wish, content: (warehouse) => contentOfFile(warehouse, storyFile(file)) })
}

/** Performs an act of a member on the newest proposal of a kind. */
export function actsOn(
  kind: ProposalKind,
  signers: Signers,
  {
    at,
    by,
    act,
    details,
  }: {
    readonly at: Instant
    readonly by: SandboxMember
    readonly act: GovernanceActName
    readonly details: Readonly<Record<string, string | null>>
  },
): RecordedStep {
  return {
    at,
    perform: async (warehouse) => {
      const proposal_id = await newestProposal(warehouse, kind)
      const signed = await governanceActOf(warehouse, signers[by], { proposal_id, act, details })
      await performGovernanceAct(warehouse, signed)
    },
  }
}

/** Signs the newest proposal of a kind, or dissents from it with a reason. */
export function votes(
  kind: ProposalKind,
  signers: Signers,
  { at, by, against = null }: { readonly at: Instant; readonly by: SandboxMember; readonly against?: string | null },
): RecordedStep {
  const details = { choice: against === null ? 'approve' : 'dissent', reason: against }
  return actsOn(kind, signers, { at, by, act: 'vote', details })
}

/** Computes the impact of a version over the week so far with one of the engines, and signs it as a runner. */
export function signsImpact(
  signer: Signers[SandboxMember],
  { at, file, engine }: { readonly at: Instant; readonly file: string; readonly engine: ImpactEngine },
  known: { readonly from: Instant; readonly to: Instant },
): RecordedStep {
  return {
    at,
    perform: async (warehouse) => {
      const request = { file: storyFile(file), ...known, as_of: known.to, engine, warehouse }
      await attestImpact(warehouse, signer, { ...(await computeImpact(request)), engine })
    },
  }
}

/** Returns the newest proposal of a kind about the index. */
export async function newestProposal(warehouse: Warehouse, kind: ProposalKind): Promise<string> {
  const { proposals } = (await readGovernance(warehouse)).state
  const newest = [...proposals.values()].findLast(
    ({ kind: of, content }) => of === kind && content.index_id === STORY_INDEX,
  )
  invariant(newest !== undefined, `the story has a proposal of the kind ${kind}`)
  return newest.proposal_id
}
