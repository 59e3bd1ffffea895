import { canonicalJson } from '../../primitives/canonical-json.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import {
  GOVERNANCE_ACTS,
  type GovernanceActName,
  PROPOSAL_KINDS,
  type ProposalKind,
} from '../../vocabulary/governance.ts'
import type { Value } from '../review/subject.ts'
import { notCanonical } from '../text/not-canonical.ts'

/** One act of governance, as signed. */
export type GovernanceAct = {
  readonly act: GovernanceActName
  readonly kind: ProposalKind
  /** prp_...; of an attestation chg_... */
  readonly subject_id: string
  readonly details: Readonly<Record<string, Value>>
  readonly actor_id: string
  readonly acted_at: Micros
}

/** Returns the exact text that an actor signs: RFC 8785. */
export function governanceText({ acted_at, ...act }: GovernanceAct): string {
  return canonicalJson({ statement: 'tidemark.governance.v1', ...act, acted_at: formatMicros(acted_at) })
}

/** Returns the id of an act, derived from the signed text: the same text is the same act. */
export function governanceActId(act: GovernanceAct): string {
  return deriveId('gac', governanceText(act))
}

/**
 * Parses the text of an act; the text is rebuilt from it and must be equal, so no signed content is ignored.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export function parseGovernanceAct(signed_text: string): GovernanceAct {
  const act = actOf(signed_text)
  if (act !== null && governanceText(act) === signed_text) return act
  throw notCanonical('signed_text', signed_text, 'the RFC 8785 form of an act of tidemark.governance.v1')
}

function actOf(text: string): GovernanceAct | null {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
  const { act, kind, subject_id, details, actor_id } = value ?? {}
  const acted_at = microsOf(value?.acted_at)
  const is_whole =
    GOVERNANCE_ACTS.some((name) => name === act) &&
    PROPOSAL_KINDS.some((name) => name === kind) &&
    typeof subject_id === 'string' &&
    typeof details === 'object' &&
    details !== null &&
    typeof actor_id === 'string' &&
    acted_at !== null
  return is_whole ? ({ act, kind, subject_id, details, actor_id, acted_at } as GovernanceAct) : null
}
