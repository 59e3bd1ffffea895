import { Argument } from 'commander'
import type { ArchiveKind } from '../../connectors/archives/read-archive.ts'
import type { ImportReport } from '../../operations/import/import-archive.ts'
import type { MarkedImportReport } from '../../operations/marks/import-and-mark.ts'
import { PAYLOAD_VENUES } from '../../pipelines/venues/payload-venues.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { clockOption } from '../options.ts'

/** Archives of connectors/archives/read-archive.ts, listed here so that `--help` loads no connector. */
export const ARCHIVES = [
  'forecastbench',
  'quotes',
  ...PAYLOAD_VENUES,
  'payloads',
] as const satisfies readonly ArchiveKind[]

const QUARANTINED_SHOWN = 10

/** Size above which an archive is worth starting a thread, which takes about a second. */
const THREAD_FROM_BYTES = 4 * 1024 * 1024

/** `tidemark import ARCHIVE DIR`: loads a recorded archive; a second run changes nothing. */
export function importCommand(context: CommandContext) {
  const command = defineCommand(
    'import',
    'load a recorded archive into the warehouse, then publish the marks of its markets minute by minute',
    [
      'tidemark import forecastbench data/forecastbench --clock recorded',
      'tidemark import kalshi data/kalshi_v2_recorded --json',
    ],
  )
    .addArgument(new Argument('<archive>', 'kind of archive').choices(ARCHIVES))
    .argument('<dir>', 'folder with the files of the archive')
    .addOption(clockOption())
  return onAction<{ clock: ImportClock }>(command, context, async ({ args, options, settings, output, signal }) => {
    const { importAndMark } = await import('../../operations/marks/import-and-mark.ts')
    const [archive, dir] = args as [string, string]
    const progress = await output.progress('import')
    const report = await withWarehouse(settings, { create: true }, (warehouse) =>
      importAndMark({
        ...{ archive, dir, clock: options.clock, warehouse, signal },
        ...{ on_progress: progress.update, thread_from_bytes: THREAD_FROM_BYTES },
      }),
    ).finally(progress.finish)
    await (output.json ? output.document(report) : printReport(output, report))
  })
}

async function printReport(output: Output, report: MarkedImportReport): Promise<void> {
  await output.table(
    ['archive', 'read', 'new', 'revised', 'duplicate', 'quarantined', 'reference', 'marks', 'commits'],
    [
      [
        report.archive,
        count(report.records_read),
        count(report.records_new),
        count(report.records_revised),
        count(report.records_duplicate),
        count(report.records_quarantined),
        count(report.reference_records),
        count(report.marks_published),
        count(report.commits),
      ],
    ],
  )
  await output.line(`values from ${report.first_source_at ?? '-'} to ${report.last_source_at ?? '-'}`)
  await printQuarantine(output, report)
}

async function printQuarantine(output: Output, report: ImportReport): Promise<void> {
  const shown = report.quarantine.slice(0, QUARANTINED_SHOWN)
  if (shown.length === 0) return
  const { QUARANTINE_REASONS } = await import('../../pipelines/venues/quarantine.ts')
  await output.line()
  await output.table(
    ['quarantined file', 'line', 'path', 'reason', 'meaning'],
    shown.map(({ file, line, path, reason }) => [file, line, path ?? '', reason, QUARANTINE_REASONS[reason]]),
  )
  const more = report.records_quarantined - shown.length
  if (more > 0) await output.line(`… and ${count(more)} more`)
}
