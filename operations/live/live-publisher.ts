import { formatMicros, type Instant, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { writeStamped } from '../index/write-stamped.ts'
import { markDueBefore, planMarks } from '../publish-marks.ts'
import { LiveLevels } from './live-levels.ts'
import { LiveMarks } from './live-marks.ts'

/** Distance of the marks' ticks. */
const MARK_STEP: Micros = 60 * MICROS_PER_SECOND

export type PublishedTick = {
  readonly at: Instant
  readonly levels: number
  readonly marks: number
  readonly commits: number
}

/** Publishes what is due, again and again, remembering between the ticks what the next one needs. */
export type LivePublisher = {
  /**
   * Marks of every market and levels of every index that are due by the warehouse's clock and not published yet: one commit a
   * table. What was missed since the last call, or since this publication began, is made up for, one tick after the other.
   */
  publishDue(): Promise<PublishedTick>
}

export type LivePublisherOptions = {
  /** Whether the levels of an index are published; all are when left out. */
  readonly follows?: (index_id: string) => boolean
}

/** @param warehouse of which this process is a writer: each tick's inputs are sealed before they are read */
export function openLivePublisher(warehouse: Warehouse, options: LivePublisherOptions = {}): LivePublisher {
  const levels = new LiveLevels(options.follows)
  const marks = new LiveMarks(MARK_STEP)
  let marked_to: Micros | null = null
  return {
    async publishDue() {
      const now = await warehouse.now()
      const session = await openReadSession(warehouse, { as_of: now })
      try {
        const due = markDueBefore(Number.MAX_SAFE_INTEGER, now)
        const told = await marks.take(session, marked_to ?? due - MARK_STEP, due, true)
        const mark_rows = await planMarks(session, told, 'wall', now)
        const planned = await levels.plan(session, now, 'wall')
        const rows = [...mark_rows, ...planned.flatMap((index) => index.rows)]
        const commits = await writeStamped(warehouse, rows, { operation: 'PUBLISH_TICK' })
        marked_to = due
        const published = planned.reduce((sum, { report }) => sum + report.published, 0)
        return { at: formatMicros(now), levels: published, marks: mark_rows.length, commits }
      } finally {
        await session.close()
      }
    },
  }
}
