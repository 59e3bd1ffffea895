import { once } from 'node:events'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark sandbox ...`: parts of a sandbox beside those that `tidemark up` opens. */
export function sandboxCommand(context: CommandContext) {
  const group = defineCommand('sandbox', 'add parts to the sandbox of a running service')
  return group.addCommand(smartAccountCommand(context))
}

function smartAccountCommand(context: CommandContext) {
  const command = defineCommand(
    'smart-account',
    'run a local chain with a smart account that can trade, until stopped',
    ['tidemark sandbox smart-account', 'tidemark sandbox smart-account --account-file smart-account.json'],
  ).option('--account-file <file>', 'JSON file for the credentials of the account, readable by you alone')
  return onAction<{ accountFile?: string }>(command, context, async ({ options, output, settings, signal }) => {
    const [{ startSmartAccount }, { withTrading }, { openKeyEncryptionKey }, { writeOutput }] = await Promise.all([
      import('../../service/sandbox/smart-account.ts'),
      import('../../service/trading/with-trading.ts'),
      import('../../service/trading/key-encryption-key.ts'),
      import('../../warehouse/export/output-file.ts'),
    ])
    const { home, environment } = settings
    const note = (text: string) => output.note(text)
    const running = await startSmartAccount({ home, environment }, (work) =>
      withTrading(settings, async ({ client, reads, pool }) => {
        const sealing = await openKeyEncryptionKey(settings, { pool, note })
        return work({ client, reads, sealing, home, environment, note })
      }),
    )
    try {
      const { account, rpc_url } = running
      const text = `${JSON.stringify(account, null, 2)}\n`
      if (options.accountFile !== undefined) {
        await writeOutput(options.accountFile, text, { option: 'account-file', mode: 0o600 })
      }
      const { secret, signer_private_key, ...shown } = account
      // A file keeps the secrets to its reader; a terminal or a log does not.
      const secrets = options.accountFile === undefined ? { secret, signer_private_key } : {}
      await printRecord(output, { ...shown, ...secrets, rpc_url })
      output.note('ready; the account trades while this command runs')
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await running.stop()
    }
    return undefined
  })
}
