import { parseKey } from '../../pipelines/transparency/signed-note.ts'
import { formatMicros, microsOf, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { Notice } from '../../protocol/resources/notice.ts'
import type { AnswerApi, OnWait } from '../http/public-api.ts'
import type { Credentials } from '../trading/credentials.ts'
import { logOverHttp } from '../transparency/log-over-http.ts'
import { checkRatings, checkSeverity } from './check-assessments.ts'
import { checkComplaints } from './check-complaints.ts'
import { checkDrifts } from './check-drifts.ts'
import { checkGovernance, unknownGovernance } from './check-governance.ts'
import { checkIncluded, type ServedRecord } from './check-included.ts'
import { checkApprovals, checkLevels } from './check-levels.ts'
import { type CheckedLog, COUNTED_KINDS, type CountedKind, checkLog, skipLog, type TrustedFacts } from './check-log.ts'
import { checkRestatements, revisionOf, type ServedRevision } from './check-restatements.ts'
import type { Facts } from './compare-shown.ts'
import type { AssessedRecord } from './complaint-subjects.ts'
import { checkMethodologyDetails, recordsOfMethodologies } from './methodology-records.ts'
import { openChecked } from './open-checked.ts'
import type { ReplayedGovernance } from './replay-acts.ts'
import { createFindings, type EverythingReport, type Findings } from './report.ts'
import {
  checkEnds,
  checkFrozen,
  readProFormas,
  readVersions,
  recordsOfGovernance,
  recordsOfNotices,
  recordsOfPolicies,
  recordsOfProFormas,
  recordsOfRestatements,
  recordsOfVersions,
  type ServedVersion,
  statedVersion,
} from './served-records.ts'
import { createSteps, nothing, type Step, type StepOptions } from './steps.ts'

export type VerifyEverythingOptions = Partial<TrustedFacts> &
  StepOptions & {
    /** Address of the service, without /v1. */
    readonly base_url: string
    /** record_hash of a roster that is trusted. */
    readonly root_hash?: string | null
    /** Only levels published at or after this instant. */
    readonly since?: string | null
    /** Key of an account, for its rate limits; null: those of an address. */
    readonly credentials?: Credentials | null
    /** Called as levels are recomputed. */
    readonly on_progress?: (levels: number) => void
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
 * that was approved and announced before its first use. All answers are as of one instant, which the log has sealed. An answer that is
 * not as the contract says is a finding, and ends no other step.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: it cannot be asked; PROOF_INVALID: a given key is none
 */
export async function verifyEverything(options: VerifyEverythingOptions): Promise<EverythingReport> {
  const { base_url, vkey = null, seen = null, witnesses = [], root_hash = null, since = null, signal } = options
  const began = performance.now()
  for (const text of vkey === null ? witnesses : [vkey, ...witnesses]) parseKey(text)
  const findings = createFindings()
  const { api, methodologies } = openChecked(options, findings)
  const step = createSteps(findings, options)
  const unread = () => skipLog(findings, 'the log could not be read')
  const log = await step(
    'the log',
    () => checkLog(logOverHttp(base_url, signal), { vkey, seen, witnesses }, findings),
    unread,
  )
  const as_of = await instantOf(api, log)
  const onLevels = options.on_progress ?? (() => undefined)
  const context: Context = { api, log, as_of, since, findings, onLevels, shown: new Map() }
  const governance = await step(
    'governance',
    () => checkGovernance(api, { as_of, root_hash }, findings),
    unknownGovernance,
  )
  const { ungoverned, versions } = await checkIndexes(context, governance, step)
  await checkOthers(context, { ...governance, versions, methodologies }, step)
  await step('number of records', async () => checkComplete(context), nothing)
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

type Governance = Awaited<ReturnType<typeof checkGovernance>>

/** Checks the levels and versions of every index. */
async function checkIndexes(context: Context, { replayed }: Governance, step: Step) {
  const { api, as_of } = context
  const ungoverned: string[] = []
  const versions: ServedVersion[] = []
  const indexes = await step(
    'indexes',
    () => api.list<Index>('/indexes', { as_of }),
    () => [],
  )
  for (const [n, { index_id }] of indexes.entries())
    await step(
      `index ${index_id} (${n + 1} of ${indexes.length})`,
      async () => {
        const own = await readVersions(api, index_id, as_of)
        versions.push(...own)
        ungoverned.push(...(await checkIndex(context, index_id, own, replayed)))
      },
      nothing,
    )
  return { ungoverned, versions }
}

/** Checks the levels of an index, and that each is under a version that was decided before. @returns names of ungoverned versions */
async function checkIndex(
  context: Context,
  index_id: string,
  versions: readonly ServedVersion[],
  replayed: ReplayedGovernance,
): Promise<readonly string[]> {
  const { api, as_of, since, log, findings } = context
  await includeAll(context, recordsOfVersions(versions))
  const pro_formas = await readProFormas(api, versions, as_of)
  await includeAll(context, recordsOfProFormas(pro_formas))
  checkFrozen(pro_formas, versions, findings)
  checkEnds(versions, findings)
  const revisions: ServedRevision[] = []
  const onLevel = (level: IndexObservation) => {
    const revision = revisionOf(level)
    if (revision !== null) revisions.push(revision)
  }
  const uses = await checkLevels(api, { index_id, as_of, since, log }, { ...context, onLevel })
  const ungoverned = checkApprovals(versions.map(statedVersion), uses, replayed, findings)
  const asked = { revisions, is_whole: since === null }
  await checkRestatements(api, index_id, asked, { governance: replayed, findings })
  return ungoverned
}

type Read = Governance & { readonly versions: readonly ServedVersion[]; readonly methodologies: readonly Facts[] }

/** Checks the records that are of no one index. */
async function checkOthers(context: Context, read: Read, step: Step): Promise<void> {
  const { api, as_of, findings } = context
  const { served, replayed, versions } = read
  await step(
    'methodologies',
    async () => {
      const listed = await recordsOfMethodologies(api, as_of)
      await includeAll(context, listed)
      checkMethodologyDetails(read.methodologies, listed, context)
    },
    nothing,
  )
  await step(
    'policies',
    async () => {
      await includeAll(context, recordsOfGovernance(served))
      await includeAll(context, await recordsOfPolicies(api, as_of, findings))
    },
    nothing,
  )
  const notices = await step(
    'notices',
    () => api.list<Notice>('/governance/notices', { as_of }),
    () => [],
  )
  await step('records of notices', () => includeAll(context, recordsOfNotices(notices)), nothing)
  await step('restatements', async () => includeAll(context, await recordsOfRestatements(api, as_of)), nothing)
  const assessed = [...(await assessedBy('ratings', checkRatings)), ...(await assessedBy('severity', checkSeverity))]
  const about = { versions, assessed }
  const asked = { as_of, served, replayed, notices, about, findings }
  await step('complaints', async () => includeAll(context, await checkComplaints(api, asked)), nothing)
  await step('drift', () => checkDrifts(api, { as_of, served, versions, notices }, findings), nothing)

  async function assessedBy(name: string, check: typeof checkRatings): Promise<readonly AssessedRecord[]> {
    const records = await step(
      name,
      () => check(api, context),
      () => [],
    )
    await step(`records of ${name}`, () => includeAll(context, records), nothing)
    return records.map(({ record }) => record as AssessedRecord)
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
      : (shown.get(kind) ?? []).filter((published_at) => (microsOf(published_at) ?? to) <= to).length
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
