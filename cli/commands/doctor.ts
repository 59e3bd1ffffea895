import { InvalidArgumentError } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { EXIT } from '../../service/exit-codes.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { instantOption, microsOption, parseCount } from '../options.ts'

type Options = {
  readonly baseUrl: string
  readonly budget: Micros
  readonly only?: readonly string[]
  readonly seed?: number
  readonly keyFile?: string
  readonly home?: string
  readonly legacyBefore?: string
}

/** `tidemark doctor`: asks a deployment the same things in two ways; exits 1 and shows the first difference. */
export function doctorCommand(context: CommandContext) {
  const command = defineCommand('doctor', 'ask a service the same things in two ways and compare the answers', [
    'tidemark doctor --base-url http://127.0.0.1:8080',
    'tidemark doctor --base-url http://127.0.0.1:8080 --only A1,A7 --seed 42 --json',
    'tidemark doctor --base-url http://127.0.0.1:8080 --key-file ready.json --home .tidemark',
  ])
    .requiredOption('--base-url <url>', 'address of the service')
    .addOption(microsOption('--budget <duration>', 'time to spend; samples fill it').default(60e6, '60s'))
    .option('--only <checks>', 'only these checks, comma-separated, such as A1,A7', parseIds)
    .option('--seed <number>', 'chooses the records to look at; the same seed repeats a run', parseCount)
    .option('--key-file <file>', 'JSON with an API key, or the ready file of `tidemark up`, for A23 and A24')
    .addOption(
      instantOption(
        '--legacy-before <instant>',
        'treat faults of older versions as legacy only if published before this instant',
      ),
    )
  return onAction<Options>(command, context, async ({ options, settings, output, signal }) => {
    const { openSocket } = await import('../doctor/open-socket.ts')
    const { printReport } = await import('../doctor/print-report.ts')
    const { readKeyFile } = await import('../doctor/read-key-file.ts')
    const { CHECKS } = await import('../../client/doctor/catalogue.ts')
    const { runDoctor } = await import('../../client/doctor/run-doctor.ts')
    const { accountFacts } = await import('../doctor/account-facts.ts')
    checkIds(
      options.only,
      CHECKS.map(({ id }) => id),
    )
    const credentials = options.keyFile === undefined ? null : readKeyFile(options.keyFile, 'doctor')
    const progress = await output.progress('doctor')
    const report = await runDoctor({
      base_url: options.baseUrl,
      budget_ms: options.budget / 1000,
      only: options.only,
      seed: options.seed,
      legacy_before: options.legacyBefore,
      open: openSocket,
      credentials,
      accounts: options.home === undefined ? null : (as_of, markets) => accountFacts(settings, as_of, markets),
      signal,
      onCheck: (done, total) => progress.update({ done, total }),
    }).finally(progress.finish)
    await (output.json ? output.document(report) : printReport(output, report))
    return report.ok ? EXIT.done : EXIT.no
  })
}

function parseIds(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim().toUpperCase())
  if (ids.every((id) => /^A\d{1,2}$/.test(id))) return ids
  throw new InvalidArgumentError('Allowed: ids of checks, comma-separated, such as A1,A7.')
}

/** @throws {ServiceError} VALIDATION_USAGE_INVALID */
function checkIds(only: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = only?.find((id) => !known.includes(id))
  if (unknown === undefined) return
  throw new ServiceError('VALIDATION_USAGE_INVALID', `only is ${unknown}; allowed: ${known[0]} to ${known.at(-1)}`, {
    usage: 'tidemark doctor [options]',
  })
}
