import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKeyEncryptionKey } from '../../../service/trading/key-encryption-key.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const of = (file: string, key_encryption_key = '') => ({
  key_encryption_key,
  key_encryption_key_file: join(folder, file),
})

test('a file that is missing is made once, for its owner alone, however many ask at once', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => openKeyEncryptionKey(of('below/made.key'))))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
  expect(statSync(join(folder, 'below/made.key')).mode & 0o777).toBe(0o600)
  expect((await openKeyEncryptionKey(of('below/made.key'))).equals(keys[0]!)).toBe(true)
})

test('the environment wins, and then no file is made', async () => {
  const key = await openKeyEncryptionKey(of('unused.key', 'ab'.repeat(32)))
  expect(key.toString('hex')).toBe('ab'.repeat(32))
  expect(() => readFileSync(join(folder, 'unused.key'))).toThrow('ENOENT')
})

test('a file that holds no key is named, its content is not', async () => {
  writeFileSync(join(folder, 'bad.key'), 'hunter2')
  const error = await openKeyEncryptionKey(of('bad.key')).catch((thrown: Error) => thrown)
  expect((error as Error).message).toContain('bad.key')
  expect((error as Error).message).not.toContain('hunter2')
  await expect(openKeyEncryptionKey(of('.'))).rejects.toThrow('EISDIR')
})
