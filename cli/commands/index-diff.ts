import { Option } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { fromOption, instantOption, toOption } from '../options.ts'

type Options = { asOf?: string; with?: string; against?: string; from?: string; to?: string; report?: string }

/** `tidemark index diff INDEX`: compares two instants of knowledge, or two versions by replay; exits 1 if something differs. */
export function diffCommand(context: CommandContext) {
  const command = defineCommand('diff', 'compare the levels known at two instants, or the levels of two versions', [
    'tidemark index diff idx_demo --as-of 2026-01-17T00:00:00Z --with 2026-01-19T00:00:00Z',
    'tidemark index diff idx_demo --against draft.yaml --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --report diff.html',
    'tidemark index diff idx_demo@1 --against idx_demo@2 --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z',
  ])
    .argument('<index>', 'index id; with --against also a definition file or INDEX@VERSION')
    .addOption(
      instantOption(
        '--as-of <instant>',
        'earlier instant of knowledge; with --against, that of both replays (default: now)',
      ),
    )
    .addOption(instantOption('--with <instant>', 'later instant of knowledge'))
    .addOption(
      new Option('--against <index>', 'a definition file or INDEX[@VERSION], replayed over the same ticks').conflicts(
        'with',
      ),
    )
    .addOption(fromOption())
    .addOption(toOption())
    .option('--report <file>', 'also write an HTML report: levels, differences, states, definitions, tables')
  return onAction<Options>(command, context, async (invocation) =>
    invocation.options.against === undefined ? diffKnowledge(invocation) : diffVersions(invocation),
  )
}

async function diffKnowledge({ args, options, settings, output }: Invocation<Options>): Promise<number> {
  refuse(options, ['from', 'to'])
  const [as_of, later] = [needed(options, 'asOf'), needed(options, 'with')]
  const { diffIndex } = await import('../../operations/index/diff-index.ts')
  const index_id = args[0]!
  const diff = await withWarehouse(settings, { create: false }, (warehouse) =>
    diffIndex({ index_id, as_of, with: later, warehouse }),
  )
  const { changes } = diff
  await writeReport(options.report, output, async () => {
    const { renderKnowledgeReport } = await import('../../report/knowledge-report.ts')
    return renderKnowledgeReport(diff)
  })
  if (output.json) await output.document({ index_id, as_of, with: later, changes })
  else {
    await output.table(
      ['tick', 'change', 'level before', 'level after', 'state before', 'state after'],
      changes.map(({ tick_at, change, before, after }) => [
        tick_at,
        change,
        before?.level,
        after.level,
        before?.quality_state,
        after.quality_state,
      ]),
    )
    await output.line(`${count(changes.length)} changes`)
  }
  return changes.length === 0 ? EXIT.done : EXIT.no
}

async function diffVersions({ args, options, settings, output, signal }: Invocation<Options>): Promise<number> {
  const [from, to] = [needed(options, 'from'), needed(options, 'to')]
  const [target, against, as_of] = [args[0]!, options.against!, options.asOf ?? null]
  const { compareVersions } = await import('../../operations/replay/compare-versions.ts')
  const { ComparisonSummarizer } = await import('../../report/comparison-summary.ts')
  const progress = await output.progress('diff')
  const { summary, ...subjects } = await withWarehouse(settings, { create: false }, async (warehouse) => {
    const watch = { on_progress: progress.update, signal }
    const { left, right, ticks, close } = await compareVersions({
      target,
      against,
      from,
      to,
      as_of,
      warehouse,
      ...watch,
    })
    const summarizer = new ComparisonSummarizer({ left, right })
    try {
      for (const tick of ticks()) summarizer.add(tick)
    } finally {
      await close()
    }
    return { left, right, summary: summarizer.result() }
  }).finally(progress.finish)
  await writeReport(options.report, output, async () => {
    const { renderComparisonReport } = await import('../../report/comparison-report.ts')
    return renderComparisonReport({ ...subjects, summary })
  })
  await printComparison(output, await comparisonDocument(subjects, summary))
  return summary.counts.equal === summary.count ? EXIT.done : EXIT.no
}

type Subjects = Pick<import('../../operations/replay/compare-versions.ts').VersionComparison, 'left' | 'right'>
type Summary = import('../../report/comparison-summary.ts').ComparisonSummary

/** Document of `--json`: `before` is the first index, `after` the one compared with it. */
async function comparisonDocument({ left, right }: Subjects, summary: Summary) {
  const { compositionDifferences, settingDifferences } = await import('../../pipelines/index/definition-difference.ts')
  return {
    index: left.target,
    against: right.target,
    from: left.from,
    to: left.to,
    as_of: left.as_of,
    ticks: summary.count,
    ...summary.counts,
    lines_sha256: { before: summary.left.digest, after: summary.right.digest },
    settings: settingDifferences(left.versions, right.versions),
    composition: compositionDifferences(left.versions, right.versions),
    changes: summary.changes,
  }
}

async function printComparison(output: Output, document: Awaited<ReturnType<typeof comparisonDocument>>) {
  if (output.json) return output.document(document)
  await output.table(
    ['setting', 'before', 'after'],
    document.settings.map(({ name, before, after }) => [name, before, after]),
  )
  await output.table(
    ['tick', 'level before', 'level after', 'difference', 'basis points', 'state before', 'state after'],
    document.changes.map(({ tick_at, before, after, difference, basis_points }) => [
      tick_at,
      before?.level,
      after?.level,
      difference,
      basis_points,
      before?.quality_state,
      after?.quality_state,
    ]),
  )
  const { ticks, equal } = document
  await output.line(`${count(ticks - equal)} of ${count(ticks)} ticks differ`)
}

async function writeReport(file: string | undefined, output: Output, render: () => Promise<string>): Promise<void> {
  if (file === undefined) return
  const { writeWhole } = await import('../../report/write-whole.ts')
  await writeWhole(file, await render(), 'report')
  output.note(`report written to ${file}`)
}

const FLAGS = { asOf: '--as-of', with: '--with', from: '--from', to: '--to' } as const
const USAGE = 'tidemark index diff [options] <index>'

function needed(options: Options, name: keyof typeof FLAGS): string {
  const value = options[name]
  if (value !== undefined) return value
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${FLAGS[name]} is missing; allowed: --as-of with --with, or --against with --from and --to`,
    { usage: USAGE },
  )
}

function refuse(options: Options, names: readonly (keyof typeof FLAGS)[]): void {
  for (const name of names)
    if (options[name] !== undefined)
      throw new ServiceError(
        'VALIDATION_USAGE_INVALID',
        `${FLAGS[name]} is ${options[name]}; allowed: only with --against`,
        { usage: USAGE },
      )
}
