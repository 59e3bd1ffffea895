import { Option } from 'commander'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { perform } from '../review/review-commands.ts'
import type { ReviewGroup } from '../review/review-group.ts'
import { rosterOption, type SignedOptions, throughOption } from '../review/review-ports.ts'
import { keyOption, passphraseOption, signerOption } from '../review/signer-options.ts'

/** `tidemark severity forecast FORM`: submits a forecast for review. */
export function severityForecastCommand(context: CommandContext, group: ReviewGroup) {
  const command = defineCommand('forecast', 'submit a forecast form with scenarios for review', [
    'tidemark severity forecast form.yaml --key member.pem',
    'tidemark severity forecast form.yaml --record asm_example --key member.pem',
  ])
    .argument('<form>', 'form with scenarios and evidence (YAML or JSON)')
    .addOption(new Option('--record <id>', 'your returned forecast that the form replaces'))
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
    .addOption(rosterOption())
    .addOption(throughOption())
  return onAction<SignedOptions & { record?: string }>(command, context, async ({ args, ...run }) => {
    const { submitForecast } = await import('../../operations/severity/submit-forecast.ts')
    await perform(group, (_subject, ports) => submitForecast(ports, args[0]!, run.options.record ?? null), {
      ...run,
      environment: context.environment,
    })
  })
}
