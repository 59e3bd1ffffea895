import { sealedThrough } from '../../pipelines/transparency/seal.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import { type AnswerApi, createPublicApi, type OnWait } from '../http/public-api.ts'
import { type Credentials, requestKey } from '../trading/credentials.ts'
import { logOverHttp } from '../transparency/log-over-http.ts'
import { checkGovernance } from './check-governance.ts'
import { checkIncluded, type ServedRecord } from './check-included.ts'
import { checkApprovals, checkLevels } from './check-levels.ts'
import { type CheckedLog, checkLog, type TrustedFacts } from './check-log.ts'
import { checkRestatements, revisionOf, type ServedRevision } from './check-restatements.ts'
import { createFindings, type EverythingReport, type Findings } from './report.ts'
import {
  readVersions,
  recordsOfGovernance,
  recordsOfMethodologies,
  recordsOfNotices,
  recordsOfRestatements,
  recordsOfVersions,
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
  readonly on_wait?: OnWait
}

type Context = {
  readonly api: AnswerApi
  readonly log: CheckedLog | null
  readonly as_of: string
  readonly since: string | null
  readonly findings: Findings
  readonly onLevels: (count: number) => void
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
  const api = createPublicApi(base_url, signal, options.on_wait, key)
  const findings = createFindings()
  const log = await checkLog(logOverHttp(base_url, signal), { vkey, seen, witnesses }, findings)
  const as_of = await instantOf(api, log)
  const context = { api, log, as_of, since, findings, onLevels: options.on_progress ?? (() => undefined) }
  const { served, replayed } = await checkGovernance(api, { as_of, root_hash }, findings)
  const ungoverned: string[] = []
  for (const { index_id } of await api.list<Index>('/indexes', { as_of })) {
    const versions = await readVersions(api, index_id, as_of)
    const revisions: ServedRevision[] = []
    const onLevel = (level: IndexObservation) => {
      const revision = revisionOf(level)
      if (revision !== null) revisions.push(revision)
    }
    const uses = await checkLevels(api, { index_id, as_of, since, key: log?.key ?? null }, { ...context, onLevel })
    const asked = { revisions, is_whole: since === null }
    await checkRestatements(api, index_id, asked, { governance: replayed, findings })
    ungoverned.push(...checkApprovals(versions.map(statedVersion), uses, replayed, findings))
    await includeAll(context, recordsOfVersions(versions))
  }
  await includeAll(context, await recordsOfMethodologies(api, as_of))
  await includeAll(context, recordsOfGovernance(served))
  await includeAll(context, await recordsOfNotices(api, as_of))
  await includeAll(context, await recordsOfRestatements(api, as_of))
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
  const through = log?.last_seal == null ? null : sealedThrough(log.last_seal, 'index_observation')
  if (through !== null) return formatMicros(through)
  const { meta } = await api.answer('/indexes', { limit: 1 })
  return String(meta?.published_at)
}

async function includeAll({ api, log, findings }: Context, records: readonly ServedRecord[]): Promise<void> {
  if (log === null) return
  await Promise.all(records.map((record) => checkIncluded(api, log, record, findings)))
}

/** Compares the number of levels in the log with that of the levels served. */
function checkComplete({ log, as_of, since, findings }: Context): void {
  if (log === null) return
  const [from, to] = [since === null ? Number.NEGATIVE_INFINITY : toMicros(since), toMicros(as_of)]
  const logged = log.levels_at.filter((at) => from <= at && at <= to).length
  const served = findings.parts().find(({ check }) => check === 'levels')!.checked
  findings.count('complete', logged)
  if (logged !== served) findings.fail('complete', 'levels', `the log has ${logged}, the service shows ${served}`)
}

function factsOf({ checkpoint, last_seal }: CheckedLog): EverythingReport['log'] {
  const { origin, size } = checkpoint
  return { origin, size, sealed_through: last_seal?.sealed_through ?? null }
}
