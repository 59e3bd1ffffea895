import { type Command, Option } from 'commander'
import type { ChangeWish } from '../../operations/governance/governance-act-of.ts'
import type { Invocation } from '../../service/invocation.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { allowUnknownOption, unknownMarkets } from '../commands/index-apply.ts'
import { keyOption, loadSigner, passphraseOption, type SignerOptions, signerOption } from '../review/signer-options.ts'
import { driftCommand } from './drift-command.ts'
import { printPerformedAct } from './governance-ports.ts'
import { printDifferences } from './print-differences.ts'

type ProposeOptions = SignerOptions & {
  readonly rationale: string
  readonly emergency?: string
  readonly base?: string
  readonly allowUnknown?: true
}
type Content = Pick<ChangeWish, 'kind' | 'content'>

/** Creates the commands that propose changes of indexes and methodologies. */
export function changeCommands(context: CommandContext): readonly Command[] {
  return [
    proposeCommand(context),
    adoptCommand(context),
    rebalanceCommand(context),
    driftCommand(context),
    diffCommand(context),
  ]
}

function proposeCommand(context: CommandContext) {
  const summary = 'propose a version, a status, the end or a late restatement of an index, or a methodology'
  const command = withSigner(
    defineCommand('propose', summary, [
      'tidemark governance propose harbor.yaml --rationale "..." --key member.pem',
      'tidemark governance propose suspend.yaml --rationale "..." --emergency VENUE_OUTAGE --key member.pem',
    ]).argument('<file>', 'definition of an index, or a form with index_status, cessation, methodology or restatement'),
  )
    .addOption(emergencyOption())
    .addOption(new Option('--base <hash>', 'hash of the record it replaces (default: the one in force)'))
    .addOption(allowUnknownOption())
  return onAction<ProposeOptions>(command, context, async ({ args, options, settings, output }) => {
    const { contentOfFile } = await import('../../operations/governance/change-of-file.ts')
    const unknown_markets = unknownMarkets(options.allowUnknown)
    await proposeContent({ options, settings, output }, (warehouse) =>
      contentOfFile(warehouse, args[0]!, unknown_markets),
    )
  })
}

function adoptCommand(context: CommandContext) {
  const command = withSigner(
    defineCommand('adopt', 'propose that a published index is governed from now on', [
      'tidemark governance adopt idx_example --rationale "..." --key member.pem',
    ]).argument('<index>', 'id of the index'),
  )
  return onAction<ProposeOptions>(command, context, async ({ args, options, settings, output }) => {
    const { adoptionOf } = await import('../../operations/governance/change-of-file.ts')
    await proposeContent({ options, settings, output }, (warehouse) => adoptionOf(warehouse, args[0]!))
  })
}

function rebalanceCommand(context: CommandContext) {
  const command = withSigner(
    defineCommand('rebalance', 'propose the announced composition of a governed index, a scheduled rebalance', [
      'tidemark governance rebalance idx_example --rationale "..." --key member.pem',
    ]).argument('<index>', 'id of the index'),
  )
  return onAction<ProposeOptions>(command, context, async ({ args, options, settings, output }) => {
    const { rebalanceOf } = await import('../../operations/governance/change-of-file.ts')
    await proposeContent({ options, settings, output }, (warehouse) => rebalanceOf(warehouse, args[0]!))
  })
}

function diffCommand(context: CommandContext) {
  const command = defineCommand(
    'diff',
    'show what a file would change, and the class of the change; nothing is recorded',
    ['tidemark governance diff harbor.yaml', 'tidemark governance diff suspend.yaml --emergency VENUE_OUTAGE'],
  )
    .argument('<file>', 'file of the change, as propose takes it')
    .addOption(emergencyOption())
    .addOption(allowUnknownOption())
  return onAction<{ emergency?: string; allowUnknown?: true }>(
    command,
    context,
    async ({ args, options, settings, output }) => {
      const { describeChange } = await import('../../operations/governance/describe-change.ts')
      const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
        describeChange(warehouse, args[0]!, options.emergency ?? null, unknownMarkets(options.allowUnknown)),
      )
      if (output.json) return void (await output.document(shown))
      const { kind, target, base_hash, published_version, change_id, change_class, differences } = shown
      await output.line(`${kind} of ${target}, class ${change_class}`)
      await output.line(`base ${base_hash ?? 'none'}, change ${change_id}`)
      if (published_version !== null)
        await output.line(
          `compared with version ${published_version} as published${kind === 'methodology' ? '' : `; ${target} is not governed (tidemark governance adopt ${target})`}`,
        )
      await printDifferences(output, differences)
    },
  )
}

async function proposeContent(
  { options, settings, output }: Pick<Invocation<ProposeOptions>, 'options' | 'settings' | 'output'>,
  contentIn: (warehouse: Warehouse) => Promise<Content>,
): Promise<void> {
  const { proposalOfChange } = await import('../../operations/governance/governance-act-of.ts')
  const { prepareAndPerform } = await import('../../operations/governance/perform-governance-act.ts')
  const signer = await loadSigner(options)
  const { rationale, emergency = null, base = null } = options
  const performed = await withWarehouse(settings, { create: false }, (warehouse) =>
    prepareAndPerform(warehouse, async () => {
      const wish = { ...(await contentIn(warehouse)), rationale, emergency, base_hash: base }
      return proposalOfChange(warehouse, signer, wish)
    }),
  )
  await printPerformedAct(output, performed)
}

function emergencyOption(): Option {
  return new Option('--emergency <code>', 'invoke an emergency, with its reason code')
}

function withSigner(command: Command): Command {
  return command
    .addOption(new Option('--rationale <text>', 'why, recorded and published').makeOptionMandatory())
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
}
