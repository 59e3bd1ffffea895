import { isGoverned } from '../../pipelines/governance/index-change.ts'
import { lapsedOver } from '../../pipelines/governance/lapse.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatDecimal, parseDecimal, SCALE } from '../../primitives/decimal.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { type Approval, approvalOf } from './approval.ts'
import { type Governance, governanceIn } from './read-governance.ts'

/** Returns what is wrong with versions of a governed index that no approved and announced proposal put in force, by id. */
export async function unapprovedVersions(session: ReadSession, index_id: string): Promise<ReadonlyMap<string, string>> {
  const governance = await governanceIn(session)
  if (!isGoverned(governance.state, index_id)) return new Map()
  const rows = await session.query(readSql(import.meta.url, '../sql/versions_of_index.sql'), { index_id })
  return faultsOf(governance, index_id, rows)
}

/** Returns what is wrong with the versions of one governed index, by id. @param rows all of its versions */
export function faultsOf(governance: Governance, index_id: string, rows: readonly Row[]): ReadonlyMap<string, string> {
  const since = governedSince(governance, index_id)
  const later = rows.filter(({ published_at }) => toMicros(published_at) >= since)
  const faults = later.flatMap((row) => {
    const fault = faultOf(governance, index_id, row)
    return fault === null ? [] : [[String(row.index_version_id), fault] as const]
  })
  return new Map(faults)
}

/** Returns the instant from which the versions of an index need a proposal. */
export function governedSince({ state, acts }: Governance, index_id: string): Micros {
  const activations = acts.filter(
    ({ act, subject_id }) => act === 'activate' && state.proposals.get(String(subject_id))?.target === index_id,
  )
  return Math.min(...activations.map(({ recorded_at }) => toMicros(recorded_at)))
}

function faultOf(governance: Governance, index_id: string, row: Row): string | null {
  const proposal = governance.state.proposals.get(String(row.proposal_id))
  if (row.governance !== 'governed' || proposal === undefined) return 'no proposal'
  if (proposal.target !== index_id) return `a proposal of ${proposal.target}`
  const activated_at = activationOf(governance, proposal)
  if (activated_at === null) return `a proposal that is ${proposal.state}`
  if (activated_at > toMicros(row.published_at)) return 'a proposal that was activated later'
  const approval = approvalOf(governance, proposal)
  const field = APPROVED_FIELDS.find((name) => row[name] !== approval[name])
  if (field !== undefined) return `another ${field} than its proposal`
  const { returned, content } = contentOf(governance, row, proposal)
  if (content !== null) return content
  if (returned) return null
  return toMicros(approval.effective_at) <= toMicros(row.effective_from) ? null : 'begun before its notice ended'
}

const APPROVED_FIELDS = [
  'approved_by',
  'approved_at',
  'announced_at',
  'effective_at',
] as const satisfies readonly (keyof Approval)[]

/** Returns when a proposal took effect; null: it has not. */
export function activationOf({ acts }: Governance, { proposal_id }: Pick<Proposal, 'proposal_id'>): Micros | null {
  const act = acts.find((one) => one.subject_id === proposal_id && one.act === 'activate')
  return act === undefined ? null : toMicros(act.recorded_at)
}

/** Compares a version with what was approved. One that returns to its base after a lapse has another name and start. */
function contentOf(governance: Governance, row: Row, proposal: Proposal) {
  const { definition, target_weights, methodology } = proposal.content as Readonly<Record<string, unknown>>
  const stored = JSON.parse(String(row.definition)) as Readonly<Record<string, unknown>>
  const returned = stored.version !== (definition as typeof stored).version
  if (returned && !hasLapsed(governance, row, proposal)) return { returned, content: 'another version than approved' }
  const named = (of: Readonly<Record<string, unknown>>) => {
    const { version: _v, effective_from: _e, change_summary: _c, ...rules } = of
    return canonicalJson(returned ? rules : of)
  }
  if (named(stored) !== named(definition as typeof stored))
    return { returned, content: 'another definition than approved' }
  const weights = (row.constituents as readonly Row[]).map(({ constituent_id, target_weight }) => {
    const weight = formatDecimal(parseDecimal(target_weight, 'target_weight'), SCALE.weight)
    return [String(constituent_id), weight] as const
  })
  if (canonicalJson(Object.fromEntries(weights)) !== canonicalJson(target_weights))
    return { returned, content: 'other weights than approved' }
  const { methodology_id, version } = methodology as Row
  const is_same = row.methodology_id === methodology_id && row.methodology_version === version
  return { returned, content: is_same ? null : 'another methodology than approved' }
}

/** Reports whether an emergency lapsed, and returned to a base, before a version of that base began. */
function hasLapsed({ state, acts }: Governance, row: Row, base: Proposal): boolean {
  const lapsed = new Set(lapsedOver(state, base).map(({ proposal_id }) => proposal_id))
  return acts.some(({ act, subject_id, recorded_at }) => {
    const is_of_base = act === 'lapse' && lapsed.has(String(subject_id))
    return is_of_base && toMicros(recorded_at) < toMicros(row.effective_from)
  })
}
