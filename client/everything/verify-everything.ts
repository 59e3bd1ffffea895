import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { Notice } from '../../protocol/resources/notice.ts'
import { type AnswerApi, type OnWait, openPublicApi } from '../http/public-api.ts'
import { signRequest } from '../signing/sign-request.ts'
import { type Credentials, requestKey } from '../trading/credentials.ts'
import { logOverHttp } from '../transparency/log-over-http.ts'
import { checkRatings, checkSeverity } from './check-assessments.ts'
import { checkComplaints } from './check-complaints.ts'
import { checkDrifts } from './check-drifts.ts'
import { checkGovernance } from './check-governance.ts'
import { checkIncluded, type ServedRecord } from './check-included.ts'
import { checkApprovals, checkLevels } from './check-levels.ts'
import { type CheckedLog, COUNTED_KINDS, type CountedKind, checkLog, type TrustedFacts } from './check-log.ts'
import { checkRestatements, revisionOf, type ServedRevision } from './check-restatements.ts'
import type { AssessedRecord } from './complaint-subjects.ts'
import { createFindings, type EverythingReport, type Findings } from './report.ts'
import {
  checkEnds,
  readVersions,
  recordsOfGovernance,
  recordsOfMethodologies,
  recordsOfNotices,
  recordsOfPolicies,
  recordsOfProFormas,
  recordsOfRestatements,
  recordsOfVersions,
  type ServedVersion,
  statedVersion,
} from './served-records.ts'

export type VerifyEverythingOptions = Partial<TrustedFacts> & {
  /** Address of the service, without /v1. */
  readonly base_url: string
  /** record_hash of a roster that is trusted. */
  readonly root_hash?: string | null
  /** Only levels published at or after this instant. */
  readonly since?: string | null
  /** Key of an account, for its rate limits; null: those of an address. */
  readonly credentials?: Credentials | null
  readonly signal?: AbortSignal
  /** Called as levels are recomputed. */
  readonly on_progress?: (levels: number) => void
  /** Called as a step begins, with what is checked: `the log`, `index idx_... (1 of 4)`. */
  readonly on_step?: (step: string) => void
  readonly on_wait?: OnWait
}

type Context = {
  readonly api: AnswerApi
  readonly log: CheckedLog | null
  readonly as_of: string
  readonly since: string | null
  readonly findings: Findings
  readonly onLevels: (count: number) => void
  /** Publications of the served records by kind, levels excepted, which are counted. */
  readonly shown: Map<string, string[]>
}

/**
 * Verifies a whole deployment from its public answers: its log, its governance, every level, and that each level is under a version
 * that was approved and announced before its first use. All answers are as of one instant, which the log has sealed.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: it cannot be asked; PROOF_INVALID: a given key or checkpoint is none
 */
export async function verifyEverything(options: VerifyEverythingOptions): Promise<EverythingReport> {
  const { base_url, vkey = null, seen = null, witnesses = [], root_hash = null, since = null, signal } = options
  const began = performance.now()
  const { credentials = null } = options
  const key = credentials === null ? null : requestKey(credentials)
  const api = openPublicApi(base_url, {
    ...(signal === undefined ? {} : { signal }),
    ...(options.on_wait === undefined ? {} : { on_wait: options.on_wait }),
    ...(key === null ? {} : { signed: { key, sign: signRequest } }),
  })
  const findings = createFindings()
  const begin = options.on_step ?? (() => undefined)
  begin('the log')
  const log = await checkLog(logOverHttp(base_url, signal), { vkey, seen, witnesses }, findings)
  const as_of = await instantOf(api, log)
  const onLevels = options.on_progress ?? (() => undefined)
  const context: Context = { api, log, as_of, since, findings, onLevels, shown: new Map() }
  begin('governance')
  const { served, replayed } = await checkGovernance(api, { as_of, root_hash }, findings)
  const ungoverned: string[] = []
  const all_versions: ServedVersion[] = []
  const indexes = await api.list<Index>('/indexes', { as_of })
  for (const [n, { index_id }] of indexes.entries()) {
    begin(`index ${index_id} (${n + 1} of ${indexes.length})`)
    const versions = await readVersions(api, index_id, as_of)
    all_versions.push(...versions)
    const revisions: ServedRevision[] = []
    const onLevel = (level: IndexObservation) => {
      const revision = revisionOf(level)
      if (revision !== null) revisions.push(revision)
    }
    const uses = await checkLevels(api, { index_id, as_of, since, log }, { ...context, onLevel })
    const asked = { revisions, is_whole: since === null }
    await checkRestatements(api, index_id, asked, { governance: replayed, findings })
    ungoverned.push(...checkApprovals(versions.map(statedVersion), uses, replayed, findings))
    checkEnds(versions, findings)
    await includeAll(context, recordsOfVersions(versions))
    await includeAll(context, await recordsOfProFormas(api, versions, as_of))
  }
  begin('methodologies, policies and notices')
  await includeAll(context, await recordsOfMethodologies(api, as_of))
  await includeAll(context, recordsOfGovernance(served))
  await includeAll(context, await recordsOfPolicies(api, as_of, findings))
  const notices = await api.list<Notice>('/governance/notices', { as_of })
  await includeAll(context, recordsOfNotices(notices))
  await includeAll(context, await recordsOfRestatements(api, as_of))
  begin('ratings')
  const ratings = await checkRatings(api, context)
  await includeAll(context, ratings)
  begin('severity')
  const assessments = await checkSeverity(api, context)
  await includeAll(context, assessments)
  begin('complaints and drift')
  const assessed = [...ratings, ...assessments].map(({ record }) => record as AssessedRecord)
  const about = { versions: all_versions, assessed }
  await includeAll(context, await checkComplaints(api, { as_of, served, replayed, notices, about, findings }))
  await checkDrifts(api, { as_of, served, versions: all_versions, notices }, findings)
  checkComplete(context)
  const parts = findings.parts()
  return {
    ok: parts.every(({ failed }) => failed === 0),
    base_url,
    log: log === null ? null : factsOf(log),
    since,
    checks: parts,
    failures: findings.failures(),
    ungoverned,
    took_ms: Math.round(performance.now() - began),
  }
}

/** Returns the instant of all answers: the log has every level through it; without a log, the present. */
async function instantOf(api: AnswerApi, log: CheckedLog | null): Promise<string> {
  const through = log === null ? null : log.sealedThrough('index_observation')
  if (through !== null) return formatMicros(through)
  const { meta } = await api.answer('/indexes', { limit: 1 })
  return String(meta?.published_at)
}

async function includeAll({ api, log, findings, shown }: Context, records: readonly ServedRecord[]): Promise<void> {
  if (log === null) return
  for (const { kind, published_at } of records) shown.set(kind, [...(shown.get(kind) ?? []), published_at])
  await Promise.all(records.map((record) => checkIncluded(api, log, record, findings)))
}

/** Compares the number of records in the log with that of the records served, kind by kind. */
function checkComplete({ log, as_of, since, findings, shown }: Context): void {
  if (log === null) return
  for (const kind of COUNTED_KINDS) {
    const through = log.sealedThrough(kind)
    if (through === null) continue
    const to = Math.min(through, toMicros(as_of))
    const is_level = kind === 'index_observation'
    const from = is_level && since !== null ? toMicros(since) : Number.NEGATIVE_INFINITY
    const logged = log.publishedAt(kind).filter((at) => from <= at && at <= to).length
    const served = is_level
      ? findings.parts().find(({ check }) => check === 'levels')!.checked
      : (shown.get(kind) ?? []).filter((published_at) => toMicros(published_at) <= to).length
    findings.count('complete', logged)
    if (logged !== served) findings.fail('complete', NAMES[kind], `the log has ${logged}, the service shows ${served}`)
  }
}

const NAMES: Readonly<Record<CountedKind, string>> = {
  index_observation: 'levels',
  index_version: 'versions',
  constituents: 'lists of constituents',
  methodology: 'methodologies',
  roster: 'rosters',
  policy: 'policies',
  governance_act: 'acts of governance',
  proposal: 'states of proposals',
  eligibility_policy: 'eligibility policies',
  notice: 'notices',
  restatement: 'restatements',
  rating: 'ratings',
  severity: 'severity assessments',
  complaint: 'acts on complaints',
}

function factsOf({ checkpoint, last_seal }: CheckedLog): EverythingReport['log'] {
  const { origin, size } = checkpoint
  return { origin, size, sealed_through: last_seal?.sealed_through ?? null }
}
