import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openKeyEncryptionKey } from '../../../service/trading/key-encryption-key.ts'
import { keyEncryptionKey, sealSecret } from '../../../trading/auth/seal-secret.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const of = (file: string, key_encryption_key = '') => ({
  key_encryption_key,
  key_encryption_key_file: join(folder, file),
})

const noted: string[] = []
/** A trading database with these sealed secrets. */
const databaseOf = (rows: readonly object[]) => ({ query: async () => ({ rows }) }) as unknown as Pick<Pool, 'query'>
const open = (settings: ReturnType<typeof of>, rows: readonly object[] = []) =>
  openKeyEncryptionKey(settings, { pool: databaseOf(rows), note: (text) => noted.push(text) })

test('a file that is missing is made once, for its owner alone, however many ask at once; a line says where', async () => {
  noted.length = 0
  const keys = await Promise.all(Array.from({ length: 8 }, () => open(of('below/made.key'))))
  expect(noted).toEqual([`made the key-encryption key ${join(folder, 'below/made.key')}; keep a copy`])
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
  expect(statSync(join(folder, 'below/made.key')).mode & 0o777).toBe(0o600)
  expect((await open(of('below/made.key'))).equals(keys[0]!)).toBe(true)
})

test('the environment wins, and then no file is made', async () => {
  const key = await open(of('unused.key', 'ab'.repeat(32)))
  expect(key.toString('hex')).toBe('ab'.repeat(32))
  expect(() => readFileSync(join(folder, 'unused.key'))).toThrow('ENOENT')
})

test('a file that holds no key is named, its content is not', async () => {
  writeFileSync(join(folder, 'bad.key'), 'hunter2', { mode: 0o600 })
  const error = await open(of('bad.key')).catch((thrown: Error) => thrown)
  expect((error as Error).message).toContain('bad.key')
  expect((error as Error).message).not.toContain('hunter2')
  await expect(open(of('.'))).rejects.toThrow('EISDIR')
})

test.each([0o640, 0o604, 0o620])('a file that others may read or write is refused: %o', async (mode) => {
  const name = `open-${mode}.key`
  await open(of(name))
  chmodSync(join(folder, name), mode)
  const refused = open(of(name))
  await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
  await expect(refused).rejects.toThrow(
    `whose mode is 0${mode.toString(8)}; allowed: a file of its owner alone (chmod 600`,
  )
  chmodSync(join(folder, name), 0o400)
  expect(await open(of(name))).toHaveLength(32)
})

describe('a database whose secrets are sealed', () => {
  const sealing = keyEncryptionKey('ab'.repeat(32), 'test')
  const sealedOf = (id: string, of_key: boolean) => [
    { id, of_key, material: sealSecret(sealing, id, Buffer.alloc(32)) },
  ]
  const sealed = sealedOf('key_1', true)

  test('gets no new key beside the one that sealed them', async () => {
    const refused = open(of('none.key'), sealed)
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
    await expect(refused).rejects.toThrow(
      /^TIDEMARK_KEY_ENCRYPTION_KEY is not set and key_encryption_key_file .*none\.key does not exist, but .* sealed .*; allowed: the key/,
    )
    expect(existsSync(join(folder, 'none.key'))).toBe(false)
  })

  test('refuses another key, wherever it is from, and takes its own', async () => {
    await expect(open(of('none.key', 'cd'.repeat(32)), sealed)).rejects.toThrow(
      /^TIDEMARK_KEY_ENCRYPTION_KEY opens no secret of the trading database: .*; allowed: the key/,
    )
    await open(of('other.key'))
    await expect(open(of('other.key'), sealed)).rejects.toThrow(/^the key of .*other\.key opens no secret/)
    expect((await open(of('none.key', 'ab'.repeat(32)), sealed)).equals(sealing)).toBe(true)
  })

  test('of webhooks alone takes another key that is given, and gets none made', async () => {
    const webhooks = sealedOf('whk_1', false)
    await expect(open(of('none.key'), webhooks)).rejects.toThrow(/none\.key does not exist, but/)
    expect(await open(of('none.key', 'cd'.repeat(32)), webhooks)).toHaveLength(32)
  })

  test('that does not answer leaves a given key unchecked', async () => {
    const away = { query: () => Promise.reject(new Error('connect ECONNREFUSED')) } as unknown as Pool
    const key = await openKeyEncryptionKey(of('none.key', 'cd'.repeat(32)), { pool: away, note: () => undefined })
    expect(key).toHaveLength(32)
  })
})
