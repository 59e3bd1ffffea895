import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type KeyEncryptionKey, keyEncryptionKey, newKeyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { fitsSealed } from '../../trading/store/sealed-secrets.ts'
import type { Settings } from '../configuration.ts'
import { hasDatabase } from './open-database.ts'
import { requirePrivate } from './private-file.ts'

type KeySettings = Pick<Settings, 'key_encryption_key' | 'key_encryption_key_file'>

/** Trading database whose secrets the key seals, and where a line says that a key was made. */
export type SealingPorts = { readonly pool: Pick<Pool, 'query'>; readonly note: (text: string) => void }

/** Longest wait for a database that has to say whether a key may be made, and the pause between two questions. */
const ANSWER_MS = 20_000
const AGAIN_MS = 500

const ALLOWED =
  'allowed: the key that the other processes of this database have, in TIDEMARK_KEY_ENCRYPTION_KEY or in key_encryption_key_file'

/**
 * Opens the key that encrypts the secrets of API keys and webhooks: from the environment, else from the file. Where both are missing
 * and nothing is sealed yet, the file is created with a random key, readable only by its owner; processes that start at the same time
 * get the same key. A database that does not answer leaves a given key unchecked: see `requireSealing`.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file cannot be read, holds no key, or is not its owner's alone, or the secrets of
 *   the database are sealed with another key; SERVICE_UNAVAILABLE: there is no key, and the database does not answer
 */
export async function openKeyEncryptionKey(settings: KeySettings, ports: SealingPorts): Promise<KeyEncryptionKey> {
  const { key_encryption_key_file: file } = settings
  const given = await givenKey(settings)
  if (given === null) {
    await requireNothingSealed(ports.pool, file)
    return keyEncryptionKey(await make(file, ports.note), file)
  }
  try {
    await requireSealing(settings, ports.pool, given)
  } catch (error) {
    if (isServiceError(error)) throw error
  }
  return given
}

/**
 * Checks that the secrets of the database are sealed with a key.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: with another one; an error of the database: nothing is known
 */
export async function requireSealing(
  { key_encryption_key, key_encryption_key_file: file }: KeySettings,
  pool: Pick<Pool, 'query'>,
  key: KeyEncryptionKey,
): Promise<void> {
  if ((await fitsSealed(pool, key)) !== false) return
  const source = key_encryption_key === '' ? `the key of ${file}` : 'TIDEMARK_KEY_ENCRYPTION_KEY'
  const message = `${source} opens no secret of the trading database: they are sealed with another key; ${ALLOWED}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file })
}

/**
 * Creates the key of a home that has no database yet, so that its processes need not wait for the database.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file cannot be read or made
 */
export async function prepareKey(
  settings: KeySettings & Pick<Settings, 'database_url' | 'home'>,
  note: (text: string) => void,
): Promise<void> {
  if (!hasDatabase(settings) && (await givenKey(settings)) === null) await make(settings.key_encryption_key_file, note)
}

/** Returns the key of the settings; null: there is none. */
async function givenKey({ key_encryption_key, key_encryption_key_file: file }: KeySettings) {
  if (key_encryption_key !== '') return keyEncryptionKey(key_encryption_key, 'TIDEMARK_KEY_ENCRYPTION_KEY')
  const text = await read(file)
  return text === null ? null : keyEncryptionKey(text, file)
}

/** Refuses to make a key beside the one with which something is sealed. */
async function requireNothingSealed(pool: Pick<Pool, 'query'>, file: string): Promise<void> {
  const absent = `TIDEMARK_KEY_ENCRYPTION_KEY is not set and key_encryption_key_file ${file} does not exist`
  const end = Date.now() + ANSWER_MS
  for (;;) {
    try {
      if ((await fitsSealed(pool, null)) === null) return
    } catch (error) {
      if (Date.now() < end) {
        await sleep(AGAIN_MS)
        continue
      }
      const message = `${absent}, and the trading database does not answer, so no key is made; ${ALLOWED}`
      throw new ServiceError('SERVICE_UNAVAILABLE', message, { file }, error)
    }
    const message = `${absent}, but the trading database has secrets that are sealed with a key; ${ALLOWED}`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file })
  }
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
async function make(file: string, note: (text: string) => void): Promise<string> {
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(unfinished, `${newKeyEncryptionKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await link(unfinished, file).then(() => note(`made the key-encryption key ${file}; keep a copy`), ignoreExisting)
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
