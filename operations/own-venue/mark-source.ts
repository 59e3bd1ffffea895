import { plainDecimal } from '../../pipelines/text/fields.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { SetMarks } from '../../trading/engine/settlement-commands.ts'
import type { MarkSource } from '../../trading/service/mark-source.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { openSourcesSession } from '../../warehouse/read/sources-session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

type Mark = SetMarks['marks'][number]
type Known = { readonly mark: Mark; readonly tick_at: Micros }
type MarkRow = {
  readonly mark_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly mark: string | null
  readonly tick_at: string
}

const EVER: Micros = -1

/**
 * The published marks of our own markets: the newest of each outcome. It remembers them, and reads what was published since it was
 * asked last.
 */
export function openMarkSource(warehouse: Warehouse): MarkSource {
  const known = new Map<string, Known>()
  let through = EVER
  return {
    marksOf: async (market_ids) => {
      through = await takeNews(warehouse, known, through)
      const wanted = new Set(market_ids)
      return [...known.values()].map(({ mark }) => mark).filter(({ market_id }) => wanted.has(market_id))
    },
  }
}

/** @returns the stamp of the last row that there is */
async function takeNews(warehouse: Warehouse, known: Map<string, Known>, after: Micros): Promise<Micros> {
  const log = warehouse.log('market_mark')
  const { files, head_stamp } = await log.snapshot()
  if (head_stamp === null || head_stamp <= after) return after
  const news = files.filter(({ stamp_max }) => stamp_max > after)
  const paths = await log.ensureVerified(news)
  const source_files = news.map(({ rows, stamp_min, stamp_max }, place) => {
    return { path: paths[place]!, rows, published_from: stamp_min, published_to: stamp_max }
  })
  const session = await openSourcesSession([{ table: 'market_mark', files: source_files, intervals: null }], head_stamp)
  try {
    const params = { venue_id: OWN_VENUE, after: formatMicros(Math.max(after, 0)) }
    const rows = (await session.query(
      readSql(import.meta.url, 'sql/newest_marks_of_venue.sql'),
      params,
    )) as unknown as MarkRow[]
    for (const row of rows) take(known, row)
  } finally {
    await session.close()
  }
  return head_stamp
}

/** A mark of an earlier tick that was published later is not the newest. */
function take(known: Map<string, Known>, { mark_id, market_id, outcome_id, mark, tick_at }: MarkRow): void {
  const at = toMicros(tick_at)
  const before = known.get(outcome_id)
  if (before !== undefined && before.tick_at > at) return
  const text = mark === null ? null : plainDecimal(mark)
  known.set(outcome_id, {
    mark: { market_id, outcome_id, mark: text, mark_observation_id: `${mark_id}.mark` },
    tick_at: at,
  })
}
