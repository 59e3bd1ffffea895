import { type Command, Option } from 'commander'
import type { SignedImpact } from '../../operations/governance/impact/attest-impact.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { IMPACT_ENGINES, type ImpactEngine } from '../../vocabulary/governance.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, instantOption } from '../options.ts'
import { keyOption, loadSigner, passphraseOption, type SignerOptions, signerOption } from '../review/signer-options.ts'
import { printImpact } from './print-impact.ts'

type Options = SignerOptions & {
  readonly out?: string
  readonly from?: string
  readonly to?: string
  readonly asOf?: string
  readonly engine: ImpactEngine
}

/** Creates `tidemark governance impact FILE`, and `impact show`. */
export function impactCommand(context: CommandContext): Command {
  const command = defineCommand('impact', 'compute what a change would do, and sign it as a runner', [
    'tidemark governance impact draft.yaml --out impact',
    'tidemark governance impact draft.yaml --key runner.pem --engine reference',
    'tidemark governance impact methodology.yaml',
  ])
    .argument(
      '<file>',
      'definition with one version that is not published, an eligibility policy, or a form as of propose',
    )
    .addOption(
      new Option(
        '--out <folder>',
        'also write impact.json, impact.html and the data: levels.csv, of a policy markets.csv',
      ),
    )
    .addOption(
      instantOption('--from <instant>', 'first tick of the look-back window (default: 90 days before its end)'),
    )
    .addOption(
      instantOption('--to <instant>', 'end of the window, exclusive (default: that of the last day with a level)'),
    )
    .addOption(asOfOption())
    .addOption(
      new Option('--engine <engine>', 'calculation: exact is fast, reference is the definition')
        .choices(IMPACT_ENGINES)
        .default('exact'),
    )
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
  command.addCommand(showCommand(context))
  return onAction<Options>(command, context, runImpact)
}

async function runImpact({ args, options, settings, output, signal }: Invocation<Options>): Promise<number> {
  const is_signed = options.key !== undefined || options.signer !== undefined
  const signer = is_signed ? await loadSigner(options) : null
  const { computeImpact } = await import('../../operations/governance/impact/compute-impact.ts')
  const { advanceGovernance } = await import('../../operations/governance/advance-governance.ts')
  const { attestImpact } = await import('../../operations/governance/impact/attest-impact.ts')
  const { writeImpact } = await import('../../report/write-impact.ts')
  const { from = null, to = null, asOf: as_of = null, engine, out } = options
  return withWarehouse(settings, { create: false }, async (warehouse) => {
    // A signed impact names the base that is in force after what is due.
    if (signer !== null) await advanceGovernance(warehouse)
    const request = { file: args[0]!, from, to, as_of, engine, warehouse, signal }
    const impact = out === undefined ? await computeImpact(request) : await writeImpact(request, out)
    const signed = signer === null ? null : await attestImpact(warehouse, signer, { ...impact, engine })
    const { document, impact_digest } = impact
    if (output.json) await output.document({ impact_digest, agreement: signed?.agreement ?? null, report: document })
    else await printImpact(output, document, impact_digest)
    if (signed === null) return EXIT.done
    if (!output.json) await printSignatures(output, signed)
    return signed.agreement === 'disputed' ? EXIT.no : EXIT.done
  })
}

function showCommand(context: CommandContext): Command {
  const command = defineCommand('show', 'show who signed the impact of a change, and whether they agree', [
    'tidemark governance impact show chg_example',
  ])
    .argument('<change>', 'id of the change')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { showImpact } = await import('../../operations/governance/impact/attest-impact.ts')
    const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
      showImpact(warehouse, { change_id: args[0]!, as_of: options.asOf ?? null }),
    )
    if (output.json)
      return void (await output.document({ ...shown, reports: shown.reports.map(({ act: _row, ...one }) => one) }))
    const last = shown.reports.at(-1)!
    await printImpact(output, last.report, last.impact_digest)
    await printSignatures(output, shown)
  })
}

async function printSignatures(output: Output, { agreement, reports }: SignedImpact): Promise<void> {
  await output.table(
    ['runner', 'engine', 'class', 'impact digest'],
    reports.map(({ runner, engine, change_class, impact_digest }) => [runner, engine, change_class, impact_digest]),
  )
  await output.line(AGREEMENT_TEXTS[agreement])
}

const AGREEMENT_TEXTS = {
  one_runner: 'one runner has signed; a proposal needs two who agree',
  agreed: 'the runners agree',
  disputed: 'the runners disagree: no proposal is possible until their last reports are equal',
} as const satisfies Record<SignedImpact['agreement'], string>
