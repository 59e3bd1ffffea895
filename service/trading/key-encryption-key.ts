import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type KeyEncryptionKey, keyEncryptionKey, newKeyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import type { Settings } from '../configuration.ts'
import { requirePrivate } from './private-file.ts'

/**
 * Opens the key that encrypts the secrets of API keys: from the environment, else from the file. A missing file is created with a random
 * key, readable only by its owner; processes that start at the same time get the same key.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file cannot be read, holds no key, or is not its owner's alone
 */
export async function openKeyEncryptionKey(
  settings: Pick<Settings, 'key_encryption_key' | 'key_encryption_key_file'>,
): Promise<KeyEncryptionKey> {
  const { key_encryption_key, key_encryption_key_file: file } = settings
  if (key_encryption_key !== '') return keyEncryptionKey(key_encryption_key, 'TIDEMARK_KEY_ENCRYPTION_KEY')
  return keyEncryptionKey((await read(file)) ?? (await make(file)), file)
}

async function read(file: string): Promise<string | null> {
  try {
    const handle = await open(file)
    try {
      requirePrivate('key_encryption_key_file', file, await handle.stat())
      return await handle.readFile('utf8')
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isServiceError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    const message = `key_encryption_key_file is ${file} (${code}); allowed: a readable file`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file }, error)
  }
}

/** Creates the file by an atomic link, so that one of several processes creates it and the others read it. */
async function make(file: string): Promise<string> {
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(unfinished, `${newKeyEncryptionKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await link(unfinished, file).catch(ignoreExisting)
  } catch (error) {
    const message = `key_encryption_key_file is ${file} (${(error as NodeJS.ErrnoException).code}); allowed: a path where a file can be created`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file }, error)
  } finally {
    await rm(unfinished, { force: true })
  }
  return readFile(file, 'utf8')
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
