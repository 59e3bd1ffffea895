import { evaluateEligibility } from '../../../pipelines/eligibility/evaluate.ts'
import {
  type EligibilityContent,
  type EligibilityPolicy,
  eligibilityPolicy,
} from '../../../pipelines/eligibility/policy.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import type { EligibilityImpact } from '../../../pipelines/governance/impact/change-document.ts'
import {
  byLoss,
  constituentMoves,
  type MarketDecision,
  marketCounts,
  marketLines,
  SELECTING_LISTED_MAX,
  type SelectingIndex,
  selectionChange,
} from '../../../pipelines/governance/impact/eligibility-effects.ts'
import { IMPACT_ENGINE } from '../../../pipelines/governance/impact/impact-document.ts'
import { type Change, changeIdOf } from '../../../pipelines/governance/proposal.ts'
import { classOf } from '../../../pipelines/governance/propose.ts'
import type { DefinedVersion } from '../../../pipelines/index/definition.ts'
import type { VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { type StoredVersion, versionOf } from '../../../pipelines/index/version-record.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import { readSql } from '../../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { findPolicy, type PublishedPolicy, readPolicies } from '../../eligibility/policies.ts'
import { FACT_TABLES, type MarketFacts, readFacts } from '../../eligibility/read-facts.ts'
import { INDEX_TABLES } from '../../index/list-indexes.ts'
import { loadIndex, type PublishedIndex } from '../../index/load-index.ts'
import { incumbentsOf } from '../../selection/plan-selections.ts'
import { selectVersion } from '../../selection/select-version.ts'
import type { ImpactRequest } from './impact-request.ts'
import { openChange } from './open-change.ts'

const TABLES = [...new Set([...FACT_TABLES, ...INDEX_TABLES, 'eligibility_policy'] as const)]

/**
 * Computes what an eligibility policy would do: which markets and constituents it no longer accepts, and which selections differ, from
 * the facts known at as_of. An index keeps the version of the policy that it names until it names another.
 * @throws {ServiceError} VALIDATION_*
 */
export async function eligibilityImpact(
  request: ImpactRequest,
  content: EligibilityContent,
): Promise<EligibilityImpact> {
  const kind = 'eligibility_policy' as const
  const opened = await openChange(request, TABLES, async (session, state) => {
    const policies = await readPolicies(session)
    const before = policies.findLast(({ document }) => document.policy_id === content.policy_id) ?? null
    const document = eligibilityPolicy(content, before && { ...before.document, record_hash: before.record_hash })
    const [base_hash, content_hash] = [before?.record_hash ?? null, recordHash(document)]
    const change = { kind, content: document as unknown as Change['content'], base_hash, ...NOTHING_ELSE }
    const change_class = classOf(state, change)
    return {
      change_id: changeIdOf({ base_hash, content_hash }),
      base_hash,
      content_hash,
      policies,
      before,
      document,
      change_class,
    }
  })
  const { session, change } = opened
  const { policies, before, document, change_id, base_hash, content_hash, change_class } = change
  try {
    const markets = await readFacts(session, session.as_of, null)
    const decided = decisions(markets, before?.document ?? null, document, session.as_of)
    const data = marketLines(decided)
    request.lines?.(data)
    const index_ids = await indexesSelecting(session, content.policy_id)
    const indexes: SelectingIndex[] = []
    for (const index_id of index_ids) {
      request.signal?.throwIfAborted()
      const known = await loadIndex(session, index_id)
      indexes.push(await effectOn(request.warehouse, known, { markets, policies, document, as_of: session.as_of }))
    }
    indexes.sort(byLoss)
    return {
      ...{ statement: 'tidemark.impact.v2', engine: IMPACT_ENGINE, kind, change_id },
      ...{ target_id: content.policy_id, base_hash, content_hash },
      as_of: formatMicros(session.as_of),
      change_class,
      version_before: before?.document.version ?? null,
      version_after: document.version,
      markets: marketCounts(decided),
      indexes_selecting: index_ids.length,
      indexes: indexes.slice(0, SELECTING_LISTED_MAX),
      indexes_unlisted: Math.max(0, indexes.length - SELECTING_LISTED_MAX),
      markets_sha256: sha256Hex(data),
    }
  } finally {
    await session.close()
  }
}

const NOTHING_ELSE = { impact_digest: null, emergency: null, rationale: '' } as const

function decisions(
  markets: readonly MarketFacts[],
  before: EligibilityPolicy | null,
  after: EligibilityPolicy,
  as_of: number,
): readonly MarketDecision[] {
  return markets.map(({ market_id, facts }) => {
    const { status, reason_codes } = evaluateEligibility(after.rules, facts, as_of)
    const known = before === null ? null : evaluateEligibility(before.rules, facts, as_of).status
    return { market_id, before: known, after: status, reason_codes }
  })
}

async function indexesSelecting(session: ReadSession, policy_id: string): Promise<readonly string[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/indexes_of_policy.sql'), { policy_id })
  return rows.map(({ index_id }) => String(index_id))
}

/** Facts, and both versions of the policy. */
type By = {
  readonly markets: readonly MarketFacts[]
  readonly policies: readonly PublishedPolicy[]
  readonly document: EligibilityPolicy
  readonly as_of: number
}

async function effectOn(warehouse: Warehouse, known: PublishedIndex, by: By): Promise<SelectingIndex> {
  const newest = known.spec.versions.at(-1)!
  const base = versionOf(known.version_rows.at(-1) as unknown as StoredVersion, known.index, newest.methodology)
  const { policy_id, policy_version } = base.selection!
  const pinned = findPolicy(by.policies, policy_id, policy_version)
  const own = new Map(decisions(by.markets, pinned.document, by.document, by.as_of).map((one) => [one.market_id, one]))
  const members = newest.constituents.map(({ constituent_id, legs, own: ordinal }) => ({
    constituent_id: String(constituent_id),
    market_id: String(legs[ordinal]!.market_id),
  }))
  return {
    index_id: known.spec.index_id,
    version: newest.version,
    policy_version: pinned.document.version,
    ...constituentMoves(members, own),
    ...(await selectionsOf(warehouse, known, { base, pinned, ...by })),
  }
}

/** Selects by both versions from the facts known at as_of, as a rebalance then would. */
async function selectionsOf(
  warehouse: Warehouse,
  { index, spec }: PublishedIndex,
  { base, pinned, document, as_of }: By & { readonly base: DefinedVersion; readonly pinned: PublishedPolicy },
): Promise<Pick<SelectingIndex, 'selection' | 'selection_refused'>> {
  const { constituents: _published, ...rules } = base.file
  const effective_from = formatMicros(as_of + base.selection!.data_lead)
  const request = {
    index,
    methodology: base.version.methodology,
    file: { ...rules, effective_from } as VersionFile,
    selected_as_of: as_of,
    incumbents: incumbentsOf(spec.versions.findLast((one) => one.effective_from <= as_of)),
  }
  const select = async (policy: PublishedPolicy) => {
    const { ranked } = await selectVersion(warehouse, { ...request, policy })
    return ranked.filter(({ is_selected }) => is_selected).map(({ market_id }) => market_id)
  }
  try {
    const record_hash = recordHash(document)
    const proposed = { document, record_hash, proposal_id: null, effective_from: null, published_at: null }
    const [left, right] = [await select(pinned), await select(proposed)]
    return { selection: selectionChange(left, right), selection_refused: null }
  } catch (error) {
    if (isServiceError(error)) return { selection: null, selection_refused: error.code }
    throw error
  }
}
