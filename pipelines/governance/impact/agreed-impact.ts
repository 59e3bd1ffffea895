import { notAllowed } from '../../../primitives/errors.ts'
import { recordHash } from '../documents.ts'
import { type Attestation, type Change, changeIdOf, type GovernanceState } from '../proposal.ts'
import { isDisownedSignature } from '../quorum.ts'
import { RUNNERS } from './runner-agreement.ts'

type ImpactOf = Pick<Change, 'base_hash' | 'content' | 'impact_digest'>

/** Reports whether a change names an impact, or a runner has signed one for it. */
export function hasImpact(state: GovernanceState, change: ImpactOf): boolean {
  return change.impact_digest !== null || signedFor(state, change).signed.length > 0
}

/**
 * Returns an attestation of the impact that enough runners have signed for a change, and none disputes.
 * @throws {ServiceError} GOVERNANCE_IMPACT_REQUIRED: a runner is missing, or one disagrees
 */
export function agreedAttestation(state: GovernanceState, change: ImpactOf): Attestation {
  const { change_id, signed } = signedFor(state, change)
  const [first] = signed
  const agree = signed.filter(
    ({ impact_digest, change_class }) => impact_digest === change.impact_digest && change_class === first!.change_class,
  )
  if (agree.length >= RUNNERS && agree.length === signed.length) return first!
  throw notAllowed(
    'GOVERNANCE_IMPACT_REQUIRED',
    'impact_digest',
    `${change.impact_digest ?? 'none'}, signed by ${agree.length} of ${signed.length} runners of ${change_id}`,
    `a digest that ${RUNNERS} runners have signed and none disputes`,
  )
}

/** Returns the attestations of a change whose keys were not revoked before they signed. */
function signedFor(state: GovernanceState, { base_hash, content }: ImpactOf) {
  const change_id = changeIdOf({ base_hash, content_hash: recordHash(content) })
  const attestations = [...(state.attestations.get(change_id)?.values() ?? [])]
  return { change_id, signed: attestations.filter(({ signed }) => !isDisownedSignature(state, signed)) }
}
