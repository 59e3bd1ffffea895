import { rowsOf } from './commands.ts'

/** Published tick of an index. */
type Tick = {
  readonly index_id: string
  readonly tick_at: string
  readonly records: number
  readonly level: string | null
  readonly quality_state: string
}

export type Levels = {
  /** Ticks by index. */
  readonly ticks: Readonly<Record<string, number>>
  /** Sentences about ticks that are missing or published twice. */
  readonly faults: readonly string[]
  /** Statement of each tick, one line each. */
  readonly lines: readonly string[]
}

const MINUTE_MS = 60_000

/** Reads the first revisions of the live indexes' levels, and finds ticks that are missing or doubled after an index's first level. */
export async function readLevels(home: string): Promise<Levels> {
  const rows = await rowsOf<Tick>(
    home,
    `select index_id, tick_at, count(*) as records, any_value(level) as level, any_value(quality_state) as quality_state
     from index_observation_history where index_id like 'idx_live%' and revision = 1
     group by all order by index_id, tick_at`,
  )
  const faults: string[] = []
  const ticks: Record<string, number> = {}
  let before: Tick | null = null
  for (const row of rows) {
    const { index_id, tick_at, records, level } = row
    if (records !== 1) faults.push(`${index_id} ${tick_at}: ${records} first revisions`)
    const has_begun = ticks[index_id] !== undefined
    // Before anything is known of an index, ticks that only repeat that make no record.
    if (has_begun && before!.index_id === index_id && Date.parse(tick_at) - Date.parse(before!.tick_at) !== MINUTE_MS)
      faults.push(`${index_id}: no tick between ${before!.tick_at} and ${tick_at}`)
    if (has_begun || level !== null) ticks[index_id] = (ticks[index_id] ?? 0) + 1
    before = row
  }
  const lines = rows.map((row) => `${row.index_id} ${row.tick_at} ${row.level} ${row.quality_state}`)
  return { ticks, faults, lines }
}
