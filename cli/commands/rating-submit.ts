import { Option } from 'commander'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { perform } from '../review/review-commands.ts'
import type { ReviewGroup } from '../review/review-group.ts'
import { rosterOption, type SignedOptions, throughOption } from '../review/review-ports.ts'
import { keyOption, passphraseOption, signerOption } from '../review/signer-options.ts'

/** `tidemark rating submit FORM`: submits a rating by a person for review. */
export function ratingSubmitCommand(context: CommandContext, group: ReviewGroup) {
  const command = defineCommand('submit', 'submit a rating form for review', [
    'tidemark rating submit form.yaml --key member.pem',
    'tidemark rating submit form.yaml --record rat_example --key member.pem',
  ])
    .argument('<form>', 'form with measured inputs and evidence (YAML or JSON)')
    .addOption(new Option('--record <id>', 'your returned record that the form replaces'))
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
    .addOption(rosterOption())
    .addOption(throughOption())
  return onAction<SignedOptions & { record?: string }>(command, context, async ({ args, ...run }) => {
    const { submitRating } = await import('../../operations/rating/submit-rating.ts')
    const request = { file: args[0]!, record_id: run.options.record ?? null }
    await perform(group, (_subject, ports) => submitRating(ports, request), {
      ...run,
      environment: context.environment,
    })
  })
}
