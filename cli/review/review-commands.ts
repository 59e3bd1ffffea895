import { Option } from 'commander'
import type { Performed, ReviewPorts } from '../../operations/review/perform-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { printPerformed } from './print-performed.ts'
import { refusalsCommand } from './refusals-command.ts'
import { type ActRun, keyOption, reviewPorts, rosterOption, type SignedOptions, throughOption } from './review-ports.ts'
import { verifyCommand } from './verify-command.ts'
import { waitingCommand } from './waiting-command.ts'

/** Which records a group of commands reviews: `tidemark rating ...` or `tidemark severity ...`. */
export type ReviewGroup = {
  readonly name: 'rating' | 'severity'
  /** `rat_...` in examples. */
  readonly record: string
  readonly grade: 'band' | 'level'
  readonly example: string
  readonly subject: () => Promise<ReviewSubject>
}

type Work = (subject: ReviewSubject, ports: ReviewPorts) => Promise<Performed>

/** The review of one group: what waits, and the acts, each signed by a key: approve, return, dispute, decide, withdraw, override. */
export function reviewCommands(context: CommandContext, group: ReviewGroup) {
  return [
    waitingCommand(context, group),
    refusalsCommand(context, group),
    moveCommand(context, group, 'approve', 'approve a record that another member has proposed', null),
    moveCommand(context, group, 'return', 'return a record under review to who proposed it', 'reason'),
    moveCommand(context, group, 'dispute', 'dispute a record; it stays current, shown with its dispute', 'basis'),
    decideCommand(context, group),
    moveCommand(context, group, 'withdraw', 'withdraw a record; what was in force before it is again', 'reason'),
    overrideCommand(context, group),
    expireCommand(context, group),
    verifyCommand(context, group),
  ]
}

function signedCommand(group: ReviewGroup, name: string, summary: string, options: string) {
  const example = `tidemark ${group.name} ${name} ${group.record}${options} --key member.pem`
  return defineCommand(name, summary, [example])
    .argument('<record>', 'id of the record')
    .addOption(keyOption())
    .addOption(rosterOption())
    .addOption(throughOption())
}

function moveCommand(
  context: CommandContext,
  group: ReviewGroup,
  act: 'approve' | 'return' | 'dispute' | 'withdraw',
  summary: string,
  word: 'reason' | 'basis' | null,
) {
  const command = signedCommand(group, act, summary, word === null ? '' : ` --${word} "..."`)
  if (word !== null) command.addOption(new Option(`--${word} <text>`, 'why, in words; recorded').makeOptionMandatory())
  return onAction<SignedOptions & { reason?: string; basis?: string }>(command, context, async ({ args, ...run }) => {
    const { moveRecord } = await import('../../operations/review/review.ts')
    const { options } = run
    const text = options.reason ?? options.basis ?? null
    const work: Work = (subject, ports) => moveRecord(subject, ports, { act, record_id: args[0]!, text })
    await perform(group, work, { ...run, environment: context.environment })
  })
}

type DecideOptions = SignedOptions & {
  readonly uphold?: boolean
  readonly reject?: boolean
  readonly decision: string
  readonly grade?: string
  readonly until?: string
}

function decideCommand(context: CommandContext, group: ReviewGroup) {
  const { grade, example } = group
  const command = signedCommand(
    group,
    'decide',
    'decide a dispute: rejected, the record is confirmed; upheld, another takes its place',
    ` --uphold --${grade} ${example} --decision "..."`,
  )
    .addOption(new Option('--uphold', 'the dispute is right').conflicts('reject'))
    .addOption(new Option('--reject', 'the record is right'))
    .addOption(new Option('--decision <text>', 'why, in words; recorded').makeOptionMandatory())
    .addOption(new Option(`--${grade} <${grade}>`, `${grade} that takes its place, where the dispute is upheld`))
    .addOption(new Option('--until <instant>', `until when the ${grade} holds (default: until another is published)`))
  return onAction<DecideOptions & Record<string, unknown>>(command, context, async ({ args, ...run }) => {
    const { moveRecord, upholdDispute } = await import('../../operations/review/review.ts')
    const { refuseDecision } = await import('./refuse-decision.ts')
    const { options } = run
    const [record_id, text] = [args[0]!, options.decision]
    const given = options[grade] as string | undefined
    refuseDecision(options, grade, given)
    const work: Work = (subject, ports) =>
      options.uphold === true
        ? upholdDispute(subject, ports, { record_id, text, grade: given!, until: options.until ?? null })
        : moveRecord(subject, ports, { act: 'reject_dispute', record_id, text })
    await perform(group, work, { ...run, environment: context.environment })
  })
}

type OverrideOptions = SignedOptions & {
  readonly reasonCode: string
  readonly narrative: string
  readonly starts?: string
  readonly expires: string
}

function overrideCommand(context: CommandContext, group: ReviewGroup) {
  const { grade, example } = group
  const command = signedCommand(
    group,
    'override',
    `propose another ${grade} for a time of 30 days at most, to be approved by another member`,
    ` --${grade} ${example} --reason-code NEWS --narrative "..." --expires 2026-02-01T00:00:00Z`,
  )
    .addOption(new Option(`--${grade} <${grade}>`, `${grade} that is to hold`).makeOptionMandatory())
    .addOption(new Option('--reason-code <code>', 'why, as a code; recorded').makeOptionMandatory())
    .addOption(new Option('--narrative <text>', 'why, in words; recorded').makeOptionMandatory())
    .addOption(new Option('--starts <instant>', 'from when (default: now)'))
    .addOption(new Option('--expires <instant>', 'until when').makeOptionMandatory())
  return onAction<OverrideOptions & Record<string, unknown>>(command, context, async ({ args, ...run }) => {
    const { proposeOverride } = await import('../../operations/review/review.ts')
    const { reasonCode, narrative, starts, expires } = run.options
    const work: Work = (subject, ports) =>
      proposeOverride(subject, ports, {
        record_id: args[0]!,
        proposed_value: String(run.options[grade]),
        reason_code: reasonCode,
        narrative,
        starts_at: starts ?? null,
        expires_at: expires,
      })
    await perform(group, work, { ...run, environment: context.environment })
  })
}

function expireCommand(context: CommandContext, group: ReviewGroup) {
  const { name, grade } = group
  const summary = `record that overrides have ended; the program's ${grade} is restored by a new record`
  const command = defineCommand('expire', summary, [`tidemark ${name} expire`])
  return onAction(command, context, async ({ settings, output }) => {
    const { expireOverrides } = await import('../../operations/review/review.ts')
    const subject = await group.subject()
    const performed = await withWarehouse(settings, { create: false }, (warehouse) =>
      expireOverrides(subject, { warehouse, at: null }),
    )
    if (output.json) return void (await output.document({ expired: performed }))
    await printPerformed(output, subject, performed)
    if (performed.length === 0) await output.line('no override has ended')
  })
}

/** Opens the warehouse, performs one signed act and prints what it published. */
export async function perform(group: ReviewGroup, work: Work, run: ActRun): Promise<void> {
  const { settings, output } = run
  const subject = await group.subject()
  const performed = await withWarehouse(settings, { create: false }, async (warehouse) =>
    work(subject, await reviewPorts(run, subject, warehouse)),
  )
  if (output.json) return void (await output.document(performed))
  await printPerformed(output, subject, [performed])
}
