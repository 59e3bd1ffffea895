import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import {
  BUILT_IN_ROW,
  constituentEligibilityOf,
  eligibilityPolicyOf,
  marketEligibilityOf,
  proFormaOf,
} from '../resources/eligibility.ts'
import { rowsOf } from '../resources/pick.ts'
import type { RouteHandlers, RouteRequest } from '../server/handler.ts'
import { catalogPage } from './catalog-page.ts'
import {
  instantParameter,
  ordinalParameter,
  requiredText,
  requireIndex,
  requireMarket,
  textParameter,
} from './parameters.ts'

export const ELIGIBILITY_ROUTES = {
  list_eligibility_policies: (request) => {
    const policy_id = textParameter(request, 'policy_id')
    return catalogPage(request, {
      rows: policiesOf,
      keep: (row) => policy_id === null || row.policy_id === policy_id,
      key: (row) => [String(row.policy_id), Number(row.version)],
      show: eligibilityPolicyOf,
    })
  },
  get_eligibility_policy: (request) => ({ data: eligibilityPolicyOf(requirePolicy(request)) }),
  get_market_eligibility: (request) => {
    const market = requireMarket(request)
    const policy_id = textParameter(request, 'policy_id') ?? SOURCE_TERMS_POLICY
    const catalog = request.reader.catalog(request.as_of)
    const policy = policyOf(catalog, policy_id, ordinalParameter(request, 'version'))
    return { data: decisionOf(catalog, market, policy) }
  },
  get_index_eligibility: (request) => {
    const { index_id, active_version_id } = requireIndex(request)
    const catalog = request.reader.catalog(request.as_of)
    const version = active_version_id === null ? null : catalog.version(String(active_version_id))
    const { policy_id, version: policy_version } = selectingPolicy(version)
    const policy = policyOf(catalog, policy_id, policy_version)
    const constituents = version === null ? [] : constituentsNow(catalog, version, policy)
    return {
      data: {
        index_id,
        index_version_id: active_version_id ?? null,
        policy_id,
        policy_version: Number(policy.version),
        constituents,
        removals: constituents.filter(({ status }) => status === 'ineligible').map((one) => one.constituent_id),
      },
    }
  },
  get_index_pro_forma: (request) => ({ data: proFormaOf(requireProForma(request)) }),
} as const satisfies Partial<RouteHandlers>

/** Returns the policy of a path, in the asked version or the newest. @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export function requirePolicy(request: RouteRequest): Row {
  const catalog = request.reader.catalog(request.as_of)
  return policyOf(catalog, requiredText(request, 'policy_id'), ordinalParameter(request, 'version'))
}

/** Returns the announced composition of a start, or the newest. @throws {ServiceError} INDEX_NOT_FOUND, INDEX_VERSION_NOT_FOUND */
export function requireProForma(request: RouteRequest): Row {
  const index_id = String(requireIndex(request).index_id)
  const start = instantParameter(request, 'effective_from')
  const rows = request.reader.catalog(request.as_of).proFormas(index_id)
  const found = start === null ? rows.at(-1) : rows.find(({ effective_from }) => toMicros(effective_from) === start)
  if (found !== undefined) return found
  throw start === null ? missing('pro_forma', index_id) : missing('pro_forma_start', formatMicros(start))
}

function policiesOf(catalog: Catalog): readonly Row[] {
  return [BUILT_IN_ROW, ...catalog.eligibilityPolicies()]
}

/** Returns a version of a policy. @param version null: the newest @throws {ServiceError} GOVERNANCE_NOT_FOUND */
function policyOf(catalog: Catalog, policy_id: string, version: number | null): Row {
  const of_id = policiesOf(catalog).filter((row) => row.policy_id === policy_id)
  const wanted = version ?? Math.max(0, ...of_id.map((row) => Number(row.version)))
  const found = of_id.find((row) => row.version === wanted)
  if (found !== undefined) return found
  throw missing('eligibility_policy', version === null ? policy_id : `${policy_id} version ${version}`)
}

function decisionOf(catalog: Catalog, market: Row, policy: Row) {
  const { policy_id, version } = policy
  const decision = catalog.eligibilityDecision(String(market.market_id), String(policy_id), Number(version))
  return marketEligibilityOf(market, policy, decision)
}

/** Returns the policy that a version selects by; one that lists its constituents has the terms of the sources. */
function selectingPolicy(version: Row | null): { readonly policy_id: string; readonly version: number } {
  const { selection } = (version === null ? {} : JSON.parse(String(version.definition))) as Partial<VersionFile>
  if (selection === undefined) return { policy_id: SOURCE_TERMS_POLICY, version: 1 }
  return { policy_id: selection.eligibility_policy.policy_id, version: Number(selection.eligibility_policy.version) }
}

function constituentsNow(catalog: Catalog, version: Row, policy: Row) {
  const announced = catalog
    .proFormas(String(version.index_id))
    .find(({ index_version_id }) => index_version_id === version.index_version_id)
  const selected = new Map(rowsOf(announced?.constituents).map((one) => [one.constituent_id, one]))
  return rowsOf(version.constituents).map((constituent) => {
    const { market_id, constituent_id } = constituent
    const market = catalog.market(String(market_id)) ?? { market_id: market_id ?? null }
    return constituentEligibilityOf(
      constituent,
      selected.get(constituent_id) ?? null,
      decisionOf(catalog, market, policy),
    )
  })
}
