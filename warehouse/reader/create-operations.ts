import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import type { GrowingTableName } from './followed-tables.ts'
import type { HistorySource } from './history/history-source.ts'
import { newestAsOf } from './history/newest-as-of.ts'
import type { NewestRow } from './newest-rows.ts'
import type { Operations } from './reader.ts'
import { type MemoryOf, newestOf } from './table-memory.ts'

/** Creates the reads of workers' reports: from memory for now, from files for a past instant with newer reports since. */
export function createOperations(memories: MemoryOf, source: HistorySource): Operations {
  const rowsOf = async (table: GrowingTableName, key: string, known: readonly NewestRow[], as_of: Micros | null) => {
    if (as_of === null) return known.map(({ row }) => row)
    const found = known.map((newest) => {
      return newestAsOf(source, { table, key: { [key]: String(newest.row[key]) }, newest: [newest], as_of })
    })
    return (await Promise.all(found)).flat()
  }
  return {
    async ingest(as_of) {
      const rows = await rowsOf('ingest_health', 'venue_id', [...newestOf(memories, 'ingest_health').all()], as_of)
      return rows.toSorted((a, b) => compare(a.venue_id, b.venue_id))
    },
    async scheduleActs(as_of) {
      const rows = await rowsOf('schedule_act', 'schedule_id', [...newestOf(memories, 'schedule_act').all()], as_of)
      return rows.toSorted((a, b) => compare(a.schedule_id, b.schedule_id))
    },
    async backfills(as_of, limit) {
      const known = [...newestOf(memories, 'backfill_run').all()]
      const began = known.filter(({ first_published_at }) => as_of === null || first_published_at <= as_of)
      const last = began.toSorted((a, b) => b.first_published_at - a.first_published_at).slice(0, limit)
      const rows = await rowsOf('backfill_run', 'backfill_id', last, as_of)
      return rows.toSorted((a, b) => compare(b.updated_at, a.updated_at))
    },
  }
}

function compare(a: Row[string], b: Row[string]): number {
  const [left, right] = [String(a), String(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
