import {
  type KnowledgeChange,
  type KnownRecord,
  type KnownRecords,
  levelChange,
  recordChanges,
} from '../../pipelines/index/knowledge-diff.ts'
import { SCALE } from '../../primitives/decimal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { LEVEL_TABLES } from './diff-index.ts'
import { findIndex, loadIndex } from './load-index.ts'
import { loadLinks } from './load-published.ts'

export type KnowledgeDiffRequest = {
  readonly index_id: string
  readonly from_as_of: Instant
  readonly to_as_of: Instant
  /** Half-open range of ticks; null: unbounded. */
  readonly from: Instant | null
  readonly to: Instant | null
  readonly warehouse: Warehouse
}

const TABLES: readonly TableName[] = [...LEVEL_TABLES, 'index_link', 'market_rating']
const ALL_TIME = { from: '1700-01-01T00:00:00Z', to: '2199-12-31T00:00:00Z' }

/**
 * Compares everything known of an index at two instants: definition, versions, composition in force, ratings of its markets, and
 * levels with the inputs that changed. Records are rows of the public views.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_RANGE_INVALID, VALIDATION_AS_OF_IN_FUTURE
 */
export async function knowledgeDiff(request: KnowledgeDiffRequest): Promise<readonly KnowledgeChange[]> {
  const [from, to] = [toMicros(request.from_as_of, 'from_as_of'), toMicros(request.to_as_of, 'to_as_of')]
  if (from > to) {
    throw notAllowed('VALIDATION_RANGE_INVALID', 'to_as_of', request.to_as_of, `not before ${request.from_as_of}`)
  }
  const market_ids = new Set<string>()
  const [before, after] = [
    await knownAt(request, from, market_ids, false),
    await knownAt(request, to, market_ids, true),
  ]
  return [
    ...recordChanges('index', before.index, after.index),
    ...recordChanges('index_version', before.versions, after.versions),
    ...recordChanges('constituent', before.constituents, after.constituents),
    ...recordChanges(
      'rating',
      await ratingsAt(request, from, [...market_ids]),
      await ratingsAt(request, to, [...market_ids]),
    ),
    ...(await levelChanges(request, from, to)),
  ]
}

type Known = Readonly<Record<'index' | 'versions' | 'constituents', KnownRecords>>

async function knownAt(
  { index_id, warehouse }: KnowledgeDiffRequest,
  as_of: Micros,
  market_ids: Set<string>,
  required: boolean,
): Promise<Known> {
  return withSession(warehouse, as_of, async (session) => {
    const found = required ? await loadIndex(session, index_id) : await findIndex(session, index_id)
    if (found === null) return { index: new Map(), versions: new Map(), constituents: new Map() }
    const { index_row, version_rows, spec } = found
    const ordinal = version_rows.findIndex(({ index_version_id }) => index_version_id === index_row.active_version_id)
    for (const { legs } of spec.versions[ordinal]?.constituents ?? []) {
      for (const { market_id } of legs) market_ids.add(market_id)
    }
    const constituents = (version_rows[ordinal]?.constituents ?? []) as readonly Row[]
    const links = await loadLinks(session, index_id)
    const versions = version_rows.map((row) => {
      return { ...row, link_factor: links.get(String(row.index_version_id))?.toFixed(SCALE.link_factor) ?? null }
    })
    return {
      index: byId([index_row], 'index_id'),
      versions: byId(versions, 'index_version_id'),
      constituents: byId(constituents, 'constituent_id'),
    }
  })
}

function ratingsAt({ warehouse }: KnowledgeDiffRequest, as_of: Micros, market_ids: readonly string[]) {
  if (market_ids.length === 0) return new Map<string, KnownRecord>()
  return withSession(warehouse, as_of, async (session) =>
    byId(await session.query(readSql(import.meta.url, 'sql/ratings_of_markets.sql'), { market_ids }), 'market_id'),
  )
}

async function levelChanges(request: KnowledgeDiffRequest, from: Micros, to: Micros): Promise<KnowledgeChange[]> {
  const [before, after] = [await currentIds(request, from), await currentIds(request, to)]
  const changed = [...after].filter(([tick, id]) => before.get(tick) !== id)
  const replaced = changed.flatMap(([tick]) => before.get(tick) ?? [])
  const levels = await levelsById(request, to, [...replaced, ...changed.map(([, id]) => id)])
  return changed.flatMap(([tick, id]) => {
    const earlier = before.get(tick)
    return levelChange(earlier === undefined ? null : levels.get(earlier)!, levels.get(id)!) ?? []
  })
}

function currentIds({ warehouse, index_id, from, to }: KnowledgeDiffRequest, as_of: Micros) {
  const range = { from: from ?? ALL_TIME.from, to: to ?? ALL_TIME.to }
  return withSession(warehouse, as_of, async (session) => {
    const sql = readSql(import.meta.url, '../sql/observations_of_index.sql')
    const rows = await session.query(sql, { index_id, ...range })
    return new Map(rows.map((row) => [String(row.tick_at), String(row.observation_id)]))
  })
}

function levelsById({ warehouse, index_id }: KnowledgeDiffRequest, as_of: Micros, observation_ids: readonly string[]) {
  if (observation_ids.length === 0) return new Map<string, KnownRecord>()
  return withSession(warehouse, as_of, async (session) => {
    const sql = readSql(import.meta.url, 'sql/levels_with_inputs.sql')
    return byId(await session.query(sql, { index_id, observation_ids: [...observation_ids] }), 'observation_id')
  })
}

function byId(rows: readonly Row[], id: string): Map<string, KnownRecord> {
  return new Map(rows.map((row) => [String(row[id]), row]))
}

async function withSession<T>(
  warehouse: Warehouse,
  as_of: Micros,
  read: (session: ReadSession) => Promise<T>,
): Promise<T> {
  const session = await openReadSession(warehouse, { as_of, tables: TABLES })
  try {
    return await read(session)
  } finally {
    await session.close()
  }
}
