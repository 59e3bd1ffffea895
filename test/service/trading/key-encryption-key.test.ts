import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
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
  writeFileSync(join(folder, 'bad.key'), 'hunter2', { mode: 0o600 })
  const error = await openKeyEncryptionKey(of('bad.key')).catch((thrown: Error) => thrown)
  expect((error as Error).message).toContain('bad.key')
  expect((error as Error).message).not.toContain('hunter2')
  await expect(openKeyEncryptionKey(of('.'))).rejects.toThrow('EISDIR')
})

test.each([0o640, 0o604, 0o620])('a file that others may read or write is refused: %o', async (mode) => {
  const name = `open-${mode}.key`
  await openKeyEncryptionKey(of(name))
  chmodSync(join(folder, name), mode)
  const refused = openKeyEncryptionKey(of(name))
  await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
  await expect(refused).rejects.toThrow(
    `whose mode is 0${mode.toString(8)}; allowed: a file of its owner alone (chmod 600`,
  )
  chmodSync(join(folder, name), 0o400)
  expect(await openKeyEncryptionKey(of(name))).toHaveLength(32)
})
