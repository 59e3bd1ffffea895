import type { ProposedContent, RestatementWish } from '../../pipelines/governance/change-form.ts'
import type { Change, Proposal } from '../../pipelines/governance/proposal.ts'
import { type RestatedTick, type Restatement, readRestatement } from '../../pipelines/governance/restatement.ts'
import { unseenTick } from '../../pipelines/index/waiting-revisions.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { RESTATED_TICKS_MAX } from '../../vocabulary/governance.ts'
import type { CorrectionReason } from '../../vocabulary/index-level.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { type CorrectionPlan, type PlannedRevision, planCorrection } from '../index/plan-correction.ts'
import { publishedRestatement, tickHeads } from './read-restatements.ts'

/** Levels that a restatement covers, recomputed. */
type Recomputed = { readonly plan: CorrectionPlan; readonly ticks: readonly RestatedTick[] }

/**
 * Returns the content of a restatement: the levels in a range that wait for a vote, recomputed from what is known now. Nobody types
 * a level.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_RANGE_INVALID; VALIDATION_DEFINITION_INVALID: no level waits, or too many do
 */
export async function restatementOf(warehouse: Warehouse, wish: RestatementWish): Promise<ProposedContent> {
  const { index_id, cause } = wish
  const [from, to] = [formatMicros(toMicros(wish.from, 'from')), formatMicros(toMicros(wish.to, 'to'))]
  const { plan, ticks } = await recompute(warehouse, { index_id, from, to, cause: cause as CorrectionReason }, null)
  if (ticks.length === 0) throw noneWaits(index_id, from, to)
  if (ticks.length > RESTATED_TICKS_MAX)
    throw invalid('ticks', `${ticks.length} from ${from} to ${to}`, `at most ${RESTATED_TICKS_MAX}: a shorter range`)
  const content = { index_id, from, to, cause, as_of: formatMicros(plan.as_of), ticks }
  return { kind: 'restatement', content: JSON.parse(canonicalJson(content)) as Change['content'] }
}

/**
 * Refuses a restatement whose levels are not exactly those of a recomputation: when it is proposed, and again when it is due.
 * @param as_of knowledge of the recomputation; null: now
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, INDEX_NOT_FOUND
 */
export async function checkRestatement(warehouse: Warehouse, proposal: Proposal, as_of: Micros | null): Promise<void> {
  await approvedPlan(warehouse, readRestatement(proposal.content), as_of)
}

async function approvedPlan(warehouse: Warehouse, approved: Restatement, as_of: Micros | null): Promise<Recomputed> {
  const known_at = as_of === null ? null : Math.min(as_of, await warehouse.now())
  const found = await recompute(warehouse, approved, known_at)
  const latest = found.plan.as_of
  if (as_of === null && toMicros(approved.as_of) > latest)
    throw invalid('as_of', approved.as_of, `${formatMicros(latest)} or before`)
  const wanted = new Map(found.ticks.map((tick) => [tick.tick_at, canonicalJson(tick)]))
  for (const tick of approved.ticks) {
    const again = wanted.get(tick.tick_at)
    if (again === canonicalJson(tick)) continue
    throw invalid(`ticks/${tick.tick_at}`, canonicalJson(tick), again ?? 'no tick that needs no restatement')
  }
  if (wanted.size === approved.ticks.length) return found
  const more = found.ticks.find(({ tick_at }) => !approved.ticks.some((tick) => tick.tick_at === tick_at))!
  throw invalid('ticks', `without ${more.tick_at}`, 'every level in the range that a recomputation changes')
}

type Range = Pick<Restatement, 'index_id' | 'from' | 'to' | 'cause'>

/** Last plan with the knowledge of an instant: the check of an activation makes it, and its publication takes it. */
const LAST_PLAN = new WeakMap<Warehouse, { readonly asked: string; readonly plan: CorrectionPlan }>()

async function planOf(warehouse: Warehouse, range: Range, as_of: Micros | null): Promise<CorrectionPlan> {
  const { index_id, from, to, cause: reason } = range
  const asked = canonicalJson({ index_id, from, to, reason, as_of })
  const last = LAST_PLAN.get(warehouse)
  LAST_PLAN.delete(warehouse)
  if (last?.asked === asked) return last.plan
  const plan = await planCorrection({ index_id, from, to, reason, as_of, is_governed: true, warehouse })
  // Without an instant, the next reader may know more.
  if (as_of !== null) LAST_PLAN.set(warehouse, { asked, plan })
  return plan
}

async function recompute(warehouse: Warehouse, range: Range, as_of: Micros | null): Promise<Recomputed> {
  const plan = await planOf(warehouse, range, as_of)
  refuseUnseen(plan, range)
  return { plan, ticks: plan.waiting.map(restatedTick) }
}

function restatedTick({ observation, revision }: PlannedRevision): RestatedTick {
  const { tick_at, supersedes_id, old_level, new_level } = revision
  return { tick_at, supersedes_id, old_level, new_level, quality_state: observation.quality_state }
}

/** Refuses a stale tick without the tick whose level it shows: nobody could find that level. */
function refuseUnseen({ waiting, publishedLevel }: CorrectionPlan, { from }: Range): void {
  const unseen = unseenTick(waiting, publishedLevel)
  if (unseen === null) return
  const { tick_at, source } = unseen
  if (source < toMicros(from))
    throw invalid('from', from, `${formatMicros(source)} or before: ${tick_at} shows the level of that tick`)
  const allowed = 'tidemark index correct first: a level that it shows needs no vote'
  throw invalid('ticks', `${tick_at}, which shows ${formatMicros(source)}`, allowed)
}

/** Activation of a restatement. */
export type Activated = { readonly proposal: Proposal; readonly act_id: string; readonly at: Micros }

/**
 * Publishes the levels of a restatement that took effect, and before them its record, which names them. The knowledge is that of
 * the activation, so a run after an interruption publishes the same, and each row once.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID: another revision came first
 */
export async function publishRestatement(warehouse: Warehouse, activated: Activated): Promise<void> {
  const { proposal, act_id, at } = activated
  const { proposal_id } = proposal
  if (await publishedRestatement(warehouse, proposal_id)) return
  const { plan } = await approvedPlan(warehouse, readRestatement(proposal.content), at)
  const step = { app_id: act_id, app_sequence: 1, stamp: { kind: 'wall' }, operation: 'GOVERNANCE' } as const
  for (;;) {
    const guard = await openAppendGuard(warehouse, ['index_observation'])
    await refuseMoved(warehouse, proposal, plan)
    await warehouse.append('index_restatement', [restatementRow(activated, plan)], step)
    const links = plan.linksOf(plan.waiting)
    if (links.length > 0) await warehouse.append('index_link', links, step)
    try {
      const rows = plan.waiting.map(({ observation }) => observation)
      await guard.append('index_observation', rows, step)
      return
    } catch (error) {
      if (!(error instanceof PlanOvertaken)) throw error
    }
  }
}

/** Refuses to restate a level that another revision has replaced since the activation. */
async function refuseMoved(warehouse: Warehouse, { content }: Proposal, { waiting }: CorrectionPlan): Promise<void> {
  const heads = await tickHeads(
    warehouse,
    String(content.index_id),
    waiting.map(({ observation }) => observation.tick_at),
  )
  for (const { observation } of waiting) {
    const { tick_at, supersedes_id, observation_id } = observation
    const head = heads.get(tick_at) ?? null
    if (head === supersedes_id || head === observation_id) continue
    throw invalid(`supersedes_id of ${tick_at}`, supersedes_id ?? 'none', `${head}, the newest level of the tick`)
  }
}

function restatementRow({ proposal, act_id }: Activated, { as_of, waiting }: CorrectionPlan): Row {
  const { index_id, from, to, cause } = readRestatement(proposal.content)
  return {
    proposal_id: proposal.proposal_id,
    index_id,
    change_class: proposal.change_class,
    correction_reason: cause,
    starts_at: from,
    ends_at: to,
    known_at: formatMicros(as_of),
    changes: waiting.map(({ observation, revision }) => ({
      observation_id: observation.observation_id,
      supersedes_id: observation.supersedes_id,
      tick_at: observation.tick_at,
      old_level: revision.old_level,
      new_level: revision.new_level,
      basis_points: revision.basis_points,
      quality_state: observation.quality_state,
    })),
    act_id,
  }
}

function noneWaits(index_id: string, from: string, to: string) {
  const allowed = 'a range with levels that a recomputation changes, and that tidemark index correct may not publish'
  return invalid('range', `${from} to ${to} of ${index_id}, in which none waits for a vote`, allowed)
}

function invalid(field: string, value: string, allowed: string) {
  return notAllowed('VALIDATION_DEFINITION_INVALID', field, value, allowed)
}
