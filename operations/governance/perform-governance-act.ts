import {
  type GovernanceAct,
  governanceActId,
  governanceText,
  parseGovernanceAct,
} from '../../pipelines/governance/acts.ts'
import { type Decision, decideAct } from '../../pipelines/governance/decide.ts'
import { nextStepOf } from '../../pipelines/governance/next-step.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import type { Roster } from '../../pipelines/governance/roster.ts'
import { requirePlainTexts } from '../../pipelines/review/plain-texts.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { refuseFalseClaim } from '../notices/check-claims.ts'
import { checkSignature } from '../review/perform-signed-act.ts'
import { attemptOfText, onRecord } from '../review/record-refusal.ts'
import type { Signer } from '../review/signing.ts'
import { advanceGovernance, recordAct, recordingInstant } from './advance-governance.ts'
import { checkProposed } from './check-proposed.ts'
import { type Governance, governedRoster, readGovernance } from './read-governance.ts'

/** Acts recorded at the same time by others before an act is given up. */
const ATTEMPTS_MAX = 20

/** Answer to an act: its id, the proposal after everything that is due, and what that waits for. */
export type GovernancePerformed = {
  readonly act_id: string
  /** null: the act is a runner's, about a change that nobody has proposed yet. */
  readonly proposal: Proposal | null
  readonly next: string | null
}

/** Signs an act. */
export function signGovernanceAct(signer: Signer, act: GovernanceAct): SignedAct {
  const signed_text = governanceText(act)
  return { signed_text, public_key: signer.public_key, signature: signer.sign(signed_text) }
}

/**
 * Performs a signed act of governance: it is decided from the acts before it, recorded, and its records are published. A repeated
 * act has no further effect. A refusal is recorded, signed, with the reason.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, GOVERNANCE_BASE_STALE, GOVERNANCE_NOT_FOUND, VALIDATION_*
 */
export async function performGovernanceAct(warehouse: Warehouse, signed: SignedAct): Promise<GovernancePerformed> {
  await advanceGovernance(warehouse)
  const roster = await signersOf(warehouse)
  const recorded = onRecord(warehouse, () => attemptOfText('governance', signed, roster, parseGovernanceAct))
  const act_id = await recorded(() => performOnce(warehouse, signed))
  await advanceGovernance(warehouse)
  const { state } = await readGovernance(warehouse)
  const proposal = state.proposals.get(parseGovernanceAct(signed.signed_text).subject_id) ?? null
  const next = proposal === null ? null : nextStepOf(state, proposal, await warehouse.now())
  return { act_id, proposal, next }
}

/**
 * Performs what is due, lets somebody prepare an act from the records after it, and performs that act. An act that was prepared before
 * would name a base that a due step is about to replace.
 * @throws {ServiceError} as performGovernanceAct, and as `prepare`
 */
export async function prepareAndPerform(
  warehouse: Warehouse,
  prepare: () => Promise<SignedAct>,
): Promise<GovernancePerformed> {
  await advanceGovernance(warehouse)
  return performGovernanceAct(warehouse, await prepare())
}

async function performOnce(warehouse: Warehouse, signed: SignedAct): Promise<string> {
  const act = parseGovernanceAct(signed.signed_text)
  checkSignature(signed)
  const act_id = governanceActId(act)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const guard = await openAppendGuard(warehouse, ['governance_act'])
    const known = await readGovernance(warehouse)
    if (known.acts.some((row) => row.act_id === act_id)) return act_id
    const done = await tryAct(warehouse, guard, known, {
      act,
      signed,
      recorded_at: await recordingInstant(warehouse, known.acts),
    })
    if (done) return act_id
  }
  throw new ServiceError(
    'REVIEW_STATE_CONFLICT',
    `${act.subject_id} was changed by other acts ${ATTEMPTS_MAX} times meanwhile; ${act.act} was not done`,
  )
}

type Request = { readonly act: GovernanceAct; readonly signed: SignedAct; readonly recorded_at: Micros }

/** Records an act as the next of the sequence. @returns false: another act came first */
async function tryAct(
  warehouse: Warehouse,
  guard: AppendGuard,
  { state, acts }: Governance,
  { act, signed, recorded_at }: Request,
): Promise<boolean> {
  const { public_key, signature } = signed
  // Attested impacts repeat texts of venues.
  if (act.act !== 'attest') requirePlainTexts(act.details, 'details')
  if (act.act === 'propose') await refuseFalseClaim(warehouse, claimingOf(act))
  const { actor, decision } = decideAct(state, { act, public_key, recorded_at })
  if (act.act === 'propose' && 'proposal' in decision) await checkProposed(warehouse, state, decision.proposal)
  const before = proposalBefore(decision, state.proposals)
  const signer = { public_key, signature }
  const recorded = { act, sequence: acts.length + 1, recorded_at, roles: actor.roles, signed: signer }
  try {
    await recordAct(warehouse, guard, recorded, { decision, before })
    return true
  } catch (error) {
    if (error instanceof PlanOvertaken) return false
    throw error
  }
}

/** Returns the definition of the version that an act proposes; undefined: it proposes something else. */
function claimingOf({ details }: GovernanceAct): unknown {
  const { content } = details as { readonly content?: { readonly definition?: unknown } }
  return content?.definition
}

function proposalBefore(decision: Decision, proposals: ReadonlyMap<string, Proposal>): Proposal | null {
  return 'proposal' in decision ? (proposals.get(decision.proposal.proposal_id) ?? null) : null
}

/** Returns the people whose acts a refusal may name: those of the roster in force. */
async function signersOf(warehouse: Warehouse): Promise<Roster> {
  return governedRoster(await readGovernance(warehouse)) ?? { members: [], expires_at: null }
}
