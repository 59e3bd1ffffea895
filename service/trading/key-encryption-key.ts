import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { type KeyEncryptionKey, keyEncryptionKey, newKeyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import type { Settings } from '../configuration.ts'

/**
 * The key that seals the secrets of API keys: of the environment, else of the file, which is made where there is none: random,
 * readable by its owner alone, and the same for all processes that come at once.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file cannot be read, or holds no key
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
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    const message = `key_encryption_key_file is ${file} (${code}); allowed: a readable file`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file }, error)
  }
}

/** Linked into place whole, so that of several processes one makes it and the others read it. */
async function make(file: string): Promise<string> {
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(unfinished, `${newKeyEncryptionKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await link(unfinished, file).catch(refuseUnlessThere)
  } catch (error) {
    const message = `key_encryption_key_file is ${file} (${(error as NodeJS.ErrnoException).code}); allowed: a file that can be made`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file }, error)
  } finally {
    await rm(unfinished, { force: true })
  }
  return readFile(file, 'utf8')
}

function refuseUnlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
