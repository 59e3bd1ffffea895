import type { Attribution, ComparedTick, VersionComparison } from '../../operations/replay/compare-versions.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { comparisonNotes, inForceText, isInForce, laterText, NOT_ATTRIBUTED } from '../../report/comparison-notes.ts'
import type { ComparisonSummarizer, ComparisonSummary } from '../../report/comparison-summary.ts'
import { compositionRows } from '../../report/composition-rows.ts'
import { count } from '../../report/number-text.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'

export type DiffOptions = {
  readonly asOf?: string
  readonly against?: string
  readonly from?: string
  readonly to?: string
  readonly format?: 'csv'
  readonly report?: string
}

/** Replays two definitions or versions over the same ticks and prints where they differ; exits 1 if they do. */
export async function diffVersions({ args, options, settings, output, signal }: Invocation<DiffOptions>) {
  const { from = null, to = null, asOf: as_of = null, against } = options
  const csv = options.format === 'csv' && !output.json
  const { compareVersions } = await import('../../operations/replay/compare-versions.ts')
  const { ComparisonSummarizer } = await import('../../report/comparison-summary.ts')
  const progress = await output.progress('diff')
  const compared = await withWarehouse(settings, { create: false }, async (warehouse) => {
    const watch = { on_progress: progress.update, signal }
    const request = { target: args[0]!, against: against!, from, to, as_of, warehouse, ...watch }
    const comparison = await compareVersions(request)
    try {
      const summarizer = new ComparisonSummarizer(comparison, !csv)
      const ticks = summarized(comparison, summarizer)
      if (csv) await (await import('./index-diff-csv.ts')).printDifferenceCsv(output, ticks)
      else for (const _tick of ticks);
      const attribution = csv && options.report === undefined ? [] : await comparison.attribution()
      return { ...comparison, attribution, summary: await withTicks(comparison, summarizer.result()) }
    } finally {
      await comparison.close()
    }
  }).finally(progress.finish)
  await writeReport(options.report, output, async () => {
    const { renderComparisonReport } = await import('../../report/comparison-report.ts')
    return renderComparisonReport(compared)
  })
  const document = await comparisonDocument(compared)
  if (output.json) await output.document(document)
  else if (!csv) await printComparison(output, document, compared)
  return compared.summary.counts.equal === compared.summary.count ? EXIT.done : EXIT.no
}

function* summarized(comparison: VersionComparison, summarizer: ComparisonSummarizer): Generator<ComparedTick> {
  for (const tick of comparison.ticks()) {
    summarizer.add(tick)
    yield tick
  }
}

/** Refuses a range between two ticks, which would look like equality. @throws {ServiceError} VALIDATION_RANGE_INVALID */
async function withTicks({ left }: VersionComparison, summary: ComparisonSummary): Promise<ComparisonSummary> {
  if (summary.count > 0) return summary
  const { emptyRangeError } = await import('../../operations/replay/empty-range.ts')
  const range = { from: toMicros(left.from), to: toMicros(left.to) }
  throw emptyRangeError({ name: left.target, versions: left.versions }, range, toMicros(left.as_of))
}

/** Writes an HTML report, completely or not at all. */
export async function writeReport(
  file: string | undefined,
  output: Output,
  render: () => Promise<string>,
): Promise<void> {
  if (file === undefined) return
  const { writeOutput } = await import('../../warehouse/export/output-file.ts')
  await writeOutput(file, await render(), { option: 'report' })
  output.note(`report written to ${file}`)
}

type Compared = Omit<VersionComparison, 'ticks' | 'attribution' | 'close'> & {
  readonly summary: ComparisonSummary
  readonly attribution: Attribution
}

/** Document of `--json`: `before` is the first index, `after` the one compared with it. */
async function comparisonDocument(compared: Compared) {
  const { left, right, in_force, as_if_in_force, later, summary, attribution } = compared
  const { compositionDifferences, ruleDifferences } = await import('../../pipelines/index/definition-difference.ts')
  const [largest] = summary.largest
  return {
    index: left.target,
    against: right.target,
    from: left.from,
    to: left.to,
    as_of: left.as_of,
    as_if_in_force,
    in_force: { before: rangeOf(in_force.left), after: rangeOf(in_force.right) },
    later_versions: later,
    ticks: summary.count,
    ...summary.counts,
    largest_difference:
      largest === undefined
        ? null
        : { tick_at: largest.tick_at, difference: largest.difference, basis_points: largest.basis_points },
    lines_sha256: { before: summary.left.digest, after: summary.right.digest },
    settings: ruleDifferences(left, right),
    composition: compositionDifferences(left.versions, right.versions),
    changes: summary.changes,
    attribution,
    records_count_alike: compared.records_count_alike,
    last_published_at: compared.last_published_at,
    notes: comparisonNotes(compared, summary.last_tick_at),
  }
}

function rangeOf(range: Compared['in_force']['left']) {
  return range === null
    ? null
    : { from: formatMicros(range.from), to: range.to === null ? null : formatMicros(range.to) }
}

type Document = Awaited<ReturnType<typeof comparisonDocument>>

async function printComparison(output: Output, document: Document, compared: Compared): Promise<void> {
  const said = inForceText(compared)
  if (said !== null) await output.line(said)
  await output.table(
    ['setting', 'before', 'after'],
    document.settings.map(({ name, before, after }) => [name, before, after]),
  )
  await output.table(['constituent', 'term', 'before', 'after'], compositionRows(document.composition))
  await printTicks(output, document, compared)
  await printAttribution(output, document.attribution)
  for (const one of document.notes) await output.line(one)
  const { ticks, equal, largest_difference: largest } = document
  if (largest !== null)
    await output.line(
      `largest difference ${largest.difference} (${largest.basis_points ?? '-'} bp) at ${largest.tick_at}`,
    )
  await output.line(`${count(ticks - equal)} of ${count(ticks)} ticks differ`)
  for (const one of document.later_versions) await output.line(laterText(one))
}

async function printTicks(output: Output, document: Document, { in_force, as_if_in_force }: Compared): Promise<void> {
  const mark = (tick_at: string) =>
    (['left', 'right'] as const).filter((side) => isInForce(in_force[side], tick_at)).map((side) => SIDES[side])
  const is_published = document.changes.some(({ published_level }) => published_level !== null)
  await output.table(
    [
      ...['tick', 'level before', 'level after', 'difference', 'basis points', 'state before', 'state after'],
      ...(as_if_in_force ? ['in force'] : []),
      ...(is_published ? ['published'] : []),
    ],
    document.changes.map(({ tick_at, before, after, difference, basis_points, published_level }) => [
      ...[tick_at, before?.level, after?.level, difference, basis_points, before?.quality_state, after?.quality_state],
      ...(as_if_in_force ? [mark(tick_at).join(' and ') || 'neither'] : []),
      ...(is_published ? [published_level] : []),
    ]),
  )
}

async function printAttribution(output: Output, attribution: Attribution): Promise<void> {
  if (attribution === null) return output.line(NOT_ATTRIBUTED)
  await output.table(
    ['change alone', 'name', 'before', 'after', 'ticks that differ', 'median bp', 'largest bp'],
    attribution.map(({ kind, name, before, after, effect }) => [
      ...[kind, name, before, after, effect?.ticks_different, effect?.median_bp, effect?.largest_bp],
    ]),
  )
}

const SIDES = { left: 'before', right: 'after' } as const
