/** Checks of a whole deployment, in the order in which they are made and shown. */
const EVERYTHING_CHECKS = {
  steps: 'every step was made to its end',
  answers: 'answers are as the contract says',
  key: 'the key of the log is the one that is trusted',
  log: 'signature, entries, tiles and root of the log',
  seals: 'no gap between seals',
  consistency: 'the log continues the saved checkpoint',
  witness: 'witnesses cosigned the checkpoint',
  roster_chain: 'rosters follow each other from the root',
  policy_chain: 'policies follow each other',
  act_signatures: 'acts are signed by the keys that they name',
  acts: 'each act could follow the acts before it',
  decisions: 'published rosters, policies and proposals follow from the acts',
  levels: 'levels are recomputed from public records',
  approved: 'levels are under versions that were approved before',
  announced: 'levels are under versions that were announced in time, and as they were frozen',
  restated: 'late revisions of levels were approved with their values',
  ratings: 'ratings follow from the figures of their evidence',
  severity: 'severity assessments follow from the figures of their evidence',
  complaints: 'complaints were decided as their acts say, by nobody who took part',
  drift: 'notices of drift follow from published decisions',
  included: 'published records are in the log as they are served',
  complete: 'the log has as many records of each kind as are served',
} as const
export type EverythingCheck = keyof typeof EVERYTHING_CHECKS

/** Result of one check; `skipped`: why it was not made, or only in part. */
type CheckedPart = {
  readonly check: EverythingCheck
  readonly title: string
  readonly checked: number
  readonly failed: number
  readonly skipped: string | null
}

/** One thing that does not verify. */
type EverythingFailure = {
  readonly check: EverythingCheck
  readonly subject: string
  readonly message: string
}

export type EverythingReport = {
  readonly ok: boolean
  readonly base_url: string
  /** Name, entries and sealed instant of the log; null: the deployment has none. */
  readonly log: { readonly origin: string; readonly size: number; readonly sealed_through: string | null } | null
  readonly since: string | null
  readonly checks: readonly CheckedPart[]
  /** The first failures. */
  readonly failures: readonly EverythingFailure[]
  /** Versions that one person applied, without a proposal. */
  readonly ungoverned: readonly string[]
  readonly took_ms: number
}

/** Failures that a report names; all are counted. */
const FAILURES_MAX = 100

/** Results as they come in. */
export type Findings = {
  /** Counts things that a check looked at. */
  count(check: EverythingCheck, things?: number): void
  fail(check: EverythingCheck, subject: string, message: string): void
  /** Notes why a check was not made, or only in part; the first reason stays. */
  skip(check: EverythingCheck, reason: string): void
  hasFailed(check: EverythingCheck): boolean
  parts(): readonly CheckedPart[]
  failures(): readonly EverythingFailure[]
}

/** Creates empty findings. */
export function createFindings(): Findings {
  const checks = Object.keys(EVERYTHING_CHECKS) as EverythingCheck[]
  const found = new Map(checks.map((check) => [check, { checked: 0, failed: 0, skipped: null as string | null }]))
  const failures: EverythingFailure[] = []
  return {
    count(check, things = 1) {
      found.get(check)!.checked += things
    },
    fail(check, subject, message) {
      found.get(check)!.failed += 1
      if (failures.length < FAILURES_MAX) failures.push({ check, subject, message })
    },
    skip(check, reason) {
      found.get(check)!.skipped ??= reason
    },
    hasFailed: (check) => found.get(check)!.failed > 0,
    parts: () => checks.map((check) => ({ check, title: EVERYTHING_CHECKS[check], ...found.get(check)! })),
    failures: () => failures,
  }
}
