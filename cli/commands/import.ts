import { Argument, type Command } from 'commander'
import type { ArchiveKind } from '../../connectors/archives/read-archive.ts'
import type { ImportReport } from '../../operations/import/import-archive.ts'
import type { MarkedImportReport } from '../../operations/marks/import-and-mark.ts'
import { PAYLOAD_VENUES } from '../../pipelines/venues/payload-venues.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, commandPath, defineCommand, onAction } from '../command.ts'
import { clockOption } from '../options.ts'

/** Archives of connectors/archives/read-archive.ts, listed here so that `--help` loads no connector. */
export const ARCHIVES = [
  'forecastbench',
  'quotes',
  ...PAYLOAD_VENUES,
  'payloads',
] as const satisfies readonly ArchiveKind[]

/** Groups of equal problems, and files, that are printed; `--json` has all of them. */
const PROBLEMS_SHOWN = 10
const FILES_SHOWN = 20

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
      'tidemark import quotes prices.parquet --mapping map.yaml',
      'tidemark import --explain data/recordings',
    ],
  )
    .addArgument(new Argument('[archive]', 'kind of archive; with --explain it may be left out').choices(ARCHIVES))
    .argument('[dir]', 'folder with the files of the archive, or one file')
    .addOption(clockOption())
    .option('--mapping <file>', 'YAML or JSON file that says how the columns of CSV or Parquet files become quotes')
    .option(
      '--zero-means-missing',
      'read a price of 0 as missing in the fields listed for the archive (docs/archives.md)',
    )
    .option('--explain [path]', 'say what would be done with the files and why; store nothing')
  return onAction<ImportFlags>(command, context, async ({ args, options, settings, output, signal }) => {
    if (options.explain !== undefined) return explain(args, options, output, signal)
    const { importAndMark } = await import('../../operations/marks/import-and-mark.ts')
    const archive = required(command, 'archive', args[0])
    const dir = required(command, 'dir', args[1])
    const progress = await output.progress('import')
    const report = await withWarehouse(settings, { create: true }, (warehouse) =>
      importAndMark({
        ...{ archive, dir, mapping: options.mapping, clock: options.clock, warehouse, signal },
        zero_means_missing: options.zeroMeansMissing === true,
        ...{ on_progress: progress.update, thread_from_bytes: THREAD_FROM_BYTES },
      }),
    ).finally(progress.finish)
    await (output.json ? output.document(report) : printReport(output, report))
    const { read, imported, duplicate } = report.input
    if (imported + duplicate > 0) return undefined
    const { nextStep } = await import('../../operations/import/import-report.ts')
    output.note(
      `nothing of ${dir} could be used: ${count(read)} records read, none imported; ${nextStep(report)} ` +
        `(what is accepted for ${archive}: docs/archives.md)`,
    )
    return 1
  })
}

type ImportFlags = {
  readonly clock: ImportClock
  readonly mapping?: string
  readonly zeroMeansMissing?: true
  /** true: the path is the operand. */
  readonly explain?: string | true
}

/** Returns an operand that may be left out with --explain alone. */
function required(command: Command, name: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new ServiceError('VALIDATION_USAGE_INVALID', `missing required argument '${name}'`, {
    usage: `${commandPath(command)} ${command.usage()}`,
  })
}

/** Says what an import would do; exits like it. */
async function explain(
  args: readonly string[],
  { explain: stated, mapping, zeroMeansMissing: zero_means_missing }: ImportFlags,
  output: Output,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [{ explainImport }, { printExplanation }] = await Promise.all([
    import('../../operations/import/explain/explain-import.ts'),
    import('./import-explanation.ts'),
  ])
  const [archive = null, operand] = args as [ArchiveKind?, string?]
  const path = stated === true ? operand : stated
  if (path === undefined || (stated !== true && operand !== undefined)) {
    const seen = path === undefined ? 'missing' : `${path}, and dir is ${operand}`
    throw new ServiceError('VALIDATION_USAGE_INVALID', `explain is ${seen}; allowed: the path of one file or folder`, {
      field: 'explain',
    })
  }
  const explained = await explainImport({ archive, path, mapping, zero_means_missing, now: wallClock(), signal })
  await (output.json ? output.document(explained) : printExplanation(output, explained))
  return explained.input.usable + explained.input.repeated > 0 ? undefined : 1
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
  await printMissingMarks(output, report)
  await printInput(output, report)
  await printZeros(output, report)
  await printRules(output, report)
  await printProblems(output, report)
}

/** Says which marks are missing, and why. */
async function printMissingMarks(output: Output, report: MarkedImportReport): Promise<void> {
  const { marks_paused, marks_due_at, undescribed_markets } = report
  if (marks_paused !== null) {
    await output.line(`warning: publication is ${marks_paused}, so no marks were published; repeat the import after it`)
  } else if (marks_due_at !== null) {
    await output.line(
      `the marks of the last records are due at ${marks_due_at}; repeat the import then to publish them`,
    )
  }
  const { count: markets, first } = undescribed_markets
  if (first === null) return
  await output.line(
    `warning: nothing stored describes ${count(markets)} of the markets (first: ${first}), so they get no marks; import a file ` +
      'that describes them (docs/archives.md)',
  )
}

/** Prints what became of every record of the input, in total and, of several files, file by file. */
async function printInput(output: Output, { input, input_files, records_clock_ahead }: ImportReport): Promise<void> {
  const rows = input_files.length < 2 ? [] : input_files.slice(0, FILES_SHOWN)
  await output.line()
  await output.table(
    ['records of the files', 'read', 'imported', 'duplicate', 'redacted', 'ignored', 'quarantined'],
    [{ file: 'all files', ...input }, ...rows].map(({ file, ...counts }) => [
      file,
      count(counts.read),
      count(counts.imported),
      count(counts.duplicate),
      count(counts.redacted),
      count(counts.ignored),
      count(counts.quarantined),
    ]),
  )
  if (input_files.length > FILES_SHOWN) await output.line(`… and ${count(input_files.length - FILES_SHOWN)} more files`)
  if (records_clock_ahead > 0) {
    await output.line(
      `${count(records_clock_ahead)} records state an instant after their receipt, within the tolerance of their source`,
    )
  }
}

/** Warns of zeros that may stand for missing prices. */
async function printZeros(output: Output, { zero_values }: ImportReport): Promise<void> {
  const { count: zeros, read_as_missing, first } = zero_values
  if (first === null) return
  const where = `first: ${first.file}, line ${first.line}`
  if (read_as_missing > 0) await output.line(`${count(read_as_missing)} prices of 0 were read as missing (${where})`)
  const kept = zeros - read_as_missing
  if (kept === 0) return
  await output.line(
    `warning: ${count(kept)} prices are 0 and were not read as missing (${where}); if the recorder wrote 0 for a missing price, ` +
      'import into a new warehouse with --zero-means-missing',
  )
}

async function printRules(output: Output, { ignored, redactions }: ImportReport): Promise<void> {
  if (ignored.length + redactions.length === 0) return
  const { IGNORE_RULES, REDACTION_RULES } = await import('../../pipelines/venues/outcomes.ts')
  await output.line()
  await output.table(
    ['rule', 'count', 'first file', 'line', 'meaning'],
    [
      ...ignored.map(({ rule, ...first }) => [rule, count(first.count), first.file, first.line, IGNORE_RULES[rule]]),
      ...redactions.map(({ rule, ...first }) => [
        rule,
        count(first.count),
        first.file,
        first.line,
        REDACTION_RULES[rule],
      ]),
    ],
  )
}

/** Prints each group of equal problems once, with its first example. */
async function printProblems(output: Output, { problems }: ImportReport): Promise<void> {
  if (problems.length === 0) return
  await output.line()
  await output.table(
    ['quarantined file', 'line', 'path', 'reason', 'count', 'files', 'what it is, and what to do'],
    problems
      .slice(0, PROBLEMS_SHOWN)
      .map(({ file, line, path, reason, advice, ...group }) => [
        file,
        line,
        path ?? '',
        reason,
        count(group.count),
        count(group.files),
        advice,
      ]),
  )
  if (problems.length > PROBLEMS_SHOWN) await output.line(`… and ${count(problems.length - PROBLEMS_SHOWN)} more kinds`)
}
