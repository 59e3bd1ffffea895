import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Reports whether a restatement and each level that it names are published. */
export async function publishedRestatement(warehouse: Warehouse, proposal_id: string): Promise<boolean> {
  const { rows } = await warehouse.log('index_restatement').snapshot()
  if (rows === 0) return false
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_restatement', 'index_observation'] })
  try {
    const [found] = await session.query(readSql(import.meta.url, 'sql/restatement_progress.sql'), { proposal_id })
    return Number(found!.named) > 0 && found!.named === found!.published
  } finally {
    await session.close()
  }
}

/** Returns the newest level of some ticks of an index, by tick; ticks without one are left out. */
export async function tickHeads(
  warehouse: Warehouse,
  index_id: string,
  ticks: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/tick_heads.sql'), { index_id, ticks })
    return new Map(rows.map(({ tick_at, observation_id }) => [String(tick_at), String(observation_id)]))
  } finally {
    await session.close()
  }
}
