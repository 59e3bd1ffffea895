import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownVenueSession } from '../../../operations/own-venue/own-venue-session.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ACCOUNTS, randomSubmissions } from '../../support/trading/random-submissions.ts'
import { openTestWarehouse, ownRows, venueWorld } from './support/venue-world.ts'

const database = withDatabase()
const folder = tempFolder()

test('a session stores what is committed while it lasts, waits for a database that is away, and the next one goes on', async () => {
  const { pool } = await database()
  const world = await venueWorld(pool, ACCOUNTS)
  const warehouse = await openTestWarehouse(join(folder, 'sessions'))
  let away = 2
  const reads = {
    ...world.reads,
    head: async () => {
      away -= 1
      if (away >= 0) throw new ServiceError('SERVICE_UNAVAILABLE', 'the database is away')
      return world.reads.head()
    },
  }
  const problems: string[] = []
  const ending = new AbortController()
  const session = (signal: AbortSignal, on_look: (records_new: number) => void) => {
    const on_problem = (error: unknown) => problems.push(String(error))
    const ports = { warehouse, reads, signal, on_problem, linger_ms: 20 }
    return ownVenueSession({ session_ms: 60_000 }, ports, ({ records_new }) => on_look(records_new))
  }
  await world.submit(randomSubmissions(31, 60, wallClock()))
  const first = await session(ending.signal, (records_new) => records_new > 0 && ending.abort())
  expect(first.records_new).toBeGreaterThan(0)
  expect(problems).toEqual([expect.stringContaining('the database is away')])

  await world.submit(randomSubmissions(32, 60, wallClock(), 'next'))
  await world.engine.stop()
  const again = new AbortController()
  const second = await session(again.signal, (records_new) => records_new > 0 && again.abort())
  const { rows } = await pool.query(
    'select last_engine_sequence as last from trading.engine_batch order by 1 desc limit 1',
  )
  expect(second.cursor).toBe(rows[0].last)
  const trades = await pool.query('select trade_id from trading.trade order by 1')
  expect(await ownRows(warehouse, 'public_trade', 'trade_id')).toEqual(trades.rows)
  const health = await ownRows(warehouse, 'ingest_health', 'venue_id, state, sessions, problem')
  expect(health.at(-1)).toMatchObject({ venue_id: 'tidemark', state: 'ok', sessions: 2 })
  await warehouse.close()
}, 120_000)
