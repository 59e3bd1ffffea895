import { IMPACT_KINDS, type ImpactKind } from '../../../vocabulary/governance.ts'
import { notCanonical } from '../../text/not-canonical.ts'
import type { ChangeImpact } from './change-document.ts'
import { type ImpactDocument, impactText } from './impact-document.ts'

/** Impact of any kind of change, as runners sign it. */
export type AnyImpact = ImpactDocument | ChangeImpact

/** Reports whether an impact is of a version of an index. */
export function isVersionImpact(report: AnyImpact): report is ImpactDocument {
  return report.statement === 'tidemark.impact.v1'
}

/** Returns the kind of change that an impact is of. */
export function kindOf(report: AnyImpact): ImpactKind {
  return isVersionImpact(report) ? 'index_version' : report.kind
}

/** Returns the id of what the change is about. */
export function targetIdOf(report: AnyImpact): string {
  return isVersionImpact(report) ? report.index_id : report.target_id
}

/**
 * Parses an impact; its text is rebuilt and must be equal.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export function parseImpact(text: string): AnyImpact {
  let document: AnyImpact | null = null
  try {
    document = JSON.parse(text) as AnyImpact
  } catch {
    // The error below says what is accepted.
  }
  if (document !== null && isImpact(document) && impactText(document) === text) return document
  throw notCanonical('report', text, 'the RFC 8785 form of a tidemark.impact.v1 or tidemark.impact.v2')
}

function isImpact(document: AnyImpact): boolean {
  if (document.statement === 'tidemark.impact.v1') return true
  if (document.statement !== 'tidemark.impact.v2' || typeof document.target_id !== 'string') return false
  return IMPACT_KINDS.some((kind) => kind !== 'index_version' && kind === document.kind)
}
