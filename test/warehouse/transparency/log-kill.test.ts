import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { cosignedAt } from '../../../pipelines/transparency/cosignature.ts'
import { parseNote } from '../../../pipelines/transparency/signed-note.ts'
import { verifyLog } from '../../../pipelines/transparency/verify-log.ts'
import type { TreeHead } from '../../../pipelines/transparency/verify-tree.ts'
import { openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import { BATCH_STEPS, COSIGN_STEPS, openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { childArgv } from '../../support/child-argv.ts'
import { cosignedBy, LOG_KEY, signedBy, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { wholeWarehouse } from '../../support/whole-warehouse.ts'
import type { LogWriterTask } from './children/log-writer-child.ts'
import { latestText } from './latest-text.ts'

const folder = tempFolder()
const whole = await wholeWarehouse(folder)
const CHILD = join(import.meta.dirname, 'children/log-writer-child.ts')
const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }

/** Steps after which a process is killed; each in the slow lane. The others are stopped without a process in log-writer.test.ts. */
const STEPS = sized(['tiles-written', 'cosigned-written'] as const, [...BATCH_STEPS, ...COSIGN_STEPS])

/** Number of entries of each record by kind, id and hash. */
async function recordsOf(root: string, seen: readonly TreeHead[] = []): Promise<ReadonlyMap<string, number>> {
  const reader = openLogReader(root)
  const records = new Map<string, number>()
  await verifyLog({
    source: { checkpoint: async () => (await reader.checkpoint())!.text, tile: (address) => reader.tile(address) },
    key: LOG_KEY.key,
    seen,
    onEntry: ({ kind, record_id, row_sha256 }) => {
      const name = `${kind} ${record_id} ${row_sha256}`
      records.set(name, (records.get(name) ?? 0) + 1)
    },
  })
  return records
}

async function finish(root: string): Promise<void> {
  const warehouse = await openWarehouse({ root, create: false, ports: { seal_every_ms: 0 } })
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  try {
    while ((await writer.append()).more);
    await writer.cosign(cosignedBy(WITNESS_KEY, latestText(root), 1_767_225_600))
  } finally {
    writer.close()
    await warehouse.close()
  }
}

function copyOf(name: string): string {
  const root = join(folder, name)
  cpSync(whole, root, { recursive: true })
  return root
}

async function killedAt(task: LogWriterTask): Promise<number | string> {
  const child = spawn(process.execPath, childArgv(CHILD, JSON.stringify(task)), {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code ?? -1)))
}

/** Records of a log whose writer nobody kills. */
const untouched = finishedRecords()

async function finishedRecords(): Promise<ReadonlyMap<string, number>> {
  const root = copyOf('untouched')
  await finish(root)
  return recordsOf(root)
}

test.each(STEPS)('kill -9 after the step %s: the log goes on, and has each record once', async (step) => {
  const root = copyOf(step)
  expect(await killedAt({ root, step, time: 3 })).toBe('SIGKILL')
  const text = latestText(root)
  const [, size, base64] = text.split('\n')
  await finish(root)
  const records = await recordsOf(root, [{ size: Number(size), root: Buffer.from(base64!, 'base64') }])
  expect(records).toEqual(await untouched)
  const { text: note } = (await openLogReader(root).checkpoint())!
  expect(cosignedAt(parseNote(note), WITNESS_KEY.key)).toBe(1_767_225_600)
})
