import { Option } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import { counted } from '../../report/number-text.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Invocation } from '../../service/invocation.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { instantOption, VERSION_TEXT } from '../options.ts'
import { type DiffOptions, diffVersions, writeReport } from './index-diff-versions.ts'

type Options = DiffOptions & { readonly with?: string }

/** `tidemark index diff INDEX`: compares two instants of knowledge, or two versions by replay; exits 1 if something differs. */
export function diffCommand(context: CommandContext) {
  const command = defineCommand('diff', 'compare the levels known at two instants, or the levels of two versions', [
    'tidemark index diff idx_demo --as-of 2026-01-17T00:00:00Z --with 2026-01-19T00:00:00Z',
    'tidemark index diff idx_demo --against draft.yaml --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --report diff.html',
    'tidemark index diff idx_demo@1 --against idx_demo@2',
    'tidemark index diff idx_demo@1 --against idx_demo@2 --from 2026-01-01 --to 2026-02-01 --as-of 2026-03-01',
  ])
    .argument('<index>', `index id; with --against also a definition file, with @VERSION or without. ${VERSION_TEXT}`)
    .addOption(
      instantOption(
        '--as-of <instant>',
        'earlier instant of knowledge; with --against, that of both replays (default: now)',
      ),
    )
    .addOption(instantOption('--with <instant>', 'later instant of knowledge'))
    .addOption(
      new Option(
        '--against <index>',
        'a definition file or an index id, with @VERSION or without, replayed over the same ticks; a named version of either side counts as in force over all of them',
      ).conflicts('with'),
    )
    .addOption(instantOption('--from <instant>', 'first instant, inclusive (default: the first start of the two)'))
    .addOption(instantOption('--to <instant>', 'last instant, exclusive (default: after the last published tick)'))
    .addOption(new Option('--format <format>', 'csv: one line per constituent of each differing tick').choices(['csv']))
    .option('--report <file>', 'also write an HTML report: levels, differences, their parts and causes, states, tables')
  return onAction<Options>(command, context, async (invocation) =>
    invocation.options.against === undefined ? diffKnowledge(invocation) : diffVersions(invocation),
  )
}

async function diffKnowledge({ args, options, settings, output }: Invocation<Options>): Promise<number> {
  refuse(options, ['from', 'to', 'format'])
  await refuseVersion(args[0]!)
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
      ['tick', 'change', 'level before', 'level after', 'state before', 'state after', 'reason'],
      changes.map(({ tick_at, change, before, after }) => [
        tick_at,
        change,
        before?.level,
        after.level,
        before?.quality_state,
        after.quality_state,
        after.correction_reason,
      ]),
    )
    await output.line(counted(changes.length, 'change'))
  }
  return changes.length === 0 ? EXIT.done : EXIT.no
}

const FLAGS = { asOf: '--as-of', with: '--with', from: '--from', to: '--to', format: '--format' } as const
const USAGE = 'tidemark index diff [options] <index>'

/** Refuses a version or a file where two instants of an index are compared. */
async function refuseVersion(target: string): Promise<void> {
  const { fileOfTarget } = await import('../../operations/replay/replay-target.ts')
  const named = fileOfTarget(target) !== null ? 'a definition file' : target.includes('@') ? 'a version' : null
  if (named === null) return
  const allowed = 'an index id, or --against with the file, index or version to compare with'
  const message = `index is ${target}, ${named}, without --against; allowed: ${allowed}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { usage: USAGE })
}

function needed(options: Options, name: keyof typeof FLAGS): string {
  const value = options[name]
  if (value !== undefined) return value
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${FLAGS[name]} is missing; allowed: --as-of with --with, or --against`,
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
