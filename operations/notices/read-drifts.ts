import type { ConstituentEligibility } from '../../pipelines/eligibility/drift.ts'
import { driftRationale } from '../../pipelines/eligibility/drift-draft.ts'
import {
  type DriftEnd,
  type DriftRecords,
  driftEnds,
  type LastingDrift,
  lastingDrifts,
} from '../../pipelines/eligibility/lasting-drift.ts'
import { policyInForce } from '../../pipelines/governance/proposal.ts'
import {
  type DriftEndFact,
  type DriftFact,
  driftEndNoticeId,
  driftNoticeId,
} from '../../pipelines/notices/of-drifts.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import {
  draftWithout,
  earliestStart,
  namesIn,
  newestIn,
  requireSelectable,
  unmetBy,
} from '../governance/draft-of-drift.ts'
import { governanceIn } from '../governance/read-governance.ts'
import { INDEX_TABLES } from '../index/list-indexes.ts'
import { readProFormas } from '../selection/read-pro-formas.ts'

const TABLES: readonly TableName[] = [
  'governance_policy',
  'governance_proposal',
  'index_definition',
  'index_version',
  'eligibility_decision',
  'market_eligibility',
]

/** Days that members have to adopt a draft that lists its constituents. One that selects them is bound to its facts. */
const ADOPTION_DAYS = 7

const STATEMENTS: Readonly<Record<keyof DriftRecords, string>> = {
  rules: readSql(import.meta.url, 'sql/drift_rules.sql'),
  governed: readSql(import.meta.url, 'sql/governed_indexes.sql'),
  statuses: readSql(import.meta.url, 'sql/index_statuses.sql'),
  versions: readSql(import.meta.url, 'sql/judged_versions.sql'),
  decisions: readSql(import.meta.url, 'sql/drift_decisions.sql'),
}

/**
 * Reads the drifts that have lasted, and their ends, each as it was known at its own instant, which is sealed first: so every process
 * derives the same notice, and later ones do. Without a policy that asks for it nothing is read.
 * @param published ids of notices that exist: their drifts and ends are left out
 */
export async function readDrifts(
  warehouse: Warehouse,
  published: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<{ readonly drifts: readonly DriftFact[]; readonly drift_ends: readonly DriftEndFact[] }> {
  if (!(await hasRule(warehouse))) return { drifts: [], drift_ends: [] }
  const session = await openReadSession(warehouse, { as_of: null, tables: TABLES })
  const now = await warehouse.now()
  const records = await recordsIn(session).finally(() => session.close())
  const drifts = lastingDrifts(records, now).filter((drift) => !published.has(driftNoticeId(drift)))
  const ends = driftEnds(records, now).filter((end) => !published.has(driftEndNoticeId(end)))
  return {
    drifts: await eachKnown(drifts, (drift) => factAt(warehouse, drift), signal),
    drift_ends: await eachKnown(ends, (end) => endAt(warehouse, end), signal),
  }
}

/** Returns the facts of some items, one after the other, without those that are null. */
async function eachKnown<T, F>(
  items: readonly T[],
  factOf: (item: T) => Promise<F | null>,
  signal?: AbortSignal,
): Promise<F[]> {
  const facts: F[] = []
  for (const item of items) {
    signal?.throwIfAborted()
    const fact = await factOf(item)
    if (fact !== null) facts.push(fact)
  }
  return facts
}

async function hasRule(warehouse: Warehouse): Promise<boolean> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['governance_policy'] })
  try {
    return (await session.query(STATEMENTS.rules)).some(({ drift_after }) => drift_after != null)
  } finally {
    await session.close()
  }
}

async function recordsIn(session: ReadSession): Promise<DriftRecords> {
  const rows: Partial<Record<keyof DriftRecords, readonly Row[]>> = {}
  for (const [kind, sql] of Object.entries(STATEMENTS)) rows[kind as keyof DriftRecords] = await session.query(sql)
  const rules = rows.rules!.map((row) => ({ ...row, drift_after: row.drift_after ?? null }))
  return { ...rows, rules } as unknown as DriftRecords
}

/** Returns a drift as known at its instant; null: a commit that was under way shows that it had not lasted. */
async function factAt(warehouse: Warehouse, drift: LastingDrift): Promise<DriftFact | null> {
  const tables = [...new Set([...TABLES, ...INDEX_TABLES, 'governance_act' as const])]
  const session = await openReadSession(warehouse, { as_of: drift.at, tables })
  try {
    const id = driftNoticeId(drift)
    const known = lastingDrifts(await recordsIn(session), drift.at).find((one) => driftNoticeId(one) === id)
    if (known === undefined) return null
    const constituents = await constituentsAt(warehouse, session, known)
    return { ...known, constituents, ...(await draftAt(warehouse, session, known, constituents)) }
  } finally {
    await session.close()
  }
}

/** Returns an end as known at its instant; null: a commit that was under way shows that there was none. */
async function endAt(warehouse: Warehouse, end: DriftEnd): Promise<DriftEndFact | null> {
  const session = await openReadSession(warehouse, { as_of: end.at, tables: TABLES })
  try {
    const id = driftEndNoticeId(end)
    const known = driftEnds(await recordsIn(session), end.at).find((one) => driftEndNoticeId(one) === id)
    if (known === undefined) return null
    const decisions = await decisionsAbout(session, known.drift, known.accepted)
    const status_of = Object.fromEntries(decisions.map(({ market_id, status }) => [String(market_id), String(status)]))
    return { ...known, status_of }
  } finally {
    await session.close()
  }
}

/** Reads the newest decision that a session shows about each of some constituents. */
function decisionsAbout(
  session: ReadSession,
  { index_version_id, policy_id, policy_version }: LastingDrift,
  members: LastingDrift['removed'],
): Promise<readonly Row[]> {
  const market_ids = members.map(({ market_id }) => market_id)
  const sql = readSql(import.meta.url, 'sql/decisions_of_markets.sql')
  return session.query(sql, { index_version_id, policy_id, policy_version, market_ids })
}

async function constituentsAt(
  warehouse: Warehouse,
  session: ReadSession,
  drift: LastingDrift,
): Promise<DriftFact['constituents']> {
  const { index_id, index_version_id, at } = drift
  const announced = await readProFormas(warehouse, { index_id, as_of: formatMicros(at) })
  const selected = announced.find((row) => row.index_version_id === index_version_id)
  const at_selection = (selected?.constituents ?? []) as unknown as readonly Pick<
    ConstituentEligibility,
    'market_id' | 'facts'
  >[]
  const rows = await decisionsAbout(session, drift, drift.removed)
  const decisions = new Map(rows.map((row) => [String(row.market_id), row]))
  return drift.removed.map((one) => {
    const row = decisions.get(one.market_id)!
    return {
      ...one,
      facts_at_selection: at_selection.find(({ market_id }) => market_id === one.market_id)?.facts ?? null,
      status: 'ineligible' as const,
      status_at_selection: (row.status_at_selection as string | undefined) ?? null,
      reason_codes: (row.reason_codes ?? []) as readonly string[],
      facts: (row.facts ?? []) as unknown as ConstituentEligibility['facts'],
      facts_as_of: String(row.facts_as_of) as Instant,
    }
  })
}

/** Returns the draft of the version without the drifted constituents, or why there is none. */
async function draftAt(
  warehouse: Warehouse,
  session: ReadSession,
  drift: LastingDrift,
  constituents: DriftFact['constituents'],
): Promise<Pick<DriftFact, 'draft' | 'refused' | 'draft_before'>> {
  const { index_id, at, removed } = drift
  try {
    const newest = await newestIn(session, index_id)
    const { state } = await governanceIn(session)
    const days = newest.base.selection === undefined ? ADOPTION_DAYS : 0
    const start: Micros = earliestStart(newest.base, policyInForce(state), at) + days * MICROS_PER_DAY
    const change_summary = [`drafted by notice ${driftNoticeId(drift)}`, ...driftRationale(drift, constituents)]
    const ids = new Set(removed.map(({ constituent_id }) => constituent_id))
    const draftWith = (taken: ReadonlySet<string>) => {
      const { version, effective_from, definition } = draftWithout(newest, ids, { start, change_summary, taken })
      return { version, effective_from, text: canonicalJson(definition) }
    }
    const draft = draftWith(namesIn(newest, state))
    await requireSelectable(warehouse, newest, draft.text, at)
    const earliest_effect_at = unmetBy(start, policyInForce(state), at)
    return { draft: { ...draft, earliest_effect_at }, draft_before: draftWith(new Set()), refused: null }
  } catch (error) {
    if (isServiceError(error) && /^(VALIDATION|INDEX)_/.test(error.code))
      return { draft: null, draft_before: null, refused: error.message }
    throw error
  }
}
