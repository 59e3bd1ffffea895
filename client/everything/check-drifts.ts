import {
  type DriftEnd,
  driftEnds,
  type LastingDrift,
  lastingDrifts,
} from '../../pipelines/eligibility/lasting-drift.ts'
import { NOTICE_FORMS } from '../../pipelines/notices/change-name.ts'
import { claimedNotices, claimFault } from '../../pipelines/notices/claimed-draft.ts'
import type { Notice as DerivedNotice } from '../../pipelines/notices/notice.ts'
import {
  type DriftFact,
  driftEndNoticeId,
  driftNoticeId,
  noticesOfDriftEnds,
  noticesOfDrifts,
  unmetIn,
} from '../../pipelines/notices/of-drifts.ts'
import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, MICROS_PER_SECOND, type Micros, microsOf, toMicros } from '../../primitives/instants.ts'
import type { MarketEligibility, ProForma } from '../../protocol/resources/eligibility.ts'
import type { Notice } from '../../protocol/resources/notice.ts'
import { SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import type { AnswerApi } from '../http/public-api.ts'
import { type DriftSources, readDriftRecords, type ServedDrift } from './drift-records.ts'
import type { Findings } from './report.ts'

/** Time in which a running service publishes a notice that is due; it looks every five minutes. */
const NOTICE_GRACE: Micros = 3600 * MICROS_PER_SECOND

/**
 * Derives the notices of drift again from published policies, versions and decisions, and compares them with those that are served. A
 * draft is compared with the version that it follows by what it removes.
 */
export async function checkDrifts(api: AnswerApi, sources: DriftSources, findings: Findings): Promise<void> {
  checkClaims(sources, findings)
  const shown = sources.notices.filter(({ kind }) => kind === 'drift')
  const is_ruled = sources.served.policies.some(({ drift_after = null }) => drift_after !== null)
  if (!is_ruled && shown.length === 0) {
    findings.skip('drift', 'no policy of governance has drift_after, and no notice is about drift')
    return
  }
  const served = await readDriftRecords(api, sources)
  const now = toMicros(sources.as_of)
  const drifts = new Map(lastingDrifts(served.records, now).map((drift) => [driftNoticeId(drift), drift]))
  const ends = new Map(driftEnds(served.records, now).map((end) => [driftEndNoticeId(end), end]))
  for (const notice of shown) {
    findings.count('drift')
    const [drift, end] = [drifts.get(notice.notice_id), ends.get(notice.notice_id)]
    if (drift !== undefined) compare(notice, await againOf(api, drift, notice, { ...sources, ...served }), findings)
    else if (end !== undefined) compare(notice, endAgain(end, served), findings)
    else findings.fail('drift', notice.notice_id, 'no drift follows from the published decisions')
  }
  const due = [...drifts, ...ends].map(([notice_id, { at }]) => ({ notice_id, at }))
  checkPublished(due, sources.notices, findings)
}

/** Checks that each version which names a notice as its author is the draft of that notice. */
export function checkClaims(
  { versions, notices }: Pick<DriftSources, 'versions' | 'notices'>,
  findings: Findings,
): void {
  for (const { resource, constituents } of versions) {
    const members = constituents.map(({ definition }) => definition)
    const definition = { ...resource.definition, constituents: members }
    if (claimedNotices(definition).length === 0) continue
    findings.count('drift')
    const fault = claimFault(definition, notices)
    if (fault !== null) findings.fail('drift', resource.index_version_id, fault)
  }
}

/** Checks that each notice that was due is published, if the service published others long after. */
function checkPublished(
  due: readonly { readonly notice_id: string; readonly at: Micros }[],
  notices: readonly Notice[],
  findings: Findings,
): void {
  const known = new Set(notices.map(({ notice_id }) => notice_id))
  const derived = notices.filter(({ actor_id }) => actor_id === null).map(({ published_at }) => toMicros(published_at))
  const last = derived.reduce((latest, at) => Math.max(latest, at), Number.NEGATIVE_INFINITY)
  for (const { notice_id, at } of due)
    if (!known.has(notice_id) && last > at + NOTICE_GRACE)
      findings.fail('drift', notice_id, `it was due at ${formatMicros(at)}, and no notice says so`)
}

type Context = DriftSources & ServedDrift

/** Returns the notice of a drift as it follows from the records, in each form; of its draft, text and start are those of the notice. */
async function againOf(
  api: AnswerApi,
  drift: LastingDrift,
  notice: Notice,
  context: Context,
): Promise<readonly DerivedNotice[] | string> {
  const draft = draftIn(notice, drift)
  if (typeof draft === 'string') return draft
  const constituents = await constituentsAt(api, drift, context)
  if (typeof constituents === 'string') return constituents
  const [, refused = null] = / No draft: (.*)$/s.exec(notice.text) ?? []
  return NOTICE_FORMS.flatMap((form) => noticesOfDrifts([{ ...drift, constituents, draft, refused }], form))
}

/** Returns the draft of a notice, or what is wrong with it; null: it has none. */
function draftIn(
  { notice_id, draft, draft_sha256, text }: Notice,
  { removed }: LastingDrift,
): DriftFact['draft'] | string {
  if (draft === null) return null
  if (sha256Hex(draft) !== draft_sha256) return 'draft_sha256 is not that of the draft'
  const version = versionIn(draft)
  if (version === null) return 'the draft is not the RFC 8785 form of a definition with one version'
  const { change_summary, constituents, effective_from, version: name } = version
  const summary = Array.isArray(change_summary) ? (change_summary as readonly unknown[]) : []
  if (summary[0] !== `drafted by notice ${notice_id}`) return 'the draft names another notice'
  const stays = Array.isArray(constituents) ? (constituents as readonly unknown[]) : []
  const ids = new Set(removed.map(({ constituent_id }) => constituent_id))
  if (stays.some((one) => isObject(one) && ids.has(String(one.constituent_id))))
    return 'the draft keeps a constituent that drifted'
  const unmet = unmetIn(text)
  if (unmet !== null && (microsOf(unmet) ?? 0) <= (microsOf(String(effective_from)) ?? 0))
    return 'it says that no proposal can meet the start of its draft, and names no later instant'
  return { text: draft, version: String(name), effective_from: String(effective_from), earliest_effect_at: unmet }
}

function versionIn(draft: string): Readonly<Record<string, unknown>> | null {
  try {
    const file: unknown = JSON.parse(draft)
    const versions: unknown = isObject(file) && canonicalJson(file) === draft ? file.versions : null
    const [version, ...others]: unknown[] = Array.isArray(versions) ? versions : []
    return isObject(version) && others.length === 0 ? version : null
  } catch {
    return null
  }
}

async function constituentsAt(
  api: AnswerApi,
  { index_id, index_version_id, policy_id, policy_version, at, removed }: LastingDrift,
  { versions, decisions }: Context,
): Promise<DriftFact['constituents'] | string> {
  const version = versions.find(({ resource }) => resource.index_version_id === index_version_id)!
  const { effective_from } = version.resource
  const asked = { effective_from, as_of: formatMicros(at) }
  const announced = await api.find<ProForma>(`/indexes/${index_id}/pro-forma`, asked)
  const selected = announced?.index_version_id === index_version_id ? announced.constituents : []
  const facts = removed.map((one) => {
    const decision = decisionAt(decisions, { market_id: one.market_id, policy_id, policy_version }, at)
    if (decision?.status !== 'ineligible') return null
    const member = version.constituents.find(({ constituent_id }) => constituent_id === one.constituent_id)
    return {
      ...one,
      facts_at_selection: selected.find(({ market_id }) => market_id === one.market_id)?.facts ?? null,
      status: decision.status,
      status_at_selection: member?.eligibility_status ?? null,
      reason_codes: decision.reason_codes,
      // Decisions by the terms of the source state no facts.
      facts: policy_id === SOURCE_TERMS_POLICY ? [] : decision.facts,
      facts_as_of: decision.facts_as_of!,
    }
  })
  return facts.includes(null) ? 'a constituent of it was not ineligible then' : facts.map((one) => one!)
}

function endAgain(end: DriftEnd, { decisions }: ServedDrift): readonly DerivedNotice[] {
  const { policy_id, policy_version } = end.drift
  const statuses = end.accepted.map(({ market_id }) => {
    const decision = decisionAt(decisions, { market_id, policy_id, policy_version }, end.at)
    return [market_id, String(decision?.status)] as const
  })
  return noticesOfDriftEnds([{ ...end, status_of: Object.fromEntries(statuses) }])
}

/** Returns the decision in force at an instant; decisions about a market are read newest first. */
function decisionAt(
  decisions: readonly MarketEligibility[],
  about: Pick<MarketEligibility, 'market_id' | 'policy_id' | 'policy_version'>,
  at: Micros,
): MarketEligibility | undefined {
  return decisions.find(
    ({ market_id, policy_id, policy_version, published_at }) =>
      market_id === about.market_id &&
      policy_id === about.policy_id &&
      policy_version === about.policy_version &&
      toMicros(published_at) <= at,
  )
}

/** @param wanted notice that follows, in each form that releases wrote it in, or why none does */
function compare(notice: Notice, wanted: readonly DerivedNotice[] | string, findings: Findings): void {
  if (typeof wanted === 'string') {
    findings.fail('drift', notice.notice_id, wanted)
    return
  }
  const seen = notice as Readonly<Record<string, unknown>>
  const fields = wanted.map((form) =>
    Object.entries(form).find(([name, value]) => canonicalJson(seen[name] ?? null) !== canonicalJson(value)),
  )
  if (fields.includes(undefined)) return
  findings.fail('drift', notice.notice_id, `${fields[0]![0]} is not what follows from the records`)
}
