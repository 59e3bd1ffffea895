import { Option } from 'commander'
import type { Performed, ReviewPorts } from '../../operations/review/perform-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { instantOption } from '../options.ts'
import { printPerformed } from './print-performed.ts'
import { refusalsCommand } from './refusals-command.ts'
import type { ReviewGroup } from './review-group.ts'
import { type ActRun, reviewPorts, rosterOption, type SignedOptions, throughOption } from './review-ports.ts'
import { keyOption, passphraseOption, signerOption } from './signer-options.ts'
import { verifyCommand } from './verify-command.ts'
import { waitingCommand } from './waiting-command.ts'

type Work = (subject: ReviewSubject, ports: ReviewPorts) => Promise<Performed>

/** Creates the review commands of one group; acts are signed by a key. */
export function reviewCommands(context: CommandContext, group: ReviewGroup) {
  return [
    waitingCommand(context, group),
    refusalsCommand(context, group),
    moveCommand(context, group, 'approve', 'approve a record that another member has proposed', null),
    moveCommand(context, group, 'return', 'return a record under review to its proposer', 'reason'),
    moveCommand(context, group, 'dispute', 'dispute a record; it stays current and shows the dispute', 'basis'),
    decideCommand(context, group),
    moveCommand(context, group, 'withdraw', 'withdraw a record; the previous one becomes current again', 'reason'),
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
    .addOption(passphraseOption())
    .addOption(signerOption())
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
  if (word !== null) command.addOption(new Option(`--${word} <text>`, 'explanation, recorded').makeOptionMandatory())
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
    'decide a dispute: rejected confirms the record, upheld replaces it',
    ` --uphold --${grade} ${example} --decision "..."`,
  )
    .addOption(new Option('--uphold', 'the dispute is right').conflicts('reject'))
    .addOption(new Option('--reject', 'the record is right'))
    .addOption(new Option('--decision <text>', 'explanation, recorded').makeOptionMandatory())
    .addOption(new Option(`--${grade} <${grade}>`, `replacement ${grade} if the dispute is upheld`))
    .addOption(
      instantOption('--until <instant>', `end of the ${grade} (default: until another is published)`, 'future'),
    )
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
    `propose another ${grade} for at most 30 days, for approval by another member`,
    ` --${grade} ${example} --reason-code NEWS --narrative "..." --expires 2026-02-01T00:00:00Z`,
  )
    .addOption(new Option(`--${grade} <${grade}>`, `proposed ${grade}`).makeOptionMandatory())
    .addOption(new Option('--reason-code <code>', 'reason code, recorded').makeOptionMandatory())
    .addOption(new Option('--narrative <text>', 'explanation, recorded').makeOptionMandatory())
    .addOption(instantOption('--starts <instant>', 'start (default: now)', 'future'))
    .addOption(instantOption('--expires <instant>', 'end', 'future').makeOptionMandatory())
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
  const summary = `end expired overrides and restore the model's ${grade} by a new record`
  const command = defineCommand('expire', summary, [`tidemark ${name} expire`])
  return onAction(command, context, async ({ settings, output }) => {
    const { expireOverrides } = await import('../../operations/review/review.ts')
    const subject = await group.subject()
    const performed = await withWarehouse(settings, { create: false }, (warehouse) =>
      expireOverrides(subject, { warehouse, at: null }),
    )
    if (output.json) return void (await output.document({ expired: performed }))
    await printPerformed(output, subject, performed)
    if (performed.length === 0) await output.line('no override has expired')
  })
}

/** Performs one signed act and prints the records it published. */
export async function perform(group: ReviewGroup, work: Work, run: ActRun): Promise<void> {
  const { settings, output } = run
  const subject = await group.subject()
  const performed = await withWarehouse(settings, { create: false }, async (warehouse) =>
    work(subject, await reviewPorts(run, subject, warehouse)),
  )
  if (output.json) return void (await output.document(performed))
  await printPerformed(output, subject, [performed])
}
