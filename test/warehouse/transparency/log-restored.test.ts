import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { openWitness } from '../../../operations/transparency/witness.ts'
import { openCheckpoint } from '../../../pipelines/transparency/checkpoint.ts'
import { verifyLog } from '../../../pipelines/transparency/verify-log.ts'
import { witnessRequestText } from '../../../pipelines/transparency/witness-request.ts'
import { openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { cosignedBy, LOG_KEY, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { appendAll, logCopies, signer, sourceOf } from './log-copies.ts'

const { newPath, withCopy } = await logCopies()

describe('a log that was restored from an older copy and went on', () => {
  test('is refused by its witness, and by a reader who saw more', async () => {
    await withCopy(async (warehouse, root) => {
      const seen = newPath('witness')
      const witness = openWitness({
        folder: seen,
        keys: [LOG_KEY.key],
        cosign: (text) => cosignedBy(WITNESS_KEY, text, 1),
      })
      const ask = async (old_size: number) => {
        const reader = openLogReader(root)
        const { size, text } = (await reader.checkpoint())!
        const hashes = old_size > size ? [] : await reader.consistency(old_size, size)
        return (await witness.addCheckpoint(witnessRequestText({ old_size, hashes, checkpoint: text }))).status
      }
      const first = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer, rows_max: 25 })
      await first.append()
      const copy = newPath('older')
      cpSync(join(root, 'log'), copy, { recursive: true })
      await first.append()
      first.close()
      const head = openCheckpoint((await openLogReader(root).checkpoint())!.text, LOG_KEY.key)
      expect(await ask(0)).toBe(200)
      rmSync(join(root, 'log'), { recursive: true })
      cpSync(copy, join(root, 'log'), { recursive: true })
      expect(await ask(head.size)).toBe(400)
      await appendAll(warehouse)
      expect((await openLogReader(root).checkpoint())!.size).toBeGreaterThan(head.size)
      expect(await ask(head.size)).toBe(422)
      const verified = verifyLog({ source: sourceOf(root), key: LOG_KEY.key, seen: [head] })
      await expect(verified).rejects.toThrow('the log has two heads')
    })
  })
})
