import { type Command, Option } from 'commander'
import type { ComplaintWish } from '../../operations/notices/act-on-complaint.ts'
import { COMPLAINTS } from '../../protocol/limits.ts'
import type { Invocation } from '../../service/invocation.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { COMPLAINT_OUTCOMES, type ComplaintOutcome } from '../../vocabulary/notices.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { keyOption, loadSigner, passphraseOption, type SignerOptions, signerOption } from '../review/signer-options.ts'

/** `tidemark governance complaint ...`: complaints, from the box to their outcome. */
export function complaintCommand(context: CommandContext): Command {
  const group = defineCommand('complaint', 'complaints: read, publish, assign and resolve them')
  group.addCommand(listCommand(context))
  group.addCommand(publishCommand(context))
  group.addCommand(declineCommand(context))
  group.addCommand(assignCommand(context))
  group.addCommand(resolveCommand(context))
  return group
}

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list complaints: those that wait with their text, then the public ones', [
    'tidemark governance complaint list',
    'tidemark governance complaint list --json',
  ])
  return onAction(command, context, async ({ settings, output }) => {
    const { openComplaintBox } = await import('../../operations/notices/complaint-box.ts')
    const { newestComplaints, readComplaintActs } = await import('../../operations/notices/read-complaints.ts')
    const waiting = await openComplaintBox(settings.home, COMPLAINTS.waiting_max).list()
    const rows = await withWarehouse(settings, { create: false }, (warehouse) => readComplaintActs(warehouse))
    const known = [...newestComplaints(rows).values()]
    if (output.json) return void (await output.document({ waiting, public: known }))
    if (waiting.length + known.length === 0) return void (await output.line('no complaints'))
    await output.table(
      ['complaint', 'state', 'about', 'filed', 'handler', 'outcome', 'text'],
      [
        ...waiting.map((one) => ['received', one, null, null] as const),
        ...known.map((one) => [one.state, one, one.handler, one.outcome] as const),
      ].map(([state, { complaint_id, subject_kind, subject_id, filed_at, text }, handler, outcome]) => [
        complaint_id,
        state,
        subject_id ?? subject_kind,
        filed_at,
        handler,
        outcome,
        text === null ? null : shortened(text),
      ]),
    )
  })
}

const SHOWN = 60

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

function publishCommand(context: CommandContext) {
  const command = signed('publish', 'clear a complaint for publication, after you have read it').addOption(
    new Option('--redacted <file>', 'text to publish in place of the filed one, without what may not be public'),
  )
  return onAction<SignerOptions & { redacted?: string }>(command, context, async (run) => {
    const { readInput } = await import('../../operations/review/read-input.ts')
    const { redacted } = run.options
    const text = redacted === undefined ? null : (await readInput(redacted)).trimEnd()
    await act(run, { act: 'publish_complaint', text })
  })
}

function declineCommand(context: CommandContext) {
  const command = signed('decline', 'refuse to publish a complaint, such as an insult; its text stays private')
  command.addOption(new Option('--reason <text>', 'why, recorded and published').makeOptionMandatory())
  return onAction<SignerOptions & { reason: string }>(command, context, (run) =>
    act(run, { act: 'decline_complaint', reason: run.options.reason }),
  )
}

function assignCommand(context: CommandContext) {
  const command = signed('assign', 'assign a complaint to a member who took no part in the matter')
  command.addOption(new Option('--to <actor>', 'member of the committee or of oversight').makeOptionMandatory())
  return onAction<SignerOptions & { to: string }>(command, context, (run) =>
    act(run, { act: 'assign_complaint', handler: run.options.to }),
  )
}

function resolveCommand(context: CommandContext) {
  const command = signed('resolve', 'decide a complaint that is assigned to you; a notice publishes the outcome')
    .addOption(new Option('--outcome <outcome>', 'decision').choices(COMPLAINT_OUTCOMES).makeOptionMandatory())
    .addOption(new Option('--reason <text>', 'explanation, recorded and published').makeOptionMandatory())
    .addOption(new Option('--proposal <id>', 'proposal that the outcome leads to, such as a restatement'))
  return onAction<SignerOptions & { outcome: ComplaintOutcome; reason: string; proposal?: string }>(
    command,
    context,
    (run) => {
      const { outcome, reason, proposal } = run.options
      const named = proposal === undefined ? {} : { proposal_id: proposal }
      return act(run, { act: 'resolve_complaint', outcome, reason, ...named })
    },
  )
}

function signed(name: string, summary: string) {
  return defineCommand(name, summary, [`tidemark governance complaint ${name} cmp_example --key member.pem`])
    .argument('<complaint>', 'id of the complaint')
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
}

async function act({ args, options, settings, output }: Invocation<SignerOptions>, wish: ComplaintWish) {
  const { actOnComplaint } = await import('../../operations/notices/act-on-complaint.ts')
  const { openComplaintBox } = await import('../../operations/notices/complaint-box.ts')
  const signer = await loadSigner(options)
  const box = openComplaintBox(settings.home, COMPLAINTS.waiting_max)
  const complaint = await withWarehouse(settings, { create: false }, (warehouse) =>
    actOnComplaint({ warehouse, box }, signer, args[0]!, wish),
  )
  const { complaint_id, state } = complaint
  await (output.json ? output.document(complaint) : output.line(`${complaint_id} is ${state}`))
  return undefined
}
