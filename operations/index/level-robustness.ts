import type { BooksAtTick } from '../../pipelines/robustness/constituent-depth.ts'
import { bandOfLevel, robustnessOfLevel } from '../../pipelines/robustness/level-robustness.ts'
import type { MissingRules, PublishedLevel } from '../../pipelines/robustness/published-level.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { LEVEL_TABLES } from './diff-index.ts'
import { loadIndex } from './load-index.ts'

/** Level to examine: a named one, or the latest as known at as_of. */
export type LevelRequest = {
  readonly index_id: string
  readonly observation_id: string | null
  /** null: now. */
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}

const TABLES: readonly TableName[] = [...LEVEL_TABLES, 'order_book']

/**
 * Returns the missing-input bound and the manipulation cost of a published level (methodology robustness-1).
 * @throws {ServiceError} INDEX_NOT_FOUND, OBSERVATION_NOT_FOUND
 */
export async function levelRobustness(request: LevelRequest, basis_points: number) {
  const { named, record, rules, books } = await loadLevel(request)
  const found = robustnessOfLevel(record, rules, books, basis_points)
  return { ...named, missing_input: found?.missing_input ?? null, manipulation_cost: found?.manipulation_cost ?? null }
}

/**
 * Returns the executable band of a published level (methodology robustness-1 §4).
 * @throws {ServiceError} INDEX_NOT_FOUND, OBSERVATION_NOT_FOUND
 */
export async function levelBand(request: LevelRequest, notional: string) {
  const { named, record, rules, books } = await loadLevel(request)
  return { ...named, ...(bandOfLevel(record, rules, books, notional) ?? { notional, bid: null, ask: null }) }
}

type LoadedLevel = {
  readonly named: Readonly<Record<'observation_id' | 'tick_at' | 'level' | 'quality_state', string | null>>
  readonly record: PublishedLevel
  readonly rules: MissingRules
  readonly books: BooksAtTick
}

async function loadLevel({ index_id, observation_id, as_of, warehouse }: LevelRequest): Promise<LoadedLevel> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: TABLES })
  try {
    const { version_rows, spec } = await loadIndex(session, index_id)
    const sql = readSql(import.meta.url, '../sql/level_of_index.sql')
    const [row] = await session.query(sql, { index_id, observation_id })
    if (row === undefined) throw noLevel(index_id, observation_id)
    const ordinal = version_rows.findIndex(({ index_version_id }) => index_version_id === row.index_version_id)
    const { minimum_coverage_ratio, methodology } = spec.versions[ordinal]!
    const rules = {
      minimum_coverage_ratio: minimum_coverage_ratio.toFixed(),
      usable_min: methodology.parameters.quality.usable_min.toFixed(),
    }
    return {
      named: namedLevel(row),
      record: row as unknown as PublishedLevel,
      rules,
      books: await loadBooks(session, row),
    }
  } finally {
    await session.close()
  }
}

function namedLevel(row: Row): LoadedLevel['named'] {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const { observation_id, tick_at, level, quality_state } = row
  return {
    observation_id: text(observation_id),
    tick_at: text(tick_at),
    level: text(level),
    quality_state: text(quality_state),
  }
}

async function loadBooks(session: ReadSession, row: Row): Promise<BooksAtTick> {
  const { inputs } = row as unknown as PublishedLevel
  const outcome_ids = inputs.flatMap(({ legs }) => legs.map(({ outcome_id }) => outcome_id))
  if (outcome_ids.length === 0) return new Map()
  const books = await session.query(readSql(import.meta.url, 'sql/books_at_tick.sql'), {
    outcome_ids,
    tick_at: String(row.tick_at),
    known_to: String(row.published_at),
  })
  return new Map(books.map((book) => [String(book.outcome_id), book as unknown as BookAtTick]))
}

type BookAtTick = NonNullable<ReturnType<BooksAtTick['get']>>

function noLevel(index_id: string, observation_id: string | null): ServiceError {
  const facts = { index_id, ...(observation_id === null ? {} : { observation_id }) }
  return observation_id === null
    ? new ServiceError('OBSERVATION_NOT_FOUND', `index ${index_id} has no published level`, facts)
    : new ServiceError(
        'OBSERVATION_NOT_FOUND',
        `observation_id is ${observation_id}; allowed: a level of index ${index_id}`,
        facts,
      )
}
