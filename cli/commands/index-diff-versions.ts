import type { VersionComparison } from '../../operations/replay/compare-versions.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { ComparisonSummary } from '../../report/comparison-summary.ts'
import { compositionRows } from '../../report/composition-rows.ts'
import { inForceText, isInForce, laterText } from '../../report/in-force-text.ts'
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
  readonly report?: string
}

/** Replays two definitions or versions over the same ticks and prints where they differ; exits 1 if they do. */
export async function diffVersions({ args, options, settings, output, signal }: Invocation<DiffOptions>) {
  const { from = null, to = null, asOf: as_of = null, against } = options
  const { compareVersions } = await import('../../operations/replay/compare-versions.ts')
  const { ComparisonSummarizer } = await import('../../report/comparison-summary.ts')
  const progress = await output.progress('diff')
  const compared = await withWarehouse(settings, { create: false }, async (warehouse) => {
    const watch = { on_progress: progress.update, signal }
    const request = { target: args[0]!, against: against!, from, to, as_of, warehouse, ...watch }
    const { left, right, in_force, later, ticks, close } = await compareVersions(request)
    const summarizer = new ComparisonSummarizer({ left, right })
    try {
      for (const tick of ticks()) summarizer.add(tick)
    } finally {
      await close()
    }
    return { left, right, in_force, later, summary: summarizer.result() }
  }).finally(progress.finish)
  await writeReport(options.report, output, async () => {
    const { renderComparisonReport } = await import('../../report/comparison-report.ts')
    return renderComparisonReport(compared)
  })
  const document = await comparisonDocument(compared)
  if (output.json) await output.document(document)
  else await printComparison(output, document, compared)
  return compared.summary.counts.equal === compared.summary.count ? EXIT.done : EXIT.no
}

/** Writes an HTML report, completely or not at all. */
export async function writeReport(
  file: string | undefined,
  output: Output,
  render: () => Promise<string>,
): Promise<void> {
  if (file === undefined) return
  const { writeWhole } = await import('../../report/write-whole.ts')
  await writeWhole(file, await render(), 'report')
  output.note(`report written to ${file}`)
}

type Compared = Pick<VersionComparison, 'left' | 'right' | 'in_force' | 'later'> & {
  readonly summary: ComparisonSummary
}

/** Document of `--json`: `before` is the first index, `after` the one compared with it. */
async function comparisonDocument({ left, right, in_force, later, summary }: Compared) {
  const { compositionDifferences, ruleDifferences } = await import('../../pipelines/index/definition-difference.ts')
  const [largest] = summary.largest
  return {
    index: left.target,
    against: right.target,
    from: left.from,
    to: left.to,
    as_of: left.as_of,
    as_if_in_force: in_force.left !== null || in_force.right !== null,
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
  }
}

function rangeOf(range: Compared['in_force']['left']) {
  return range === null
    ? null
    : { from: formatMicros(range.from), to: range.to === null ? null : formatMicros(range.to) }
}

type Document = Awaited<ReturnType<typeof comparisonDocument>>

async function printComparison(output: Output, document: Document, compared: Compared): Promise<void> {
  const { in_force } = compared
  const said = inForceText(compared)
  if (said !== null) await output.line(said)
  await output.table(
    ['setting', 'before', 'after'],
    document.settings.map(({ name, before, after }) => [name, before, after]),
  )
  await output.table(['constituent', 'term', 'before', 'after'], compositionRows(document.composition))
  const mark = (tick_at: string) =>
    (['left', 'right'] as const).filter((side) => isInForce(in_force[side], tick_at)).map((side) => SIDES[side])
  await output.table(
    [
      ...['tick', 'level before', 'level after', 'difference', 'basis points', 'state before', 'state after'],
      ...(said === null ? [] : ['in force']),
    ],
    document.changes.map(({ tick_at, before, after, difference, basis_points }) => [
      ...[tick_at, before?.level, after?.level, difference, basis_points, before?.quality_state, after?.quality_state],
      ...(said === null ? [] : [mark(tick_at).join(' and ') || 'neither']),
    ]),
  )
  const { ticks, equal, largest_difference: largest } = document
  if (largest !== null)
    await output.line(
      `largest difference ${largest.difference} (${largest.basis_points ?? '-'} bp) at ${largest.tick_at}`,
    )
  await output.line(`${count(ticks - equal)} of ${count(ticks)} ticks differ`)
  for (const one of document.later_versions) await output.line(laterText(one))
}

const SIDES = { left: 'before', right: 'after' } as const
