import { rowsOf } from './commands.ts'

/** Published tick of an index. */
type Tick = {
  readonly index_id: string
  readonly tick_at: string
  readonly records: number
  readonly level: string | null
}

export type Levels = {
  /** Ticks from the first level on, by index. */
  readonly ticks: Readonly<Record<string, number>>
  /** Last tick, by index. */
  readonly last_ms: Readonly<Record<string, number>>
  /** Sentences about ticks that are missing or published twice. */
  readonly faults: readonly string[]
}

export const MINUTE_MS = 60_000

/** Reads the first revisions of the live indexes' levels, and finds ticks that are missing or doubled after an index's first level. */
export async function readLevels(home: string): Promise<Levels> {
  const rows = await rowsOf<Tick>(
    home,
    `select index_id, tick_at, count(*) as records, any_value(level) as level
     from index_observation_history where index_id like 'idx_live%' and revision = 1
     group by all order by index_id, tick_at`,
  )
  const faults: string[] = []
  const ticks: Record<string, number> = {}
  const last_ms: Record<string, number> = {}
  for (const { index_id, tick_at, records, level } of rows) {
    if (records !== 1) faults.push(`${index_id} ${tick_at}: ${records} first revisions`)
    const before = last_ms[index_id]
    // Before anything is known of an index, ticks that only repeat that make no record.
    if (before === undefined && level === null) continue
    const at = Date.parse(tick_at)
    if (before !== undefined && at - before !== MINUTE_MS)
      faults.push(`${index_id}: no tick between ${new Date(before).toISOString()} and ${tick_at}`)
    ticks[index_id] = (ticks[index_id] ?? 0) + 1
    last_ms[index_id] = at
  }
  return { ticks, last_ms, faults }
}
