import { invariant } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { statement } from '../../warehouse/queries/statements.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** The answer to one question as of one instant. */
export type PayoutAnswer = { readonly as_of: Instant; readonly value: string; readonly revision: number }

/** One question, asked as of three instants: before a correction, after it, and before it once more. */
export type ComparedPayout = {
  readonly venue_id: string
  readonly source_series_id: string
  readonly source_market_id: string
  readonly source_at: Instant
  readonly answers: readonly PayoutAnswer[]
}

/**
 * Asks for a corrected payout as it was first known, as it was known after its correction, and as it was first known once
 * more: the third answer equals the first.
 */
export async function comparePayout(warehouse: Warehouse): Promise<ComparedPayout> {
  const market = await findCorrectedPayout(warehouse)
  const [first, corrected] = [String(market.first_published_at), String(market.corrected_published_at)]
  const answers: PayoutAnswer[] = []
  for (const as_of of [first, corrected, first]) answers.push(await askPayout(warehouse, market, as_of))
  return {
    venue_id: String(market.venue_id),
    source_series_id: String(market.source_series_id),
    source_market_id: String(market.source_market_id),
    source_at: String(market.source_at),
    answers,
  }
}

async function findCorrectedPayout(warehouse: Warehouse): Promise<Row> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_resolution'] })
  try {
    const [market] = await session.query(statement('corrected_payouts'))
    invariant(market !== undefined, 'the sample archive has a corrected payout')
    return market
  } finally {
    await session.close()
  }
}

async function askPayout(warehouse: Warehouse, market: Row, as_of: Instant): Promise<PayoutAnswer> {
  const session = await openReadSession(warehouse, { as_of: toMicros(as_of), tables: ['market_quote'] })
  try {
    const { market_id, source_series_id, source_at } = market
    const [row] = await session.query(statement('payout_of_market'), { market_id, source_series_id, source_at })
    invariant(row !== undefined, 'a payout is known from its publication on')
    return { as_of, value: String(row.value), revision: row.revision as number }
  } finally {
    await session.close()
  }
}
