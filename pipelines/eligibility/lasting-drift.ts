import { durationMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'

/** Version of an eligibility policy. */
type Policy = { readonly policy_id: string; readonly policy_version: number }

/** Version of an index, with the policy that judges its constituents. */
type JudgedVersion = Policy & {
  readonly index_id: string
  readonly index_version_id: string
  readonly effective_from: Instant
  readonly published_at: Instant
  readonly members: readonly { readonly constituent_id: string; readonly market_id: string }[]
}

/** Decision about a market, as published. */
type PublishedDecision = Policy & {
  readonly decision_id: string
  readonly market_id: string
  readonly is_ineligible: boolean
  readonly published_at: Instant
}

/** Published records from which lasting drift follows, each kind in the order of publication. */
export type DriftRecords = {
  /** Policies of governance; `drift_after` null: drift leads to nothing. */
  readonly rules: readonly { readonly drift_after: string | null; readonly published_at: Instant }[]
  /** Indexes that proposals decide, with the instant since which they do. */
  readonly governed: readonly { readonly index_id: string; readonly since: Instant }[]
  readonly statuses: readonly { readonly index_id: string; readonly status: string; readonly published_at: Instant }[]
  readonly versions: readonly JudgedVersion[]
  readonly decisions: readonly PublishedDecision[]
}

/** Drift that has lasted as long as the policy of governance allows. */
export type LastingDrift = Policy & {
  readonly index_id: string
  readonly index_version_id: string
  /** Instant since which the constituents that it is about are ineligible, and the instant at which it had lasted. */
  readonly since: Micros
  readonly at: Micros
  readonly drift_after: string
  /** First decision against each of them. */
  readonly decision_ids: readonly string[]
  /** Every constituent whose drift had lasted then. */
  readonly removed: readonly { readonly constituent_id: string; readonly market_id: string }[]
}

/** Instant at which constituents of a drift stopped to be ineligible, while their version was judged. */
export type DriftEnd = {
  readonly drift: LastingDrift
  readonly at: Micros
  /** Decision that accepts each of them. */
  readonly decision_ids: readonly string[]
  readonly accepted: LastingDrift['removed']
  /** Constituents of the drift that are still ineligible. */
  readonly remaining: LastingDrift['removed']
}

/** Instants in [from, to). */
type Span = { readonly from: Micros; readonly to: Micros }
type RuledSpan = Span & { readonly drift_after: string }

/** Decisions against a constituent, from the first to the one that accepts it again. */
type Run = Span & {
  readonly decision_id: string
  /** null: the version was judged no longer, or nothing accepts the constituent. */
  readonly accepted_by: string | null
  readonly constituent_id: string
  readonly market_id: string
}

/** Drift with the runs of the constituents that it removes. */
type DriftOfRuns = { readonly drift: LastingDrift; readonly runs: readonly Run[] }

/** Statuses in which an index awaits no new version. */
const AT_REST: readonly string[] = ['suspended', 'archived']

/**
 * Returns every drift that had lasted by an instant. Only records that were published by then decide, so later records add drifts and
 * change none. A version whose successor is published is judged no longer: a change is under way.
 */
export function lastingDrifts(records: DriftRecords, now: Micros): readonly LastingDrift[] {
  return driftsWithRuns(records, now).map(({ drift }) => drift)
}

/**
 * Returns every instant by now at which constituents of a drift that had lasted were accepted again. A published successor ends no
 * drift: it is the change that the drift asked for, or another that makes it moot.
 */
export function driftEnds(records: DriftRecords, now: Micros): readonly DriftEnd[] {
  return driftsWithRuns(records, now).flatMap(({ drift, runs }) => {
    const ended = runs.filter(({ accepted_by, to }) => accepted_by !== null && to <= now)
    const instants = [...new Set(ended.map(({ to }) => to))].sort((a, b) => a - b)
    return instants.map((at) => {
      const accepted = ended.filter(({ to }) => to === at)
      return {
        ...{ drift, at, accepted: membersOf(accepted) },
        decision_ids: accepted.map(({ accepted_by }) => accepted_by!).sort(),
        remaining: membersOf(runs.filter(({ to }) => to > at)),
      }
    })
  })
}

function driftsWithRuns(records: DriftRecords, now: Micros): readonly DriftOfRuns[] {
  const decisions = grouped(records.decisions, policyKey)
  const versions = grouped(records.versions, ({ index_id }) => index_id)
  return [...versions.values()].flatMap((own) =>
    own.flatMap((version, i) => {
      const successor = own[i + 1]
      const from = Math.max(toMicros(version.effective_from), toMicros(version.published_at))
      const span = { from, to: successor === undefined ? Number.POSITIVE_INFINITY : toMicros(successor.published_at) }
      const runs = runsIn(version, span, decisions.get(policyKey(version)) ?? [])
      return runs.length === 0 ? [] : driftsOf(version, runs, ruledSpans(records, version.index_id, span), now)
    }),
  )
}

function grouped<T>(records: readonly T[], keyOf: (record: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const record of records) {
    const group = groups.get(keyOf(record))
    if (group === undefined) groups.set(keyOf(record), [record])
    else group.push(record)
  }
  return groups
}

function policyKey({ policy_id, policy_version }: Policy): string {
  return `${policy_id} ${policy_version}`
}

/** Returns the drifts of a version, one for each instant at which some of its runs had lasted. */
function driftsOf(
  { index_id, index_version_id, policy_id, policy_version }: JudgedVersion,
  runs: readonly Run[],
  spans: readonly RuledSpan[],
  now: Micros,
): DriftOfRuns[] {
  const lasting = runs.flatMap((run) => {
    const due = dueOf(run, spans)
    return due === null || due.at > now || run.to <= due.at ? [] : [{ run, ...due }]
  })
  const instants = [...new Set(lasting.map(({ at }) => at))].sort((a, b) => a - b)
  return instants.map((at) => {
    const first = lasting.filter((one) => one.at === at)
    const removed = lasting.filter((one) => one.at <= at && one.run.to > at).map(({ run }) => run)
    const drift = {
      ...{ index_id, index_version_id, policy_id, policy_version, at, drift_after: first[0]!.drift_after },
      since: Math.min(...first.map(({ run }) => run.from)),
      decision_ids: first.map(({ run }) => run.decision_id).sort(),
      removed: membersOf(removed),
    }
    return { drift, runs: removed }
  })
}

function membersOf(runs: readonly Run[]): LastingDrift['removed'] {
  return runs
    .map(({ constituent_id, market_id }) => ({ constituent_id, market_id }))
    .sort((a, b) => (a.constituent_id < b.constituent_id ? -1 : 1))
}

/** Returns when a run has lasted by the first policy that asks for it; null: never. */
function dueOf({ from }: Span, spans: readonly RuledSpan[]): { at: Micros; drift_after: string } | null {
  for (const { drift_after, ...span } of spans) {
    const at = Math.max(from + durationMicros(drift_after), span.from)
    if (at < span.to) return { at, drift_after }
  }
  return null
}

/** Returns the runs of decisions against the constituents of a version, while it is judged. */
function runsIn({ members }: JudgedVersion, span: Span, decisions: readonly PublishedDecision[]): readonly Run[] {
  const by_market = grouped(decisions, ({ market_id }) => market_id)
  return members.flatMap((member) => {
    const runs: Run[] = []
    let first: PublishedDecision | null = null
    const end = (to: Micros, accepted_by: string | null) => {
      const from = first === null ? to : Math.max(toMicros(first.published_at), span.from)
      const run = { ...member, from, to: Math.min(to, span.to), accepted_by: to < span.to ? accepted_by : null }
      if (first !== null && run.from < run.to) runs.push({ ...run, decision_id: first.decision_id })
      first = null
    }
    for (const decision of by_market.get(member.market_id) ?? [])
      if (!decision.is_ineligible) end(toMicros(decision.published_at), decision.decision_id)
      else first ??= decision
    end(Number.POSITIVE_INFINITY, null)
    return runs
  })
}

/** Returns the spans in which drift of an index leads to something, in order: under a rule, governed, and not at rest. */
function ruledSpans({ rules, governed, statuses }: DriftRecords, index_id: string, span: Span): readonly RuledSpan[] {
  const since = governed.find((one) => one.index_id === index_id)?.since
  if (since === undefined) return []
  const own = statuses.filter((one) => one.index_id === index_id)
  const live = spansOf(own).filter((one) => !AT_REST.includes(one.status))
  const from = Math.max(span.from, toMicros(since))
  return spansOf(rules).flatMap(({ drift_after, ...rule }) => {
    if (drift_after === null) return []
    const parts = live.map((one) => ({
      from: Math.max(from, rule.from, one.from),
      to: Math.min(span.to, rule.to, one.to),
      drift_after,
    }))
    return parts.filter((one) => one.from < one.to)
  })
}

/** Returns how long each of successive records was the newest. */
function spansOf<T extends { readonly published_at: Instant }>(records: readonly T[]): readonly (T & Span)[] {
  return records.map((record, i) => {
    const next = records[i + 1]
    const to = next === undefined ? Number.POSITIVE_INFINITY : toMicros(next.published_at)
    return { ...record, from: toMicros(record.published_at), to }
  })
}
