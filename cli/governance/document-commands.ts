import type { Command } from 'commander'
import { Option } from 'commander'
import type { FileKind } from '../../operations/governance/governance-act-of.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { keyOption, loadSigner, passphraseOption, type SignerOptions, signerOption } from '../review/signer-options.ts'
import { parseVersion, printPerformedAct } from './governance-ports.ts'

type Kind = 'roster' | 'policy'

/** Names of what a file proposes, as the command line has them. */
const NAMES = { roster: 'roster', policy: 'policy', eligibility_policy: 'eligibility' } as const satisfies Record<
  FileKind,
  string
>

/** Creates `tidemark governance eligibility ...`: the next version of an eligibility policy. */
export function eligibilityDocumentCommand(context: CommandContext): Command {
  const group = defineCommand('eligibility', 'propose eligibility policies; tidemark eligibility policies lists them')
  group.addCommand(proposeCommand(context, 'eligibility_policy'))
  return group
}

/** Creates `tidemark governance roster ...` or `policy ...`: the document in force, and its successor. */
export function documentCommand(context: CommandContext, kind: Kind): Command {
  const summary = kind === 'roster' ? 'people, their keys and their roles' : 'signatures and delays by class of change'
  const group = defineCommand(kind, summary)
  group.addCommand(showCommand(context, kind))
  group.addCommand(proposeCommand(context, kind))
  return group
}

function showCommand(context: CommandContext, kind: Kind) {
  const command = defineCommand('show', `show the ${kind} in force`, [
    `tidemark governance ${kind} show`,
    `tidemark governance ${kind} show --document 1 --json`,
  ])
    .addOption(new Option('--document <version>', 'version to show (default: the one in force)'))
    .addOption(asOfOption())
  type Options = { readonly document?: string; readonly asOf?: string }
  return onAction<Options>(command, context, async ({ options, settings, output }) => {
    const { showDocument } = await import('../../operations/governance/list-governance.ts')
    const version = parseVersion(options.document)
    const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
      showDocument(warehouse, { kind, version, as_of: options.asOf ?? null }),
    )
    if (output.json) return void (await output.document(shown))
    const { document, record_hash, effective_from } = shown
    await output.line(`${kind} ${document.version}, ${record_hash}, in force from ${effective_from}`)
    await output.line(`expires at ${document.expires_at}`)
    const { printDocument } = await import('./print-document.ts')
    await printDocument(output, document)
  })
}

function proposeCommand(context: CommandContext, kind: FileKind) {
  const name = NAMES[kind]
  const command = defineCommand(
    'propose',
    `propose the next ${kind.replace('eligibility_', 'eligibility ')}; the file has the whole of it`,
    [`tidemark governance ${name} propose ${name}.yaml --rationale "..." --key administrator.pem`],
  )
    .argument('<file>', `${name} file (YAML or JSON)`)
    .addOption(new Option('--rationale <text>', 'why, recorded and published').makeOptionMandatory())
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
  return onAction<SignerOptions & { rationale: string }>(
    command,
    context,
    async ({ args, options, settings, output }) => {
      const { proposalOfFile } = await import('../../operations/governance/governance-act-of.ts')
      const { prepareAndPerform } = await import('../../operations/governance/perform-governance-act.ts')
      const signer = await loadSigner(options)
      const wish = { kind, file: args[0]!, rationale: options.rationale }
      const performed = await withWarehouse(settings, { create: true }, (warehouse) =>
        prepareAndPerform(warehouse, () => proposalOfFile(warehouse, signer, wish)),
      )
      await printPerformedAct(output, performed)
    },
  )
}
