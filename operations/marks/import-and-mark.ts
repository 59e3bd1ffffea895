import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type ImportOptions, type ImportReport, importArchive } from '../import/import-archive.ts'
import type { ImportedMarket } from '../import/import-report.ts'
import { publishArchiveMarks } from './publish-archive-marks.ts'

/** Counts of an import and of the marks that follow from it. */
export type MarkedImportReport = ImportReport & {
  /** Marks of outcomes that were published, first ones and revisions. */
  readonly marks_published: number
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
  const { marks_published, commits } = await publishArchiveMarks({
    ...{ warehouse, clock, markets, signal },
    is_late: false,
  })
  const { commits: of_records, ...counts } = report
  return { ...counts, marks_published, commits: of_records + commits }
}
