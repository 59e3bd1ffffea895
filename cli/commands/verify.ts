import type { ProvenEntry } from '../../pipelines/transparency/record-proof.ts'
import { isObject } from '../../primitives/canonical-json.ts'
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

type Flags = { readonly vkeyFile: string; readonly require?: readonly string[] }

/** `tidemark verify receipt FILE`: an answer with its receipt, or an offline proof; exits 1 if a required field is not proven. */
function receiptCommand(context: CommandContext) {
  const command = defineCommand('receipt', 'check an answer that was asked for with receipt=true, or a .tlog-proof', [
    'tidemark verify receipt answer.json --vkey-file log.vkey',
    'tidemark verify receipt answer.json --vkey-file log.vkey --require level tick_at',
    'tidemark verify receipt answer.json --vkey-file log.vkey --require newest',
    'tidemark verify receipt level.tlog-proof --vkey-file log.vkey',
  ])
    .argument('<file>', 'saved answer (JSON), or offline proof')
    .requiredOption('--vkey-file <file>', 'verifier key of the log, from a source other than the answer')
    .option(
      '--require <field...>',
      'fields that must be proven, or `all`; exits 1 if one is not, and for `newest`, which no file proves',
    )
  return onAction<Flags>(command, context, async ({ args, options, output }) => {
    const text = await readText('file', args[0]!)
    const vkey = await readText('--vkey-file', options.vkeyFile)
    const proven = text.startsWith('c2sp.org/') ? await proofOf(text, vkey) : await receiptOf(text, vkey)
    const lacking = lackingOf(proven, options.require ?? [])
    if (output.json) await output.document({ ...proven.document, lacking })
    else {
      for (const line of proven.lines) await output.line(line)
      for (const field of lacking) await output.line(`required, but not proven: ${lackingText(field)}`)
    }
    return lacking.length === 0 ? EXIT.done : EXIT.no
  })
}

/** Facts of a file that verifies. */
type Proven = {
  readonly document: Readonly<Record<string, unknown>>
  readonly lines: readonly string[]
  /** Fields that the file shows, and those of them that it does not prove. */
  readonly shown: readonly string[]
  readonly unproven: readonly string[]
  /** Fields of the contract that it lacks. */
  readonly missing: readonly string[]
}

/** Limit of an offline proof, which is of one record and of no instant. */
const NO_NEWER = 'that no newer record was published: only the whole log shows it (tidemark verify everything)'

async function proofOf(text: string, vkey: string): Promise<Proven> {
  const { verifyRecord } = await import('../../client/transparency/verify-saved.ts')
  const { parseRecordProof } = await import('../../pipelines/transparency/record-proof.ts')
  const { NO_TIME } = await import('../../pipelines/transparency/receipt.ts')
  const { entry, checkpoint } = verifyRecord(text, vkey)
  const { kind, record_id, published_at } = entry
  return {
    document: { verified: true, kind, record_id, published_at, unproven: [NO_TIME, NO_NEWER] },
    lines: [
      `${kind} ${record_id}, which states that it was published at ${published_at}, is in the log ${checkpoint.origin}`,
      ...[NO_TIME, NO_NEWER].map((sentence) => `not proven: ${sentence}`),
    ],
    shown: fieldsOf(JSON.parse(parseRecordProof(text).record_text)),
    unproven: [],
    missing: [],
  }
}

async function receiptOf(text: string, vkey: string): Promise<Proven> {
  const { verifySavedReceipt } = await import('../../client/transparency/verify-saved.ts')
  const { parseProofJson } = await import('../../pipelines/transparency/proof-json.ts')
  const answer = parseProofJson(text, 'answer')
  const proven = verifySavedReceipt(text, vkey)
  const { as_of, seal, record, records, unproven, unproven_fields, missing_fields } = proven
  const { origin } = seal.checkpoint
  const entries = records.map(({ entry }) => entry)
  const closed = `${seal.entry.record_id} of ${origin} closes that instant`
  return {
    document: {
      verified: true,
      as_of,
      record: record?.entry ?? null,
      records: entries,
      unproven,
      unproven_fields,
      missing_fields,
      origin,
    },
    lines: [
      `as of ${as_of} the answer is ${shownOf(record, records)}; ${closed}`,
      ...unproven.map((sentence) => `not proven: ${sentence}`),
    ],
    shown: fieldsOf((answer as { readonly data: unknown }).data),
    unproven: unproven_fields,
    missing: missing_fields,
  }
}

/** Returns the fields of a record, or of the records of a list. */
function fieldsOf(data: unknown): string[] {
  const items = (Array.isArray(data) ? data : [data]) as readonly unknown[]
  return items.flatMap((item) => (isObject(item) ? Object.keys(item) : []))
}

/** Requirement that no newer record was published: a file has the proof of its own records alone. */
const NEWEST = 'newest'

/** Returns the required fields that a file does not prove, or does not show; an unproven part of a field leaves it unproven. */
function lackingOf({ shown, unproven, missing }: Proven, required: readonly string[]): readonly string[] {
  const newest = required.filter((field) => field === NEWEST)
  if (required.includes('all')) return [...unproven, ...missing, ...newest]
  const isProven = (field: string) =>
    shown.includes(field) && !unproven.some((one) => one === field || one.startsWith(`${field}.`))
  return [...required.filter((field) => field !== NEWEST && !isProven(field)), ...newest]
}

function lackingText(field: string): string {
  return field === NEWEST
    ? 'newest: no file proves it; allowed: tidemark verify everything, which reads the log'
    : field
}

function shownOf(record: ProvenEntry | null, records: readonly ProvenEntry[]): string {
  if (record !== null) return `${record.entry.kind} ${record.entry.record_id}`
  return records.length === 0 ? 'no record' : `${records.length} records of the log`
}
