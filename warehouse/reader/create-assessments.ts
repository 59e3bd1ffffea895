import type { Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { ASSESSMENT_TYPES } from '../../vocabulary/severity.ts'
import type { AssessmentTableName } from './followed-tables.ts'
import { fromNewest, type HistorySource } from './history/history-source.ts'
import { findAssessment, readInForce, readRecords } from './history/read-assessments.ts'
import type { AssessmentAnswer, Assessments } from './reader.ts'
import { assessmentsOf, type MemoryOf } from './table-memory.ts'

const ALL = { kind: null, methodology_id: null }

/** Creates the reads of a committee's records: from memory for now and for instants since the subject's last record. */
export function createAssessments(memories: MemoryOf, source: HistorySource): Assessments {
  return {
    current: ({ table, key }, asked) => assessmentsOf(memories, table).current(key, asked, nowOf(memories, table)),
    allCurrent(table) {
      const rows = assessmentsOf(memories, table)
      const at = nowOf(memories, table)
      return rows.keys().flatMap((key) => {
        const known = rows.current(key, ALL, at)
        return known === null ? [] : [{ ...known, key }]
      })
    },
    async inForce(series, { whole, ...asked }, as_of) {
      const rows = assessmentsOf(memories, series.table)
      const known = rows.knowsAt(series.key, as_of) ? rows.current(series.key, asked, as_of) : null
      if (known !== null && !(whole && known.placed !== null)) return answered(known)
      const { row, waits } = await fromNewest(() => readInForce(source, series, asked, as_of))
      return { row, waits }
    },
    records: (asked, page) => fromNewest(() => readRecords(source, asked, page)),
    record: (table, id, as_of) => fromNewest(() => findAssessment(source, table, id, as_of)),
    isAssessed(event_id, as_of) {
      const rows = assessmentsOf(memories, 'severity_assessment')
      const at = as_of ?? nowOf(memories, 'severity_assessment')
      return ASSESSMENT_TYPES.some((assessment_type) => rows.isKnown({ event_id, assessment_type }, at))
    },
  }
}

function answered({ placed, waits }: AssessmentAnswer) {
  return { row: placed?.row ?? null, waits }
}

/** Commit stamps may be ahead of the clock by milliseconds, but a committed row is visible. */
function nowOf(memories: MemoryOf, table: AssessmentTableName): Micros {
  return Math.max(wallClock(), memories.get(table)!.horizon)
}
