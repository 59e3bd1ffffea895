import { notAllowed } from '../../primitives/errors.ts'
import { durationMicros, formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { CHANGE_CLASSES, IMPACT_ENGINES, VERSION_CLASSES } from '../../vocabulary/governance.ts'
import type { GovernanceAct } from './acts.ts'
import { actorOf, type SignedRequest } from './authority.ts'
import { impactDigest } from './impact/impact-document.ts'
import { type AnyImpact, kindOf, parseImpact } from './impact/parse-impact.ts'
import { type Attestation, changeIdOf, type GovernanceState } from './proposal.ts'
import { hashOrNull } from './read-change.ts'
import type { Member } from './roster.ts'

/** Longest time between the knowledge of a report and its signature. */
const KNOWLEDGE_AGE_MAX = durationMicros('P7D')

/** Largest report in bytes: an act is logged whole, and an entry of the log has at most 65,535 bytes. */
export const REPORT_BYTES_MAX = 48 * 1024

/**
 * Decides the act of a runner who signs an impact: the report is in the signed text, and everything that the act says follows from it.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, VALIDATION_DEFINITION_INVALID
 */
export function decideAttestation(
  state: GovernanceState,
  request: SignedRequest,
): {
  readonly actor: Member
  readonly decision: { readonly change_id: string; readonly runner: string; readonly attestation: Attestation }
} {
  const { act, recorded_at, public_key } = request
  const report = reportOf(act)
  checkKnowledge(report, recorded_at)
  const actor = actorOf(state, request, null)
  const { change_class } = report
  const signed = { public_key, acted_at: act.acted_at }
  const attestation = { impact_digest: String(act.details.impact_digest), change_class, signed }
  return { actor, decision: { change_id: act.subject_id, runner: actor.actor_id, attestation } }
}

/** Returns the report of an act. @throws {ServiceError} VALIDATION_DEFINITION_INVALID: the act says something else than the report */
export function reportOf({
  kind,
  details,
  subject_id,
}: Pick<GovernanceAct, 'kind' | 'details' | 'subject_id'>): AnyImpact {
  const { report: text, impact_digest, engine } = details
  if (typeof text !== 'string') throw invalid('report', 'missing', 'the report, as RFC 8785')
  const bytes = Buffer.byteLength(text)
  if (bytes > REPORT_BYTES_MAX) throw invalid('report', `${bytes} bytes long`, `at most ${REPORT_BYTES_MAX} bytes`)
  const report = parseImpact(text)
  const digest = impactDigest(text)
  if (impact_digest !== digest) throw invalid('impact_digest', String(impact_digest), `${digest}, that of the report`)
  if (!IMPACT_ENGINES.some((name) => name === engine))
    throw invalid('engine', String(engine), IMPACT_ENGINES.join(', '))
  const of_version = kindOf(report) === 'index_version'
  if (!of_version && kind !== kindOf(report)) throw invalid('kind', kind, `${kindOf(report)}, as in the report`)
  const classes: readonly string[] = of_version ? VERSION_CLASSES : CHANGE_CLASSES
  if (!classes.includes(report.change_class))
    throw invalid('change_class', String(report.change_class), classes.join(', '))
  if ('from' in report) parseRange(report.from, report.to)
  for (const field of ['base_hash', 'content_hash'] as const) hashOrNull(field, report[field])
  for (const field of ['base_hash', 'content_hash', 'change_class'] as const)
    if (details[field] !== report[field])
      throw invalid(field, String(details[field]), `${report[field]}, as in the report`)
  const change_id = changeIdOf(report)
  if (report.change_id !== change_id || subject_id !== change_id)
    throw invalid('subject_id', subject_id, `${change_id}, the change of the report`)
  return report
}

/** Refuses a report whose knowledge is of the future, or old: an instant at which the change had no effect could be picked. */
function checkKnowledge({ as_of }: AnyImpact, recorded_at: Micros): void {
  const [from, to] = [recorded_at - KNOWLEDGE_AGE_MAX, recorded_at]
  const at = toMicros(as_of, 'as_of')
  if (from <= at && at <= to) return
  throw invalid('as_of', as_of, `from ${formatMicros(from)} to ${formatMicros(to)}`)
}

function invalid(field: string, value: string, allowed: string) {
  return notAllowed('VALIDATION_DEFINITION_INVALID', `${field} of the act`, value, allowed)
}
