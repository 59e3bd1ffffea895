import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { verifyLog } from '../../../pipelines/transparency/verify-log.ts'
import { type LogHead, logObjects, readLogHead } from '../../../warehouse/backup/log-objects.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { LOG_KEY } from '../../support/log/log-keys.ts'
import { logCopies, signer, sourceOf } from '../transparency/log-copies.ts'

const { newPath, withCopy } = await logCopies()

async function writeLog(head: LogHead): Promise<string> {
  const root = newPath('log')
  for await (const { path, bytes } of logObjects(head)) {
    const file = join(root, 'log', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  return root
}

test('a log that grows while it is copied is copied at its head, and the copy verifies and goes on', async () => {
  await withCopy(async (warehouse, root) => {
    expect(await readLogHead(root)).toBeNull()
    const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer, rows_max: 25 })
    for (let batch = 1; batch <= 3; batch++) await writer.append()
    const head = (await readLogHead(root))!
    const before = await verifyLog({ source: sourceOf(root), key: LOG_KEY.key, seen: [] })
    for (let batch = 1; batch <= 3; batch++) await writer.append()
    writer.close()
    const copy = await writeLog(head)
    const verified = await verifyLog({ source: sourceOf(copy), key: LOG_KEY.key, seen: [] })
    expect(verified).toEqual(before)
    expect(verified.checkpoint.size).toBe(head.state.size)
    expect(readFileSync(join(copy, 'log', 'checkpoint'), 'utf8')).toBe(head.state.checkpoint)
    // The same rows in the same batches: the copy becomes the log that the source is.
    const again = await openLogWriter({
      warehouse: { ...warehouse, root: copy },
      forms: TABLE_FORMS,
      signer,
      rows_max: 25,
    })
    for (let batch = 1; batch <= 3; batch++) await again.append()
    again.close()
    const grown = await verifyLog({ source: sourceOf(copy), key: LOG_KEY.key, seen: [before.checkpoint] })
    // A seal has its own instant, so the roots differ from those of the source; the records are the same.
    const source = await verifyLog({ source: sourceOf(root), key: LOG_KEY.key, seen: [] })
    expect([grown.checkpoint.size, grown.counts]).toEqual([source.checkpoint.size, source.counts])
  })
})
