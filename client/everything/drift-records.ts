import type { DriftRecords } from '../../pipelines/eligibility/lasting-drift.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import type { MarketEligibility } from '../../protocol/resources/eligibility.ts'
import type { Notice } from '../../protocol/resources/notice.ts'
import { SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import type { AnswerApi } from '../http/public-api.ts'
import type { ServedGovernance } from './check-governance.ts'
import type { ServedVersion } from './served-records.ts'

/** Public records from which drift follows. */
export type DriftSources = {
  readonly as_of: string
  readonly served: ServedGovernance
  readonly versions: readonly ServedVersion[]
  readonly notices: readonly Notice[]
}

/** The same with every decision as served, by market and policy. */
export type ServedDrift = { readonly records: DriftRecords; readonly decisions: readonly MarketEligibility[] }

/** Policy that judges the constituents of a version: that of its selection, or the terms of the sources. */
export function judgingPolicy({ resource }: ServedVersion): { policy_id: string; policy_version: number } {
  const selection = resource.definition.selection as { eligibility_policy?: { policy_id: string; version: unknown } }
  const policy = selection?.eligibility_policy
  if (policy === undefined) return { policy_id: SOURCE_TERMS_POLICY, policy_version: 1 }
  return { policy_id: policy.policy_id, policy_version: Number(policy.version) }
}

/** Reads the records from which drift of governed indexes follows. A decision names the instant before which another was in force. */
export async function readDriftRecords(
  api: AnswerApi,
  { as_of, served, versions, notices }: DriftSources,
): Promise<ServedDrift> {
  const governed = governedIn(served)
  const judged = versions
    .filter(({ resource }) => governed.some(({ index_id }) => index_id === resource.index_id))
    .sort((a, b) => publicationOf(a) - publicationOf(b))
  const lists = await Promise.all(namedMarkets(judged).map((asked) => decisionsOf(api, asked, as_of)))
  const decisions = lists.flat()
  return {
    decisions,
    records: {
      rules: served.policies.map(({ drift_after = null, published_at }) => ({ drift_after, published_at })),
      governed,
      statuses: (await Promise.all(inForce(governed, judged).map((one) => statusesOf(api, one, notices)))).flat(),
      versions: judged.map(judgedVersion),
      decisions: decisions
        .map(({ market_id, policy_id, policy_version, status, decision_id, published_at }) => ({
          ...{ market_id, policy_id, policy_version, is_ineligible: status === 'ineligible' },
          ...{ decision_id: decision_id!, published_at: published_at! },
        }))
        .sort((a, b) => toMicros(a.published_at) - toMicros(b.published_at)),
    },
  }
}

function publicationOf({ resource }: ServedVersion): number {
  return toMicros(resource.published_at)
}

function judgedVersion(version: ServedVersion): DriftRecords['versions'][number] {
  const { index_id, index_version_id, effective_from, published_at } = version.resource
  const members = version.constituents.map(({ constituent_id, market_id }) => {
    return { constituent_id, market_id: String(market_id) }
  })
  return { index_id, index_version_id, effective_from, published_at, members, ...judgingPolicy(version) }
}

/** Returns the indexes that proposals decide, with the publication of the first one that took effect. */
function governedIn({ states }: ServedGovernance): DriftRecords['governed'] {
  const since = new Map<string, Instant>()
  for (const { state, target, published_at } of states) {
    if (state !== 'effective' || !target.startsWith('idx_') || target.includes(':')) continue
    const known = since.get(target)
    if (known === undefined || toMicros(published_at) < toMicros(known)) since.set(target, published_at)
  }
  return [...since].map(([index_id, at]) => ({ index_id, since: at }))
}

/**
 * Returns governed indexes that have a version, each since its status counts. The proposal of a new index takes effect just before the
 * index is published, so nobody could ask for it at that instant; nothing is judged before its first version.
 * @param versions in the order of publication
 */
function inForce(governed: DriftRecords['governed'], versions: readonly ServedVersion[]): DriftRecords['governed'] {
  return governed.flatMap(({ index_id, since }) => {
    const first = versions.find(({ resource }) => resource.index_id === index_id)?.resource.published_at
    return first === undefined ? [] : [{ index_id, since: toMicros(first) > toMicros(since) ? first : since }]
  })
}

/** Returns the statuses of an index since it is governed: that of then, and each later one as its notice says. */
async function statusesOf(
  api: AnswerApi,
  { index_id, since }: DriftRecords['governed'][number],
  notices: readonly Notice[],
): Promise<DriftRecords['statuses']> {
  const first = await api.read<{ readonly status: string }>(`/indexes/${index_id}`, { as_of: since })
  const changed = notices.flatMap(({ actor_id, changes, effective_at }) => {
    const change = changes.find(({ record_id, field }) => record_id === index_id && field === 'status')
    const is_later = effective_at !== null && toMicros(effective_at) > toMicros(since)
    return actor_id === null && change !== undefined && is_later
      ? [{ status: change.new_value!, at: effective_at }]
      : []
  })
  return [{ status: first.status, at: since }, ...changed]
    .map(({ status, at }) => ({ index_id, status, published_at: at }))
    .sort((a, b) => toMicros(a.published_at) - toMicros(b.published_at))
}

type Asked = { readonly market_id: string; readonly policy_id: string; readonly policy_version: number }

function namedMarkets(versions: readonly ServedVersion[]): readonly Asked[] {
  const asked = versions.flatMap((version) => {
    const policy = judgingPolicy(version)
    return version.constituents.map(({ market_id }) => ({ market_id: String(market_id), ...policy }))
  })
  return [...new Map(asked.map((one) => [Object.values(one).join(' '), one])).values()]
}

/** Reads every decision about a market, newest first: each answer is as of just before the decision that was read. */
async function decisionsOf(
  api: AnswerApi,
  { market_id, policy_id, policy_version: version }: Asked,
  as_of: string,
): Promise<readonly MarketEligibility[]> {
  const decisions: MarketEligibility[] = []
  for (let at = as_of; ; ) {
    const found = await api.find<MarketEligibility>(`/eligibility/markets/${market_id}`, {
      policy_id,
      version,
      as_of: at,
    })
    if (found?.decision_id == null || found.published_at === null) return decisions
    decisions.push(found)
    at = formatMicros(toMicros(found.published_at) - 1)
  }
}
