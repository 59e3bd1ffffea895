import type { EverythingReport } from '../../client/everything/report.ts'
import { isServiceError, notAllowed } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import { EXIT, reportFailure } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { instantOption } from '../options.ts'
import { readText } from './log.ts'

type Flags = {
  readonly baseUrl: string
  readonly vkeyFile?: string
  readonly rootHash?: string
  readonly seen?: string
  readonly witnessKey?: readonly string[]
  readonly since?: string
  readonly keyFile?: string
  readonly progress?: true
}

/** `tidemark verify everything`: a whole deployment over HTTP; exits 1 at any failure, 2 if it cannot be asked. */
export function everythingCommand(context: CommandContext) {
  const command = defineCommand('everything', 'check the log, the governance and every level of a service', [
    'tidemark verify everything --base-url http://127.0.0.1:8080',
    'tidemark verify everything --base-url http://127.0.0.1:8080 --vkey-file log.vkey --seen yesterday.checkpoint',
    'tidemark verify everything --base-url http://127.0.0.1:8080 --since 2026-01-01T00:00:00Z --json',
  ])
    .requiredOption('--base-url <url>', 'address of the service')
    .option('--vkey-file <file>', 'verifier key of the log, from a source other than the service')
    .option('--root-hash <hash>', 'record_hash of a roster that you trust, such as the first')
    .option('--seen <file>', 'checkpoint that was saved earlier, which the log must continue')
    .option('--witness-key <file...>', 'verifier keys of witnesses that must have cosigned the checkpoint')
    .addOption(instantOption('--since <instant>', 'only levels published from this instant on'))
    .option('--progress', 'log a line as each step begins, also where standard error is no terminal')
    .option(
      '--key-file <file>',
      'JSON with an API key, or the ready file of `tidemark up`, for the rate limits of a key',
    )
  return onAction<Flags>(command, context, async ({ options, output, signal }) => {
    const { verifyEverything } = await import('../../client/everything/verify-everything.ts')
    const { readKeyFile } = await import('../doctor/read-key-file.ts')
    const { baseUrl, vkeyFile, rootHash = null, seen, witnessKey = [], since = null, keyFile } = options
    if (rootHash !== null && !/^[0-9a-f]{64}$/.test(rootHash))
      throw notAllowed('VALIDATION_USAGE_INVALID', '--root-hash', rootHash, '64 lower-case hex digits')
    const textOf = (option: string, file: string | undefined) => (file === undefined ? null : readText(option, file))
    const step = output.steps(options.progress === true)
    let levels = 0
    try {
      const report = await verifyEverything({
        base_url: baseUrl,
        vkey: await textOf('--vkey-file', vkeyFile),
        seen: await textOf('--seen', seen),
        witnesses: await Promise.all(witnessKey.map((file) => readText('--witness-key', file))),
        ...{ root_hash: rootHash, since, signal },
        credentials: keyFile === undefined ? null : readKeyFile(keyFile, 'verify everything'),
        on_progress: (count_of_some) => {
          levels += count_of_some
        },
        on_step: (name) => step(levels === 0 ? name : `${name}; ${count(levels)} levels so far`),
      })
      await (output.json ? output.document(report) : print(output, report))
      return report.ok ? EXIT.done : EXIT.no
    } catch (error) {
      if (!isServiceError(error, 'SERVICE_UNAVAILABLE')) throw error
      await reportFailure(error, output, false)
      return EXIT.usage
    }
  })
}

async function print(output: Output, report: EverythingReport): Promise<void> {
  await output.table(
    ['check', 'checked', 'failed', 'skipped'],
    report.checks.map(({ title, checked, failed, skipped }) => [title, count(checked), count(failed), skipped ?? '']),
  )
  for (const { check, subject, message } of report.failures) await output.line(`${check}: ${subject}: ${message}`)
  const { ungoverned, log, took_ms, ok } = report
  if (ungoverned.length > 0) await output.line(`applied by one person, without a proposal: ${ungoverned.join(', ')}`)
  const of_log = log === null ? 'there is no log' : `${log.origin} has ${count(log.size)} entries`
  const verdict = ok ? 'everything that was checked verifies' : 'not everything verifies'
  await output.line(`${verdict}; ${of_log}; ${(took_ms / 1000).toFixed(1)} s`)
}
