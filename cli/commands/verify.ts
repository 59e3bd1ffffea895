import { EXIT } from '../../service/exit-codes.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { readText } from './log.ts'

/** `tidemark verify ...`: checks saved answers without a server. */
export function verifySavedCommand(context: CommandContext) {
  return defineCommand('verify', 'check saved proofs and receipts, without the server').addCommand(
    receiptCommand(context),
  )
}

type Flags = { readonly vkeyFile: string }

/** `tidemark verify receipt FILE`: an answer with its receipt, or an offline proof. */
function receiptCommand(context: CommandContext) {
  const command = defineCommand('receipt', 'check an answer that was asked for with receipt=true, or a .tlog-proof', [
    'tidemark verify receipt answer.json --vkey-file log.vkey',
    'tidemark verify receipt level.tlog-proof --vkey-file log.vkey',
  ])
    .argument('<file>', 'saved answer (JSON), or offline proof')
    .requiredOption('--vkey-file <file>', 'verifier key of the log, from a source other than the answer')
  return onAction<Flags>(command, context, async ({ args, options, output }) => {
    const { verifyRecord, verifySavedReceipt } = await import('../../client/transparency/verify-saved.ts')
    const text = await readText('file', args[0]!)
    const vkey = await readText('--vkey-file', options.vkeyFile)
    if (text.startsWith('c2sp.org/')) {
      const { entry, checkpoint } = verifyRecord(text, vkey)
      const { kind, record_id, published_at } = entry
      const line = `${kind} ${record_id}, published at ${published_at}, is in the log ${checkpoint.origin}`
      await (output.json ? output.document({ verified: true, kind, record_id, published_at }) : output.line(line))
      return EXIT.done
    }
    const { as_of, seal, record } = verifySavedReceipt(parseJson(text), vkey)
    const shown = record === null ? 'no record' : `${record.entry.kind} ${record.entry.record_id}`
    const facts = { verified: true, as_of, record: record?.entry ?? null, origin: seal.checkpoint.origin }
    const line = `as of ${as_of} the answer is ${shown}; ${seal.entry.record_id} of ${seal.checkpoint.origin} closes that instant`
    await (output.json ? output.document(facts) : output.line(line))
    return EXIT.done
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
