import { invariant } from '../../../primitives/errors.ts'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import type { HistorySource } from './history-source.ts'
import { readByAddress } from './rows-by-address.ts'
import { filesOfSeries } from './series-sql.ts'

const TABLE = 'index_observation'

/** Returns levels of an index with their inputs, in the given order. */
export async function readWhole(
  source: HistorySource,
  index_id: string,
  rows: readonly Row[],
  as_of: Micros,
): Promise<readonly Row[]> {
  const key = { index_id }
  const { files } = await source.snapshot(TABLE)
  const addresses = rows.map((row) => ({
    row,
    published_at: toMicros(row.published_at),
    row_ordinal: row.row_ordinal as number,
  }))
  const asked = { table: TABLE, key, as_of } as const
  const found = await readByAddress(source, asked, addresses, filesOfSeries({ key }, files, as_of))
  const by_id = new Map(found.map((row) => [row.observation_id, row]))
  return rows.map(({ observation_id }) => {
    const whole = by_id.get(observation_id)
    invariant(whole !== undefined, 'history: a level that was listed is not at its address')
    return whole
  })
}
