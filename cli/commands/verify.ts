import type { ProvenEntry } from '../../pipelines/transparency/record-proof.ts'
import { EXIT } from '../../service/exit-codes.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { readText } from './log.ts'
import { everythingCommand } from './verify-everything.ts'

/** `tidemark verify ...`: checks saved answers without a server, or everything that a server shows. */
export function verifyCommand(context: CommandContext) {
  return defineCommand('verify', 'check saved proofs and receipts, or everything that a service shows')
    .addCommand(receiptCommand(context))
    .addCommand(everythingCommand(context))
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
    const { as_of, seal, record, records, unproven } = verifySavedReceipt(parseJson(text), vkey)
    const { origin } = seal.checkpoint
    if (output.json) {
      const entries = records.map(({ entry }) => entry)
      await output.document({
        verified: true,
        as_of,
        record: record?.entry ?? null,
        records: entries,
        unproven,
        origin,
      })
      return EXIT.done
    }
    await output.line(
      `as of ${as_of} the answer is ${shownOf(record, records)}; ${seal.entry.record_id} of ${origin} closes that instant`,
    )
    for (const sentence of unproven) await output.line(`not proven: ${sentence}`)
    return EXIT.done
  })
}

function shownOf(record: ProvenEntry | null, records: readonly ProvenEntry[]): string {
  if (record !== null) return `${record.entry.kind} ${record.entry.record_id}`
  return records.length === 0 ? 'no record' : `${records.length} records of the log`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
