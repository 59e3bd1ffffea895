import { type Evaluation, evaluateEligibility, factRow } from '../../pipelines/eligibility/evaluate.ts'
import { eligibilityPolicy, parseEligibilityPolicy } from '../../pipelines/eligibility/policy.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { readInput } from '../review/read-input.ts'
import { findPolicyAt, type PublishedPolicy, readPolicies } from './policies.ts'
import { FACT_TABLES, readFacts } from './read-facts.ts'

/** Policy by its id and version (null: the newest), or a file that is not published. */
export type PolicyChoice = { readonly policy_id: string; readonly version: number | null } | { readonly file: string }

/** Decision about a market, with its policy. */
export type MarketEvaluation = Evaluation & {
  readonly market_id: string
  readonly policy_id: string
  readonly policy_version: number
  readonly policy_hash: string
}

/** Decisions of one evaluation. */
export type EvaluationReport = {
  readonly facts_as_of: Micros
  readonly evaluations: readonly MarketEvaluation[]
  /** Number of decisions that were published, because they are new or differ from the one before. */
  readonly published: number
}

/**
 * Evaluates markets from the facts known at an instant, and publishes the decisions that changed if asked to.
 * @param wish.market_ids null: every market; as_of null: now
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND; VALIDATION_USAGE_INVALID: a past or a file cannot be published
 */
export async function evaluateMarkets(
  warehouse: Warehouse,
  wish: {
    readonly policy: PolicyChoice
    readonly market_ids: readonly string[] | null
    readonly as_of: Instant | null
    readonly publish: boolean
  },
): Promise<EvaluationReport> {
  if (wish.publish) refusePublication(wish)
  const as_of = wish.as_of === null ? null : toMicros(wish.as_of, 'as_of')
  const tables = [...FACT_TABLES, 'eligibility_policy', 'eligibility_decision'] as const
  const guard = await openAppendGuard(warehouse, ['eligibility_decision'])
  const session = await openReadSession(warehouse, { as_of, tables })
  try {
    const facts_as_of = as_of ?? (await warehouse.now())
    const policy = await chosenPolicy(warehouse, await readPolicies(session), wish)
    const found = await readFacts(session, facts_as_of, wish.market_ids)
    const evaluations = found.map(({ market_id, facts }) => ({
      market_id,
      ...namesOf(policy),
      ...evaluateEligibility(policy.document.rules, facts, facts_as_of),
    }))
    if (!wish.publish) return { facts_as_of, evaluations, published: 0 }
    const { policy_id, policy_version } = namesOf(policy)
    const names = { policy_id, policy_version }
    const known = await session.query(readSql(import.meta.url, 'sql/eligibility_decisions.sql'), names)
    const rows = changedRows(evaluations, known, facts_as_of)
    await publish(guard, rows)
    return { facts_as_of, evaluations, published: rows.length }
  } catch (error) {
    if (error instanceof PlanOvertaken) return evaluateMarkets(warehouse, wish)
    throw error
  } finally {
    await session.close()
  }
}

function refusePublication({ policy, as_of }: { readonly policy: PolicyChoice; readonly as_of: Instant | null }): void {
  if (as_of !== null)
    throw notAllowed('VALIDATION_USAGE_INVALID', 'as_of', as_of, 'none with --publish: decisions are about now')
  if ('file' in policy)
    throw notAllowed('VALIDATION_USAGE_INVALID', 'policy', policy.file, 'a published policy with --publish')
}

async function chosenPolicy(
  warehouse: Warehouse,
  policies: readonly PublishedPolicy[],
  { policy: choice, as_of }: { readonly policy: PolicyChoice; readonly as_of: Instant | null },
): Promise<PublishedPolicy> {
  if (!('file' in choice)) return findPolicyAt(warehouse, policies, { ...choice, as_of })
  const document = eligibilityPolicy(parseEligibilityPolicy(await readInput(choice.file), choice.file), null)
  return { document, record_hash: recordHash(document), proposal_id: null, effective_from: null, published_at: null }
}

function namesOf({ document, record_hash }: PublishedPolicy) {
  const { policy_id, version } = document
  return { policy_id, policy_version: version, policy_hash: record_hash }
}

/** Evaluates one market. @throws {ServiceError} MARKET_NOT_FOUND, GOVERNANCE_NOT_FOUND */
export async function evaluateMarket(
  warehouse: Warehouse,
  wish: { readonly policy: PolicyChoice; readonly market_id: string; readonly as_of: Instant | null },
): Promise<MarketEvaluation & { readonly facts_as_of: Micros }> {
  const { market_id, ...rest } = wish
  const report = await evaluateMarkets(warehouse, { ...rest, market_ids: [market_id], publish: false })
  const [found] = report.evaluations
  if (found !== undefined) return { ...found, facts_as_of: report.facts_as_of }
  throw notAllowed('MARKET_NOT_FOUND', 'market_id', market_id, 'a market known at as_of (view market)')
}

/** Returns a revision for each decision that is new, or whose status or reasons differ from the current one. */
function changedRows(evaluations: readonly MarketEvaluation[], known: readonly Row[], facts_as_of: Micros): Row[] {
  const current = new Map(known.map((row) => [String(row.market_id), row]))
  return evaluations.flatMap((evaluation) => {
    const before = current.get(evaluation.market_id)
    if (before !== undefined && isSameDecision(before, evaluation)) return []
    const { market_id, policy_id, policy_version, policy_hash, status, reason_codes, facts } = evaluation
    const revised =
      before === undefined
        ? FIRST_REVISION
        : supersede(
            { revision_max: Number(before.revision), current_id: String(before.decision_id) },
            'DECISION_CHANGED',
          )
    const decision_id = deriveId('eld', market_id, policy_id, policy_version, revised.revision)
    return [
      {
        ...{ decision_id, ...revised, market_id, policy_id, policy_version, policy_hash, status, reason_codes },
        facts: facts.map(factRow),
        facts_as_of: formatMicros(facts_as_of),
      },
    ]
  })
}

function isSameDecision(row: Row, { status, reason_codes }: Evaluation): boolean {
  return row.status === status && contentHash(row.reason_codes ?? []) === contentHash(reason_codes)
}

async function publish(guard: AppendGuard, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const app_id = `EVALUATE_ELIGIBILITY/${contentHash(rows.map(({ decision_id }) => decision_id))}`
  const step = { app_id, app_sequence: 1, stamp: { kind: 'wall' } } as const
  await guard.append('eligibility_decision', rows, { ...step, operation: 'EVALUATE_ELIGIBILITY' })
}
