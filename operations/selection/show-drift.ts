import {
  type ChangedFact,
  type ConstituentEligibility,
  changedFacts,
  type DriftProposal,
  driftProposal,
} from '../../pipelines/eligibility/drift.ts'
import { factRow } from '../../pipelines/eligibility/evaluate.ts'
import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { evaluateMarkets, type MarketEvaluation } from '../eligibility/evaluate-markets.ts'
import { INDEX_TABLES } from '../index/list-indexes.ts'
import { loadIndex } from '../index/load-index.ts'
import { readProFormas } from './read-pro-formas.ts'

/** Eligibility of the constituents of a version at an instant, beside that at selection. */
export type IndexDrift = {
  readonly index_id: string
  readonly index_version_id: string
  readonly policy_id: string
  readonly policy_version: number
  readonly constituents: readonly (ConstituentEligibility & { readonly changed_facts: readonly ChangedFact[] })[]
  /** Change that the drift calls for; null: none. */
  readonly proposal: DriftProposal | null
}

/**
 * Evaluates the constituents of the version in force at an instant (null: now) from the facts known then. A version without a
 * selection is judged by the terms of the sources.
 * @throws {ServiceError} INDEX_NOT_FOUND
 */
export async function showDrift(
  warehouse: Warehouse,
  { index_id, as_of }: { readonly index_id: string; readonly as_of: Instant | null },
): Promise<IndexDrift> {
  const at = as_of === null ? await warehouse.now() : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: as_of === null ? null : at, tables: INDEX_TABLES })
  const { spec, version_rows } = await loadIndex(session, index_id).finally(() => session.close())
  const ordinal = spec.versions.findLastIndex(({ effective_from }) => effective_from <= at)
  const version = spec.versions[Math.max(0, ordinal)]!
  const announced = await readProFormas(warehouse, { index_id, as_of })
  const selected = announced.find((row) => row.index_version_id === version.index_version_id) ?? null
  const policy = policyOf(version_rows[Math.max(0, ordinal)]!)
  const members = version.constituents.map(({ constituent_id, legs, own }) => {
    const { market_id } = legs[own]!
    return { constituent_id: String(constituent_id), market_id: String(market_id) }
  })
  const market_ids = members.map(({ market_id }) => market_id)
  const { evaluations } = await evaluateMarkets(warehouse, { policy, market_ids, as_of, publish: false })
  const constituents = members.map((member) => eligibilityOf(member, selected, evaluations))
  return {
    index_id,
    index_version_id: version.index_version_id,
    policy_id: policy.policy_id,
    policy_version: policy.version,
    constituents: constituents.map((one) => ({ ...one, changed_facts: changedFacts(one) })),
    proposal: driftProposal({ index_id, index_version_id: version.index_version_id }, constituents),
  }
}

/** Returns the policy that a version selects by; one that lists its constituents has the terms of the sources. */
function policyOf({ definition }: Row): { readonly policy_id: string; readonly version: number } {
  const { selection } = JSON.parse(String(definition)) as VersionFile
  if (selection === undefined) return { policy_id: SOURCE_TERMS_POLICY, version: 1 }
  const { policy_id, version } = selection.eligibility_policy
  return { policy_id, version: Number(version) }
}

type SelectedRow = { readonly market_id: string; readonly facts: ConstituentEligibility['facts'] }

function eligibilityOf(
  member: { readonly constituent_id: string; readonly market_id: string },
  selected: Row | null,
  evaluations: readonly MarketEvaluation[],
): ConstituentEligibility {
  const rows = (selected?.constituents ?? []) as unknown as readonly SelectedRow[]
  const now = evaluations.find(({ market_id }) => market_id === member.market_id)
  return {
    ...member,
    facts_at_selection: rows.find(({ market_id }) => market_id === member.market_id)?.facts ?? null,
    status: now?.status ?? 'unknown',
    reason_codes: now?.reason_codes ?? ['MARKET_UNKNOWN'],
    facts: (now?.facts ?? []).map(factRow),
  }
}
