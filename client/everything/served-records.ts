import { BUILT_IN_POLICY } from '../../pipelines/eligibility/policy.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { compositionText, replacements } from '../../pipelines/selection/frozen.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { EligibilityPolicy, ProForma } from '../../protocol/resources/eligibility.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import type { Notice, Restatement } from '../../protocol/resources/notice.ts'
import type { PublicApi } from '../http/public-api.ts'
import type { ServedGovernance } from './check-governance.ts'
import type { ServedRecord } from './check-included.ts'
import { compareShown, type Facts } from './compare-shown.ts'
import type { StatedVersion } from './judge-version.ts'
import type { Findings } from './report.ts'

/** Version of an index with its constituents. */
export type ServedVersion = { readonly resource: IndexVersion; readonly constituents: readonly Constituent[] }

/** Reads the versions of an index as of an instant. */
export async function readVersions(api: PublicApi, index_id: string, as_of: string): Promise<readonly ServedVersion[]> {
  const versions = await api.list<IndexVersion>(`/indexes/${index_id}/versions`, { as_of })
  return Promise.all(
    versions.map(async (resource) => {
      const path = `/indexes/${index_id}/versions/${resource.index_version_id}/constituents`
      return { resource, constituents: await api.list<Constituent>(path, { as_of }) }
    }),
  )
}

/** Checks that each version of an index ends where the next one begins. */
export function checkEnds(versions: readonly ServedVersion[], findings: Findings): void {
  const begins = (one: ServedVersion) => toMicros(one.resource.effective_from, 'effective_from')
  const sorted = versions.toSorted((a, b) => begins(a) - begins(b))
  for (const version of sorted) {
    const { index_version_id, effective_to } = version.resource
    const next = sorted.find((one) => begins(one) > begins(version))?.resource.effective_from ?? null
    if (effective_to === next) continue
    const message = `effective_to is ${effective_to ?? 'null'}; ${next ?? 'null'} follows from its successor`
    findings.fail('included', `index_version ${index_version_id}`, message)
  }
}

/** Returns what a version states about who decided it. */
export function statedVersion({ resource, constituents }: ServedVersion): StatedVersion {
  const definitions = constituents.map(({ definition }) => definition)
  return { ...resource, definition: { ...resource.definition, constituents: definitions } }
}

/** Returns the records of the versions of an index. */
export function recordsOfVersions(versions: readonly ServedVersion[]): ServedRecord[] {
  return versions.flatMap(({ resource, constituents }) => {
    const { index_id, index_version_id, published_at } = resource
    const path = `/indexes/${index_id}/versions/${index_version_id}`
    const named = { record_id: index_version_id, published_at }
    return [
      { kind: 'index_version', ...named, record: resource, proof: `${path}/proof` },
      { kind: 'constituents', ...named, record: constituents, proof: `${path}/constituents/proof` },
    ]
  })
}

/** Returns the records of governance. */
export function recordsOfGovernance({ rosters, policies, acts, states }: ServedGovernance): ServedRecord[] {
  const documents = (kind: 'roster' | 'policy', list: ServedGovernance['rosters' | 'policies']) =>
    list.map((record) => ({
      kind,
      record_id: `${kind}_${record.version}`,
      published_at: record.published_at,
      record,
      proof: `/governance/${kind}/proof?version=${record.version}`,
    }))
  return [
    ...documents('roster', rosters),
    ...documents('policy', policies),
    ...acts.map((record) => ({
      kind: 'governance_act',
      record_id: record.act_id,
      published_at: record.published_at,
      record,
      proof: `/governance/acts/${record.act_id}/proof`,
    })),
    ...states.map((record) => ({
      kind: 'proposal',
      record_id: `${record.proposal_id}.${record.revision}`,
      published_at: record.published_at,
      record,
      proof: `/governance/proposals/${record.proposal_id}/proof?revision=${record.revision}`,
    })),
  ]
}

/** Reads the published eligibility policies as records; the built-in one is part of the software, and is compared with it. */
export async function recordsOfPolicies(
  api: PublicApi,
  as_of: string,
  findings: Findings,
): Promise<readonly ServedRecord[]> {
  const policies = await api.list<EligibilityPolicy>('/eligibility/policies', { as_of })
  for (const record of policies.filter(({ published_at }) => published_at === null)) {
    const place = { check: 'included', subject: `eligibility_policy ${record.policy_id}@${record.version}` } as const
    compareShown(place, record, { facts: BUILT_IN, source: 'the software' }, findings)
  }
  return policies.flatMap((record) => {
    const { policy_id, version, published_at } = record
    const proof = `/eligibility/policies/${policy_id}/proof?version=${version}`
    const named = { kind: 'eligibility_policy', record_id: `${policy_id}@${version}`, record, proof }
    return published_at === null ? [] : [{ ...named, published_at }]
  })
}

/** Fields of the policy that is built in, as it is served. */
const BUILT_IN: Facts = {
  ...{ policy_id: BUILT_IN_POLICY.policy_id, version: BUILT_IN_POLICY.version, name: BUILT_IN_POLICY.name },
  ...{ record_hash: recordHash(BUILT_IN_POLICY), previous_hash: null, proposal_id: null, effective_from: null },
  ...{ rules: BUILT_IN_POLICY.rules, signed_content: canonicalJson(BUILT_IN_POLICY), published_at: null },
}

/** Reads the announced compositions of an index: the newest, those of its versions, and each that awaited a version then. */
export async function readProFormas(
  api: PublicApi,
  versions: readonly ServedVersion[],
  as_of: string,
): Promise<readonly ProForma[]> {
  const selected = versions.filter(({ resource }) => resource.definition.selection !== undefined)
  const [first] = selected
  if (first === undefined) return []
  const path = `/indexes/${first.resource.index_id}/pro-forma`
  const newest = (at: string) => api.find<ProForma>(path, { as_of: at })
  const starts = selected.map(({ resource: { effective_from } }) => api.find<ProForma>(path, { effective_from, as_of }))
  const awaiting = versions.map(async ({ resource: { effective_from, published_at } }) => {
    const found = await newest(published_at)
    // The own composition of a version is announced just before it, and hides one that awaits an earlier start.
    if (found === null || found.effective_from !== effective_from) return [found]
    return [found, await newest(formatMicros(toMicros(found.published_at) - 1))]
  })
  const found = [await newest(as_of), ...(await Promise.all(starts)), ...(await Promise.all(awaiting)).flat()]
  return [...new Map(found.flatMap((one) => (one === null ? [] : [[one.pro_forma_id, one] as const]))).values()]
}

/** Returns announced compositions as records. */
export function recordsOfProFormas(pro_formas: readonly ProForma[]): readonly ServedRecord[] {
  return pro_formas.map((record): ServedRecord => {
    const { index_id, pro_forma_id, effective_from, published_at } = record
    const proof = `/indexes/${index_id}/pro-forma/proof?effective_from=${effective_from}`
    return { kind: 'pro_forma', record_id: pro_forma_id, published_at, record, proof }
  })
}

/** Checks that nothing was published in place of an announced composition. */
export function checkFrozen(
  pro_formas: readonly ProForma[],
  versions: readonly ServedVersion[],
  findings: Findings,
): void {
  const frozen = pro_formas.map((one) => ({ ...one, composition: compositionText(one.definition, one.constituents) }))
  const published = versions.map(({ resource, constituents }) => {
    const members = constituents.map(({ definition }) => definition)
    const { governance, definition } = resource
    const composition = compositionText({ ...definition, constituents: members }, constituents)
    return { ...resource, is_governed: governance === 'governed', composition }
  })
  findings.count('announced', frozen.length)
  for (const { frozen: announced, by } of replacements(frozen, published)) {
    const message = `it was published in place of ${announced.pro_forma_id}, announced and frozen`
    findings.fail('announced', by.index_version_id, message)
  }
}

/** Returns the notices as records. The log's text of one without a draft has no field of it. */
export function recordsOfNotices(notices: readonly Notice[]): ServedRecord[] {
  return notices.map((notice) => {
    const { draft, draft_sha256, ...text } = notice
    const record = draft == null && draft_sha256 == null ? text : { ...text, draft, draft_sha256 }
    const { notice_id, published_at } = notice
    const proof = `/governance/notices/${notice_id}/proof`
    return { kind: 'notice', record_id: notice_id, published_at, record, proof }
  })
}

/** Reads the late restatements as records. */
export async function recordsOfRestatements(api: PublicApi, as_of: string): Promise<readonly ServedRecord[]> {
  const restatements = await api.list<Restatement>('/governance/restatements', { as_of })
  return restatements.map((record) => {
    const { proposal_id, published_at } = record
    const proof = `/governance/restatements/${proposal_id}/proof`
    return { kind: 'restatement', record_id: proposal_id, published_at, record, proof }
  })
}
