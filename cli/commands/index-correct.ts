import { Option } from 'commander'
import type { AwaitedAdoption } from '../../operations/index/correct-index.ts'
import { count } from '../../report/number-text.ts'
import type { Environment } from '../../service/configuration.ts'
import type { Invocation } from '../../service/invocation.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { CORRECTION_REASONS } from '../../vocabulary/index-level.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { fromOption, temporalOption, toOption } from '../options.ts'

type Options = { from?: string; to?: string; reason: string; dryRun?: true; temporal?: true }

/** `tidemark index correct INDEX`: publishes revisions where the admitted inputs changed, or shows them. */
export function correctCommand(context: CommandContext) {
  const command = defineCommand('correct', 'publish revisions of levels whose admitted inputs changed', [
    'tidemark index correct idx_demo --reason LATE_DATA',
    'tidemark index correct idx_demo --reason LATE_DATA --dry-run',
    'tidemark index correct idx_demo --from 2026-01-01T00:00:00Z --to 2026-01-08T00:00:00Z --reason RESOLUTION_CORRECTED',
  ])
    .argument('<index>', 'index id')
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(new Option('--reason <code>', 'why the levels change').choices(CORRECTION_REASONS).makeOptionMandatory())
    .option('--dry-run', 'show the levels that would change, without publishing')
    .addOption(temporalOption().conflicts('dryRun'))
  return onAction<Options>(command, context, (run) =>
    run.options.temporal === true ? correctThere(run, context.environment) : correctHere(run),
  )
}

/** Runs the correction through Temporal, which counts revisions but does not list them. */
async function correctThere(run: Invocation<Options>, environment: Environment): Promise<undefined> {
  const { correctThroughTemporal } = await import('../../service/temporal/correct-through-temporal.ts')
  const { args, options, output } = run
  const request = { index_id: args[0]!, from: options.from ?? null, to: options.to ?? null, reason: options.reason }
  const report = await correctThroughTemporal(request, { ...run, environment })
  if (output.json) return void (await output.document(report))
  await output.line(`${count(report.revised)} of ${count(report.ticks_checked)} ticks revised`)
  if (report.waiting !== undefined && report.waiting > 0)
    await output.line(waitingText(report.waiting, report.adoption))
}

async function correctHere({ args, options, settings, output, signal }: Invocation<Options>): Promise<undefined> {
  const { correctIndex } = await import('../../operations/index/correct-index.ts')
  const { from = null, to = null, reason, dryRun: dry_run = false } = options
  const report = await withWarehouse(settings, { create: false }, (warehouse) =>
    correctIndex({ index_id: args[0]!, from, to, reason, dry_run, warehouse, signal }),
  )
  if (output.json) return void (await output.document(report))
  await output.table(
    ['tick', 'old level', 'new level', 'basis points', 'restatement', 'observation'],
    report.revised.map((revision) => [
      revision.tick_at,
      revision.old_level,
      revision.new_level,
      revision.basis_points,
      revision.restatement,
      revision.observation_id,
    ]),
  )
  const moved = report.revised.filter(({ old_level, new_level }) => old_level !== new_level).length
  const done = dry_run ? `would be revised, ${count(moved)} of them to another level; nothing was published` : 'revised'
  await output.line(`${count(report.revised.length)} of ${count(report.ticks_checked)} ticks ${done}`)
  if (report.waiting.length > 0) await output.line(waitingText(report.waiting.length, report.adoption))
}

function waitingText(waiting: number, adoption: AwaitedAdoption | null = null): string {
  const wait = `${count(waiting)} more wait for a vote: tidemark governance propose with a restatement`
  if (adoption === null) return wait
  const at = adoption.effective_at === null ? '' : `, at ${adoption.effective_at}`
  return `${wait}, once the adoption ${adoption.proposal_id} is in force${at}`
}
