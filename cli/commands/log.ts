import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VerifiedLog } from '../../pipelines/transparency/verify-log.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { count } from '../../report/number-text.ts'
import type { Settings } from '../../service/configuration.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { portOption } from './api.ts'

/** `tidemark log ...`: the log of published records. */
export function logCommand(context: CommandContext) {
  return defineCommand('log', 'append to the log of published records, prove, verify and witness it')
    .addCommand(appendCommand(context))
    .addCommand(proofCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(witnessCommand(context))
}

/** `tidemark log append`: appends what was published, for a deployment without `tidemark up`. */
function appendCommand(context: CommandContext) {
  const command = defineCommand('append', 'append what was published since the last time and sign a checkpoint', [
    'tidemark log append',
    'tidemark log append --follow',
  ]).option('--follow', 'append once a minute until stopped')
  return onAction<{ readonly follow?: boolean }>(command, context, async ({ options, settings, output, signal }) => {
    const { cosign, keepLog, openLog, originOf } = await import('../../service/transparency/keep-log.ts')
    const { appendAll } = await import('../../operations/transparency/run-log.ts')
    const { refuseInventedData } = await import('../../service/up/invented-data.ts')
    await refuseInventedData(settings)
    return withWarehouse(settings, { create: false }, async (warehouse) => {
      if (options.follow === true) {
        const on_problem = (error: unknown) => output.problem(error instanceof Error ? error.message : String(error))
        const origin = await originOf(warehouse, settings)
        const on_ready = (size: number) =>
          output.json
            ? output.record({ event: 'ready', origin, warehouse: warehouse.root, size })
            : output.line(`ready ${origin}: ${count(size)} entries; follows ${warehouse.root}`)
        await keepLog({ warehouse, settings, signal, on_problem, on_ready })
        return undefined
      }
      const writer = await openLog(warehouse, settings)
      try {
        const size = await appendAll(writer, signal)
        await cosign(writer, warehouse, settings)
        await (output.json ? output.document({ size }) : output.line(`the log has ${count(size ?? 0)} entries`))
      } finally {
        writer.close()
      }
      return undefined
    })
  })
}

type ProofFlags = { readonly out?: string }

const FILES_OF =
  'a kind that is logged in full, such as act, link or seal; the API has the file of others: GET .../proof'

/** `tidemark log proof KIND ID`: prints the proof of any entry of the log in this warehouse. */
function proofCommand(context: CommandContext) {
  const command = defineCommand('proof', 'print the proof that a record is in the log of this warehouse', [
    'tidemark log proof index_observation iob_0123456789abcdef0123456789abcdef',
    'tidemark log proof act act_0123456789abcdef0123456789abcdef --out act.tlog-proof',
  ])
    .argument('<kind>', 'kind of the record, such as index_observation, rating, act or seal')
    .argument('<id>', 'id of the record; of a methodology <id>@<version>')
    .option('--out <file>', 'write the offline file (c2sp.org/tlog-proof) instead')
  return onAction<ProofFlags>(command, context, async ({ args, options, settings, output }) => {
    const [kind = '', record_id = ''] = args
    const { openLogReader } = await import('../../warehouse/transparency/log-reader.ts')
    const { logPlace } = await import('../../warehouse/transparency/log-layout.ts')
    const { extraOf } = await import('../../pipelines/transparency/record-proof.ts')
    const { parseHashes, tlogProofText } = await import('../../pipelines/transparency/tlog-proof.ts')
    const log = openLogReader(logPlace(settings))
    const found = (await log.find(kind, record_id)).at(-1)
    if (found === undefined) {
      throw new ServiceError('PROOF_PENDING', `${kind} ${record_id} is not in the log; allowed: a record in the log`)
    }
    const proof = await log.prove(found.index, await log.covering(found.index))
    if (options.out === undefined) {
      await output.document({ entry_fields: found.entry, ...proof })
      return undefined
    }
    const { record } = found.entry
    if (record === undefined) throw notAllowed('VALIDATION_USAGE_INVALID', '--out', kind, FILES_OF)
    const extra = extraOf({ entry: proof.entry, record_text: canonicalJson(record) })
    const text = tlogProofText({ ...proof, extra, hashes: parseHashes(proof.hashes) })
    const { writeOutput } = await import('../../warehouse/export/output-file.ts')
    await writeOutput(options.out, text, { option: 'out' })
    output.note(`wrote ${options.out}`)
    return undefined
  })
}

type VerifyFlags = { readonly baseUrl?: string; readonly vkey?: string; readonly seen?: string }

/** `tidemark log verify`: verifies a whole log; exits 1 and names the first part that does not verify. */
function verifyCommand(context: CommandContext) {
  const command = defineCommand('verify', 'verify every entry, tile, seal and the checkpoint of a log', [
    'tidemark log verify',
    'tidemark log verify --base-url http://127.0.0.1:8080 --vkey-file log.vkey',
    'tidemark log verify --seen yesterday.checkpoint',
  ])
    .option('--base-url <url>', 'read the log of the service at this address, no warehouse; needs --vkey-file')
    .option('--vkey-file <file>', 'verifier key of the log (default: that of the warehouse)')
    .option('--seen <file>', 'checkpoint that was saved earlier, which the log must continue')
  return onAction<VerifyFlags & { readonly vkeyFile?: string }>(
    command,
    context,
    async ({ options, settings, output, signal }) => {
      const verified = await verifyAny(options, settings, signal)
      const { checkpoint, seals, counts, last_seal } = verified
      const summary = { origin: checkpoint.origin, size: checkpoint.size, seals, counts, last_seal }
      if (output.json) await output.document(summary)
      else {
        await output.table(
          ['kind', 'entries'],
          Object.entries(counts).map(([kind, entries]) => [kind, count(entries)]),
        )
        const through = last_seal === null ? 'nothing' : `everything through ${last_seal.sealed_through}`
        await output.line(`${checkpoint.origin}: ${count(checkpoint.size)} entries verified; ${through} is sealed`)
      }
      return undefined
    },
  )
}

async function verifyAny(
  { baseUrl, vkeyFile, seen }: VerifyFlags & { readonly vkeyFile?: string },
  settings: Settings,
  signal: AbortSignal,
): Promise<VerifiedLog> {
  const { openCheckpoint } = await import('../../pipelines/transparency/checkpoint.ts')
  const { parseKey } = await import('../../pipelines/transparency/signed-note.ts')
  const vkey = vkeyFile === undefined ? null : await readText('--vkey-file', vkeyFile)
  const heads = async (key: string) =>
    seen === undefined ? [] : [openCheckpoint(await readText('--seen', seen), parseKey(key))]
  if (baseUrl !== undefined) {
    if (vkey === null) throw notAllowed('VALIDATION_USAGE_INVALID', '--vkey-file', 'absent', 'a file, with --base-url')
    const { verifyLogOverHttp } = await import('../../client/transparency/log-over-http.ts')
    return verifyLogOverHttp({ base_url: baseUrl, vkey, seen: await heads(vkey), signal })
  }
  const { verifyStoredLog } = await import('../../service/transparency/verify-stored-log.ts')
  return verifyStoredLog(settings, vkey, heads)
}

/** Reads a small text file that an option names. @throws {ServiceError} VALIDATION_INPUT_UNREADABLE */
export async function readText(option: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw notAllowed('VALIDATION_INPUT_UNREADABLE', option, `${file} (${error.code})`, 'a readable file')
  })
}

type WitnessFlags = {
  readonly logKey: readonly string[]
  readonly data: string
  readonly name: string
  readonly host?: string
}

/** `tidemark log witness`: cosigns checkpoints of logs that it watches, from a folder of its own. */
function witnessCommand(context: CommandContext) {
  const command = defineCommand(
    'witness',
    'cosign the checkpoints of a log until stopped; refuses forks and rollbacks',
    ['tidemark log witness --name witness.example/w1 --log-key log.vkey --data /witness --port 4243'],
  )
    .requiredOption('--name <name>', 'name of the witness in its cosignatures, without spaces and plus')
    .requiredOption('--log-key <file...>', 'files with the verifier keys of the logs that it watches')
    .requiredOption('--data <dir>', 'folder of its own key and of what it saw; not a folder of the log')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, only this machine)')
    .addOption(portOption())
  return onAction<WitnessFlags>(command, context, async ({ options, settings, output, signal }) => {
    const { parseKey, keyText } = await import('../../pipelines/transparency/signed-note.ts')
    const { openWitness } = await import('../../operations/transparency/witness.ts')
    const { openWitnessKey } = await import('../../service/transparency/note-key-file.ts')
    const { serveWitness } = await import('../../service/transparency/serve-witness.ts')
    const keys = (await Promise.all(options.logKey.map((file) => readText('--log-key', file)))).map(parseKey)
    const now_s = () => Math.floor(wallClock() / 1_000_000)
    const { key, sign } = await openWitnessKey(join(options.data, 'witness.key'), options.name, now_s)
    const witness = openWitness({ folder: join(options.data, 'seen'), keys, cosign: sign })
    const vkey = keyText(key)
    const { host, port } = settings
    const { url, closed } = await serveWitness({ witness, vkey, host, port, signal })
    await (output.json ? output.record({ url, vkey }) : output.line(`ready ${url}`))
    if (!output.json) output.note(`key ${vkey}`)
    await closed
    return undefined
  })
}
