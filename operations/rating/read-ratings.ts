import { noRating } from '../../pipelines/rating/no-rating.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

type Request = { readonly as_of: Instant | null; readonly warehouse: Warehouse }

/** The rating in force of every market that has one, as known at as_of (null: now); by band, then market. */
export async function listRatings({ as_of, warehouse }: Request): Promise<readonly Row[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: ['market_rating', 'market'] })
  try {
    return await session.query(readSql(import.meta.url, 'sql/ratings_in_force.sql'))
  } finally {
    await session.close()
  }
}

/** A market's ratings. `acts` are the acts of their review, the earliest first. */
export type ShownRating = { readonly rating: Row; readonly history: readonly Row[]; readonly acts: readonly Row[] }

/**
 * The rating in force of a market with all its records and acts, as known at as_of (null: now). Without one: not rated, with the
 * reason NO_APPROVED_RATING.
 * @throws {ServiceError} MARKET_NOT_FOUND
 */
export async function showRating(request: Request & { readonly market_id: string }): Promise<ShownRating> {
  const { market_id, warehouse } = request
  const at = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const tables = ['market_rating', 'market', 'assessment_act'] as const
  const session = await openReadSession(warehouse, { as_of: at, tables })
  try {
    const params = { market_id }
    const [rating] = await session.query(readSql(import.meta.url, 'sql/rating_of_market.sql'), params)
    const history = await session.query(readSql(import.meta.url, 'sql/ratings_of_market.sql'), params)
    const acts = await session.query(readSql(import.meta.url, '../sql/acts_of_subject.sql'), {
      subject: 'market_rating',
      subject_id: market_id,
    })
    if (history.length === 0) await refuseUnknown(warehouse, market_id)
    return { rating: rating ?? noRating(market_id), history, acts }
  } finally {
    await session.close()
  }
}

/** A market that was not known yet at as_of is not rated then; one that nobody knows is no market. */
async function refuseUnknown(warehouse: Warehouse, market_id: string): Promise<void> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market', 'market_rating'] })
  try {
    const known = await session.query(readSql(import.meta.url, 'sql/market_is_known.sql'), { market_id })
    if (known.length === 0) throw unknownMarket(market_id)
  } finally {
    await session.close()
  }
}

function unknownMarket(market_id: string): ServiceError {
  return new ServiceError(
    'MARKET_NOT_FOUND',
    `market ${market_id} does not exist; tidemark sql "select market_id from market" lists them`,
    {
      market_id,
    },
  )
}
