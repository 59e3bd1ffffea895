import { writeFile } from 'node:fs/promises'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { vetoedBefore } from '../../pipelines/governance/vetoed-before.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { TableCell } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { calendarCommand } from '../notices/calendar-command.ts'
import { complaintCommand } from '../notices/complaint-commands.ts'
import { noticeCommand } from '../notices/notice-commands.ts'
import { asOfOption } from '../options.ts'
import { passphraseOption, readPassphrase } from '../review/signer-options.ts'
import { changeCommands } from './change-commands.ts'
import { documentCommand, eligibilityDocumentCommand } from './document-commands.ts'
import { plannedAt, shownProposal } from './governance-ports.ts'
import { impactCommand } from './impact-commands.ts'
import { proposalCommands } from './proposal-commands.ts'
import { showProposalCommand } from './show-command.ts'

/** `tidemark governance ...`: who may decide, and what they decided. */
export function governanceCommand(context: CommandContext) {
  const group = defineCommand(
    'governance',
    'who decides, and what they decided: rosters, policies, proposals, acts, notices, complaints',
  )
  group.addCommand(documentCommand(context, 'roster'))
  group.addCommand(documentCommand(context, 'policy'))
  group.addCommand(impactCommand(context))
  group.addCommand(eligibilityDocumentCommand(context))
  for (const command of [...changeCommands(context), ...proposalCommands(context)]) group.addCommand(command)
  group.addCommand(statusCommand(context))
  group.addCommand(showProposalCommand(context))
  group.addCommand(actsCommand(context))
  group.addCommand(advanceCommand(context))
  group.addCommand(keyCommand(context))
  group.addCommand(noticeCommand(context))
  group.addCommand(complaintCommand(context))
  group.addCommand(calendarCommand(context))
  return group
}

function statusCommand(context: CommandContext) {
  const command = defineCommand('status', 'list proposals with their states, latest first', [
    'tidemark governance status',
    'tidemark governance status --json',
  ]).addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listProposals } = await import('../../operations/governance/list-governance.ts')
    const proposals = await withWarehouse(settings, { create: false }, (warehouse) =>
      listProposals(warehouse, options.asOf ?? null),
    )
    const vetoed = new Map(proposals.map((one) => [one, vetoedBefore(one, proposals)]))
    if (output.json) {
      const shown = proposals.map((one) => ({ ...shownProposal(one), vetoed_before: vetoed.get(one) }))
      return void (await output.document(shown))
    }
    if (proposals.length === 0) return void (await output.line('no proposals'))
    await output.table(
      [
        'proposal',
        'kind',
        'class',
        'state',
        'reason',
        'proposed by',
        'signatures',
        'dissents',
        'ratified by',
        'takes effect',
        'expires',
      ],
      proposals.map((one) => [
        one.proposal_id,
        one.kind,
        one.change_class,
        one.state,
        one.reason,
        one.proposed_by,
        ...(['approve', 'dissent'] as const).map((choice) =>
          peopleOf(one.votes.filter((vote) => vote.choice === choice)),
        ),
        one.emergency === null ? null : peopleOf(one.ratifications),
        plannedAt(one),
        formatMicros(one.expires_at),
      ]),
    )
    for (const [{ proposal_id, state }, before] of vetoed)
      if (before.length > 0 && state !== 'vetoed')
        await output.line(`${proposal_id} repeats a change that was vetoed: ${before.join(', ')}`)
  })
}

function peopleOf(votes: Proposal['votes']): number {
  return new Set(votes.map(({ actor_id }) => actor_id)).size
}

function actsCommand(context: CommandContext) {
  const command = defineCommand('acts', 'list acts of governance, refused ones too, latest first', [
    'tidemark governance acts',
  ]).addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listGovernanceActs } = await import('../../operations/governance/list-governance.ts')
    const acts = await withWarehouse(settings, { create: false }, (warehouse) =>
      listGovernanceActs(warehouse, options.asOf ?? null),
    )
    if (output.json) return void (await output.document(acts))
    if (acts.length === 0) return void (await output.line('no acts'))
    const fields = ['published_at', 'act', 'actor_id', 'proposal_id', 'code', 'message']
    await output.table(
      fields,
      acts.map((row) => fields.map((field) => row[field] as TableCell)),
    )
  })
}

function advanceCommand(context: CommandContext) {
  const command = defineCommand(
    'advance',
    'perform what is due: ended votes, ended notices, lapsed emergencies; publish notices',
    ['tidemark governance advance'],
  )
  return onAction(command, context, async ({ settings, output, signal }) => {
    const { advanceGovernance } = await import('../../operations/governance/advance-governance.ts')
    const { publishNotices } = await import('../../operations/notices/publish-notices.ts')
    const done = await withWarehouse(settings, { create: false }, async (warehouse) => ({
      performed: (await advanceGovernance(warehouse, signal)).performed,
      notices: await publishNotices(warehouse, signal),
    }))
    if (output.json) return void (await output.document(done))
    await output.line(`acts performed: ${done.performed}; notices published: ${done.notices}`)
  })
}

function keyCommand(context: CommandContext) {
  const command = defineCommand('key', 'create a key, and print its public half for the roster', [
    'tidemark governance key member.pem --passphrase-file passphrase.txt',
  ])
    .argument('<file>', 'new file for the private key (PEM), readable by its owner alone')
    .addOption(passphraseOption())
  return onAction<{ passphraseFile?: string }>(command, context, async ({ args, options, output }) => {
    const { createKey, parseSigner } = await import('../../operations/review/signing.ts')
    const [file, passphrase] = [args[0]!, await readPassphrase(options.passphraseFile)]
    const pem = createKey(passphrase)
    await writeFile(file, pem, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      const message = `file ${file} cannot be written (${error.code}); allowed: a new file`
      throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { field: 'file', file })
    })
    const { public_key } = parseSigner(pem, file, passphrase)
    await (output.json ? output.document({ file, public_key }) : output.line(public_key))
  })
}
