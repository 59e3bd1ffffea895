import type { Command } from 'commander'
import { Option } from 'commander'
import type { GovernanceActName } from '../../vocabulary/governance.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { keyOption, passphraseOption, type SignerOptions, signerOption } from '../review/signer-options.ts'
import { actOnProposal } from './governance-ports.ts'

type VoteOptions = SignerOptions & { readonly approve?: true; readonly dissent?: true; readonly reason?: string }

/** Creates the commands of acts on a proposal. */
export function proposalCommands(context: CommandContext): readonly Command[] {
  return [
    voteCommand(context),
    textCommand(context, 'comment', 'comment on a proposal', 'text'),
    textCommand(context, 'recuse', 'declare a conflict of interest; your vote is withdrawn', 'reason'),
    textCommand(context, 'veto', 'end a proposal as oversight, until it is effective', 'reason'),
    textCommand(context, 'cancel', 'withdraw your own proposal', 'reason'),
    ratifyCommand(context),
  ]
}

function voteCommand(context: CommandContext) {
  const command = signed('vote', 'sign a proposal, or dissent', ' --approve')
    .addOption(new Option('--approve', 'sign it').conflicts('dissent'))
    .addOption(new Option('--dissent', 'vote against it; needs --reason'))
    .addOption(new Option('--reason <text>', 'explanation, recorded'))
  return onAction<VoteOptions>(command, context, async ({ args, ...run }) => {
    const { refuseVote } = await import('./refuse-vote.ts')
    const choice = refuseVote(run.options)
    await actOnProposal(run, args[0]!, 'vote', { choice, reason: run.options.reason ?? null })
  })
}

function ratifyCommand(context: CommandContext) {
  const command = signed('ratify', 'keep an emergency in force; it needs the signatures of a material change', '')
  return onAction<SignerOptions>(command, context, async ({ args, ...run }) => {
    await actOnProposal(run, args[0]!, 'ratify', {})
  })
}

function textCommand(context: CommandContext, act: GovernanceActName, summary: string, field: 'text' | 'reason') {
  const command = signed(act, summary, ` --${field} "..."`).addOption(
    new Option(`--${field} <text>`, 'explanation, recorded and published').makeOptionMandatory(),
  )
  return onAction<SignerOptions & { text?: string; reason?: string }>(command, context, async ({ args, ...run }) => {
    await actOnProposal(run, args[0]!, act, { [field]: run.options[field] ?? null })
  })
}

function signed(name: string, summary: string, options: string) {
  return defineCommand(name, summary, [`tidemark governance ${name} prp_example${options} --key member.pem`])
    .argument('<proposal>', 'id of the proposal')
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
}
