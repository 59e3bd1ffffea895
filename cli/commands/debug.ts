import { InvalidArgumentError } from 'commander'
import { EXIT } from '../../service/exit-codes.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { readText } from './log.ts'

/** `tidemark debug ...`: explains what a service refuses. */
export function debugCommand(context: CommandContext) {
  return defineCommand('debug', 'explain what a service refuses').addCommand(signatureCommand(context))
}

type Flags = {
  readonly environment?: string
  readonly publicKey?: string
  readonly signedText?: string
  readonly secretFile?: string
  readonly bodyFile?: string
  readonly serverTimeMs?: number
}

/** `tidemark debug signature FILE`: shows what must be signed, where the signed text departs from it, and the likely cause. */
function signatureCommand(context: CommandContext) {
  const command = defineCommand(
    'signature',
    'show what must be signed, and why a signature is refused; sends nothing',
    [
      'tidemark debug signature request.txt',
      'tidemark debug signature request.txt --signed-text signed.txt --server-time-ms 1790000021934',
      'pbpaste | tidemark debug signature - --secret-file ready.json',
      'tidemark debug signature order.json --environment production --json',
    ],
  )
    .argument(
      '<file>',
      'curl command, request with headers and body, or JSON of an order or key; - reads standard input',
    )
    .option('--environment <name>', 'environment of the key (default: that of this installation)')
    .option('--public-key <hex>', 'public key of an ed25519 key: decides about the signature of a request')
    .option('--signed-text <file>', 'text that you signed, to compare byte by byte')
    .option(
      '--secret-file <file>',
      'file with the secret of an hmac-sha256 key, or the ready file; read here, never shown',
    )
    .option('--body-file <file>', 'bytes of the body, if they are in a file of their own')
    .option('--server-time-ms <ms>', 'clock of the service, as server_time_ms of a refusal states it', parseMillis)
  return onAction<Flags>(command, context, async ({ args, options, settings, output }) => {
    const { explainFile } = await import('../debug/explain-file.ts')
    const { printExplained } = await import('../debug/print-explained.ts')
    const explained = await explainFile({
      file: args[0]!,
      stdin: context.stdin,
      environment: options.environment ?? settings.environment,
      public_key: options.publicKey ?? null,
      signed_text: options.signedText === undefined ? null : await readText('--signed-text', options.signedText),
      body: options.bodyFile === undefined ? null : await readText('--body-file', options.bodyFile),
      secret_file: options.secretFile ?? null,
      server_time_ms: options.serverTimeMs ?? null,
    })
    await (output.json ? output.document({ signatures: explained }) : printExplained(output, explained))
    return explained.every(({ verdict }) => verdict === 'valid') ? EXIT.done : EXIT.no
  })
}

function parseMillis(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Allowed: Unix milliseconds.')
  return +text
}
