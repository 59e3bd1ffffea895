import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type ImportOptions, type ImportReport, importArchive } from '../import/import-archive.ts'
import type { ImportedMarket } from '../import/import-report.ts'
import { openPauses, pauseText } from '../pause/pauses.ts'
import { MARK_PARAMETERS } from './live-marks.ts'
import { tickFrom } from './mark-ticks.ts'
import { publishArchiveMarks } from './publish-archive-marks.ts'

/** Counts of an import and of the marks that follow from it. */
export type MarkedImportReport = ImportReport & {
  /** Marks of outcomes that were published, first ones and revisions. */
  readonly marks_published: number
  /** Instant from which repeating the import publishes the marks of its last records; null: all of them are published. */
  readonly marks_due_at: Instant | null
  /** Pause of publication, in words: no marks were published; null: none. */
  readonly marks_paused: string | null
  /** Markets that have records of this import and that nothing stored describes: they get no marks. */
  readonly undescribed_markets: { readonly count: number; readonly first: string | null }
}

/**
 * Loads an archive, then publishes the marks of its markets: a stage of its own, so that an import that was ended in it is
 * completed by the next one.
 * @throws {ServiceError} as importArchive and publishArchiveMarks
 */
export function importAndMark(options: ImportOptions): Promise<MarkedImportReport> {
  return withMarks(options, (on_markets) => importArchive({ ...options, on_markets }))
}

type MarkOptions = Pick<ImportOptions, 'clock' | 'signal'> & {
  readonly warehouse: Warehouse
}

/** Runs an import, then publishes the marks of the markets that it names; `commits` counts those of both. */
export async function withMarks(
  { warehouse, clock, signal }: MarkOptions,
  load: (on_markets: (markets: readonly ImportedMarket[]) => void) => Promise<ImportReport>,
): Promise<MarkedImportReport> {
  let markets: readonly ImportedMarket[] = []
  const report = await load((found) => {
    markets = found
  })
  const marked = markets.filter(({ from, to }) => from < to)
  const pause = await openPauses(warehouse).of(SCHEDULE_IDS.publish)
  const request = { warehouse, clock, markets: marked, signal, is_late: false }
  const marks = pause === null ? await publishArchiveMarks(request) : { marks_published: 0, commits: 0 }
  return {
    ...report,
    marks_published: marks.marks_published,
    marks_due_at: lastMarksDue(marked, await warehouse.now()),
    marks_paused: pause === null ? null : pauseText(pause),
    undescribed_markets: await readUndescribed(warehouse, markets),
    commits: report.commits + marks.commits,
  }
}

/** The instant at which the marks of the last records are due, if it is still to come. */
function lastMarksDue(marked: readonly ImportedMarket[], now: Micros): Instant | null {
  const last = marked.reduce((latest, { to }) => Math.max(latest, to), 0)
  const due_at = tickFrom(last) + MARK_PARAMETERS.grace
  return due_at > now ? formatMicros(due_at) : null
}

/** Counts the markets that no description is stored of, and names the first by the venue's own id. */
async function readUndescribed(
  warehouse: Warehouse,
  markets: readonly ImportedMarket[],
): Promise<MarkedImportReport['undescribed_markets']> {
  if (markets.length === 0) return { count: 0, first: null }
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const market_ids = markets.map(({ market_id }) => market_id)
    const rows = await session.query(readSql(import.meta.url, 'sql/described_markets.sql'), { market_ids })
    const described = new Set(rows.map(({ market_id }) => String(market_id)))
    const missing = markets.filter(({ market_id }) => !described.has(market_id))
    return { count: missing.length, first: missing[0]?.source_market_id ?? null }
  } finally {
    await session.close()
  }
}
