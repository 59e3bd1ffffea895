import type { NoticeFacts } from '../../pipelines/notices/derive-notices.ts'
import { impairmentsOf, type RunRow, type RunSeed, seedsOf } from '../../pipelines/notices/impairment-runs.ts'
import type { Notice } from '../../pipelines/notices/notice.ts'
import type { LevelFact } from '../../pipelines/notices/of-corrections.ts'
import type { ImpairmentFact, LevelImpairmentFact } from '../../pipelines/notices/of-impairments.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { ingestScheduleOf, SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readDrifts } from './read-drifts.ts'

/** A published notice; those of members are signed. */
export type NoticeRow = Notice & {
  readonly published_at: Instant
  readonly actor_id: string | null
  readonly public_key: string | null
  readonly signed_text: string | null
  readonly signature: string | null
  readonly acted_at: Instant | null
}

/** Tables from which notices follow. */
const FACT_TABLES = [
  'governance_proposal',
  'index_observation',
  'market_resolution',
  'ingest_health',
  'index_definition',
  'governance_complaint',
] as const
type FactTable = (typeof FACT_TABLES)[number]

/** Tables that a step reads only in files with new rows. */
const GROWING: readonly FactTable[] = ['index_observation', 'ingest_health']

/** End of what was read: of each table the last commit, and what later runs are continued from. */
export type FactsRead = {
  /** Publication of the first proposal of a roster: nobody was in office before it. */
  readonly since: Instant
  readonly through: Readonly<Record<FactTable, Micros>>
  readonly levels: readonly RunSeed[]
  readonly reports: readonly RunSeed[]
}

/** Facts that were published after others, and the end of both. */
export type NewFacts = { readonly facts: NoticeFacts; readonly read: FactsRead }

/**
 * Reads the facts from which notices follow. Commits of a table are stamped in order, so everything after the last commit read is new.
 * @param before     end of the facts that were read; null: reads all of them
 * @param published  ids of notices that exist, whose drifts are not read again
 * @returns null: the home was never governed, so nobody answers for notices
 */
export async function readNoticeFacts(
  warehouse: Warehouse,
  before: FactsRead | null,
  published: ReadonlySet<string> = new Set(),
): Promise<NewFacts | null> {
  const since = before?.since ?? (await firstProposal(warehouse))
  if (since === null) return null
  const start = before ?? fromNothing(since)
  const through = await headsOf(warehouse, start)
  const session = await openReadSession(warehouse, {
    as_of: null,
    tables: [...FACT_TABLES, 'index_restatement', 'governance_act', 'schedule_act'],
    published_after: Object.fromEntries(GROWING.map((table) => [table, start.through[table]])),
  })
  try {
    const runs = {
      levels: await levelRuns(session, start, through),
      reports: await reportRuns(session, start, through),
    }
    const reports = runs.reports ?? (await allReports(warehouse, since, through))
    const facts: NoticeFacts = {
      proposals: await newRows(session, 'governance_proposal', { since }, start, through),
      levels: await restatedLevels(warehouse, await newRows(session, 'index_observation', {}, start, through)),
      resolutions: await newRows(session, 'market_resolution', {}, start, through),
      level_states: impairmentsOf(runs.levels),
      outages: impairmentsOf(reports),
      pauses: await pausesSince(session, since),
      statuses: await newRows(session, 'index_definition', {}, start, through),
      outcomes: await newRows(session, 'governance_complaint', {}, start, through),
      ...(await readDrifts(warehouse, published)),
    }
    return { facts, read: { since, through, levels: seedsOf(runs.levels), reports: seedsOf(reports) } }
  } finally {
    await session.close()
  }
}

/** Returns the ids of the notices published after an instant. */
export async function readNoticeIds(warehouse: Warehouse, after: Micros): Promise<readonly string[]> {
  const session = await openReadSession(warehouse, {
    as_of: null,
    tables: ['governance_notice'],
    published_after: { governance_notice: after },
  })
  try {
    const sql = readSql(import.meta.url, 'sql/new_notice_ids.sql')
    return (await session.query(sql, { after: formatMicros(after) })).map(({ notice_id }) => String(notice_id))
  } finally {
    await session.close()
  }
}

async function firstProposal(warehouse: Warehouse): Promise<Instant | null> {
  const tables = ['governance_roster', 'governance_proposal'] as const
  const session = await openReadSession(warehouse, { as_of: null, tables })
  try {
    const [first] = await session.query(readSql(import.meta.url, 'sql/first_roster.sql'))
    return first === undefined ? null : (String(first.proposed_at) as Instant)
  } finally {
    await session.close()
  }
}

function fromNothing(since: Instant): FactsRead {
  const after = toMicros(since) - 1
  const through = Object.fromEntries(FACT_TABLES.map((table) => [table, after])) as FactsRead['through']
  return { since, through, levels: [], reports: [] }
}

/** Reads the stamp of the last commit of each table, before any of its rows is read. */
async function headsOf(warehouse: Warehouse, { through }: FactsRead): Promise<FactsRead['through']> {
  const heads: Partial<Record<FactTable, Micros>> = {}
  for (const table of FACT_TABLES) {
    const { head_stamp } = await warehouse.log(table).snapshot()
    heads[table] = Math.max(head_stamp ?? 0, through[table])
  }
  return heads as FactsRead['through']
}

/** Statement of the new rows of each table. */
const STATEMENTS: Readonly<Record<Exclude<FactTable, 'ingest_health'>, string>> = {
  governance_proposal: readSql(import.meta.url, 'sql/proposal_states.sql'),
  index_observation: readSql(import.meta.url, 'sql/restated_levels.sql'),
  market_resolution: readSql(import.meta.url, 'sql/changed_resolutions.sql'),
  index_definition: readSql(import.meta.url, 'sql/status_changes.sql'),
  governance_complaint: readSql(import.meta.url, 'sql/complaint_outcomes.sql'),
}

/** Reads the new facts of a table; without a new commit there are none. */
async function newRows<T>(
  session: ReadSession,
  table: keyof typeof STATEMENTS,
  params: Readonly<Record<string, string>>,
  { through: before }: FactsRead,
  through: FactsRead['through'],
): Promise<readonly T[]> {
  if (through[table] === before[table]) return []
  const rows = await session.query(STATEMENTS[table], { ...params, ...boundsOf(before[table], through[table]) })
  return rows as unknown as readonly T[]
}

function boundsOf(after: Micros, through: Micros) {
  return { after: formatMicros(after), through: formatMicros(through) }
}

async function levelRuns(session: ReadSession, start: FactsRead, through: FactsRead['through']) {
  const bounds = boundsOf(start.through.index_observation, through.index_observation)
  const sql = readSql(import.meta.url, 'sql/impaired_levels.sql')
  const seed_published = start.levels.map(({ published_at }) => String(published_at))
  const rows = await session.query(sql, { ...bounds, ...seedLists(start.levels), seed_published })
  return rows as unknown as readonly (RunRow & LevelImpairmentFact)[]
}

/** Reads the runs of reports; null: a new report is of an earlier instant than one that was known, so runs begin anew. */
async function reportRuns(session: ReadSession, start: FactsRead, through: FactsRead['through']) {
  const bounds = boundsOf(start.through.ingest_health, through.ingest_health)
  const { seed_reasons: _none, ...seeds } = seedLists(start.reports)
  const { seed_states: _stateless, ...known } = seeds
  const early = await session.query(readSql(import.meta.url, 'sql/early_reports.sql'), { ...bounds, ...known })
  if (early.length > 0) return null
  return runsOf(await session.query(readSql(import.meta.url, 'sql/venue_outages.sql'), { ...bounds, ...seeds }))
}

/** Reads the pauses that began since the home is governed. There are few, and one that lasts becomes news by time alone. */
async function pausesSince(session: ReadSession, since: Instant): Promise<readonly ImpairmentFact[]> {
  const sql = readSql(import.meta.url, 'sql/pauses.sql')
  return (await session.query(sql, {
    since,
    publication: SCHEDULE_IDS.publish,
    ingest: ingestScheduleOf(''),
  })) as unknown as readonly ImpairmentFact[]
}

async function allReports(warehouse: Warehouse, since: Instant, through: FactsRead['through']) {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['ingest_health'] })
  try {
    return (await reportRuns(session, fromNothing(since), through))!
  } finally {
    await session.close()
  }
}

function seedLists(seeds: readonly RunSeed[]) {
  return {
    seed_subject_ids: seeds.map(({ subject_id }) => subject_id),
    seed_instants: seeds.map(({ instant }) => String(instant)),
    seed_ids: seeds.map(({ id }) => id),
    seed_states: seeds.map(({ state }) => state),
    seed_reasons: seeds.map(({ reason }) => reason ?? ''),
  }
}

function runsOf(rows: readonly Row[]): readonly RunRow[] {
  return rows as unknown as readonly RunRow[]
}

/** Level with the id of the one that it supersedes; null: the tick had none, and a late restatement gave it one. */
type Restated = Omit<LevelFact, 'old_level'> & { readonly supersedes_id: string | null }

/** Returns the restated levels whose value changed, beside the value before. */
async function restatedLevels(warehouse: Warehouse, restated: readonly Restated[]): Promise<readonly LevelFact[]> {
  const before = await supersededLevels(warehouse, restated)
  return restated.flatMap(({ supersedes_id, ...fact }) => {
    const known = supersedes_id === null ? undefined : before.get(supersedes_id)
    if (known === undefined && fact.proposal_id == null) return []
    const old_level = known ?? null
    return old_level === fact.new_level ? [] : [{ ...fact, old_level }]
  })
}

async function supersededLevels(warehouse: Warehouse, restated: readonly Restated[]) {
  const superseded = restated.filter(({ supersedes_id }) => supersedes_id !== null)
  if (superseded.length === 0) return new Map<string, string | null>()
  const ticks = superseded.map(({ tick_at }) => toMicros(tick_at))
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/superseded_levels.sql'), {
      ids: superseded.map(({ supersedes_id }) => String(supersedes_id)),
      tick_from: formatMicros(minOf(ticks)),
      tick_to: formatMicros(maxOf(ticks)),
    })
    return new Map(rows.map(({ observation_id, level }) => [String(observation_id), level as string | null]))
  } finally {
    await session.close()
  }
}

function minOf(ticks: readonly Micros[]): Micros {
  return ticks.reduce((least, tick) => Math.min(least, tick))
}

function maxOf(ticks: readonly Micros[]): Micros {
  return ticks.reduce((greatest, tick) => Math.max(greatest, tick))
}
