import type { VenueTail } from '../../../../operations/own-venue/venue-tail.ts'
import { wallClock } from '../../../../primitives/wall-clock.ts'
import type { Answer, Submission } from '../../../../trading/engine/submission.ts'
import { type StartedEngine, startEngine } from '../../../../trading/service/start-engine.ts'
import type { Pool } from '../../../../trading/store/create-pool.ts'
import { createVenueReads, type VenueReads } from '../../../../trading/store/venue/venue-reads.ts'
import type { CommitPoint } from '../../../../warehouse/log/log-context.ts'
import { openReadSession } from '../../../../warehouse/read/session.ts'
import type { Row } from '../../../../warehouse/schema.ts'
import type { TableName } from '../../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../../warehouse/warehouse.ts'
import { SubmissionMaker } from '../../../support/trading/submissions.ts'

export type VenueWorld = {
  readonly pool: Pool
  readonly reads: VenueReads
  readonly engine: StartedEngine
  readonly maker: SubmissionMaker
  /** Hands submissions over, `together` at once: in as many batches as the engine makes of them. */
  submit(submissions: readonly Submission[], together?: number): Promise<Answer[]>
}

/** An engine over a fresh database with accounts and the open market mkt_1. */
export async function venueWorld(
  pool: Pool,
  accounts: readonly string[],
  now = wallClock,
  complementary = false,
): Promise<VenueWorld> {
  const engine = await startEngine({ pool, now, holder: 'test', address: null })
  await engine.leading
  const maker = new SubmissionMaker('s')
  const submit: VenueWorld['submit'] = async (submissions, together = 20) => {
    const answers: Answer[] = []
    for (let from = 0; from < submissions.length; from += together) {
      const some = submissions.slice(from, from + together)
      answers.push(...(await Promise.all(some.map((submission) => engine.client.submit(submission)))))
    }
    return answers
  }
  await submit(maker.setUp(accounts, undefined, { complementary }))
  return { pool, reads: createVenueReads(pool), engine, maker, submit }
}

/** Every revision that the warehouse holds of our own exchange, without what depends on when it was read. */
export async function ownRows(warehouse: Warehouse, table: TableName, columns: string): Promise<Row[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: [table] })
  try {
    return await session.query(`select ${columns} from ${table}_history order by all`)
  } finally {
    await session.close()
  }
}

/** Columns of each table that are the same whenever it was read. */
export const STABLE: Readonly<Partial<Record<TableName, string>>> = {
  event: 'event_id, revision, supersedes_id, title, market_ids, source_mappings, source_at',
  market: '* exclude (received_at, published_at, row_ordinal)',
  market_eligibility: '* exclude (published_at, row_ordinal, evaluated_at)',
  market_quote: '* exclude (record_id, derived_from_id, received_at, published_at, row_ordinal)',
  public_trade: '* exclude (received_at, published_at, row_ordinal)',
  market_resolution: '* exclude (received_at, published_at, row_ordinal)',
}

export async function stableRows(warehouse: Warehouse): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {}
  for (const [table, columns] of Object.entries(STABLE)) {
    found[table] = await ownRows(warehouse, table as TableName, columns)
  }
  return found
}

/** A warehouse; `reach` may end a write half-way, by throwing. */
export function openTestWarehouse(root: string, reach?: (point: CommitPoint) => void): Promise<Warehouse> {
  return openWarehouse({ root, create: true, ...(reach && { ports: { reach } }) })
}

/** Takes in everything that is committed. */
export async function takeAll(tail: VenueTail): Promise<void> {
  while (!(await tail.take()).is_at_head);
}
