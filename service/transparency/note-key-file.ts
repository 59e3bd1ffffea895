import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newEd25519Key } from '../../client/signing/new-ed25519-key.ts'
import { signWithEd25519 } from '../../client/signing/sign-request.ts'
import { cosignatureBytes, cosignedText } from '../../pipelines/transparency/cosignature.ts'
import {
  ED25519_COSIGNATURE,
  ED25519_NOTE,
  isKeyName,
  keyId,
  type NoteKey,
  type NoteSignature,
} from '../../pipelines/transparency/signed-note.ts'
import { isObject } from '../../primitives/canonical-json.ts'
import { isServiceError, notAllowed, ServiceError } from '../../primitives/errors.ts'
import { requirePrivate } from '../trading/private-file.ts'

/** Key of a log or a witness with its signatures. */
export type NoteSigner = { readonly key: NoteKey; readonly sign: (text: string) => NoteSignature }

/** Key pair of a file, in lower-case hex. */
type KeyPair = { readonly public_key: string; readonly private_key: string }

/**
 * Opens the key of a log from its file. A missing file is created with a new key, readable only by its owner.
 * @param name  origin of the log
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file cannot be read or made, has no key, or others may read it
 */
export async function openLogKey(file: string, name: string): Promise<NoteSigner> {
  const pair = await openPair('log_key_file', file)
  const key = noteKey(pair, name, ED25519_NOTE)
  const sign = (text: string): NoteSignature => lineOf(key, Buffer.from(signWithEd25519(pair.private_key, text), 'hex'))
  return { key, sign }
}

/**
 * Opens the key of a witness in the same way.
 * @param now_s  clock in seconds
 */
export async function openWitnessKey(file: string, name: string, now_s: () => number): Promise<NoteSigner> {
  const pair = await openPair('key', file)
  const key = noteKey(pair, name, ED25519_COSIGNATURE)
  const sign = (text: string): NoteSignature => {
    const time_s = now_s()
    const signature = Buffer.from(signWithEd25519(pair.private_key, cosignedText(text, time_s)), 'hex')
    return lineOf(key, cosignatureBytes(time_s, signature))
  }
  return { key, sign }
}

function lineOf(key: NoteKey, signature: Uint8Array): NoteSignature {
  return { name: key.name, key_id: keyId(key), signature }
}

function noteKey({ public_key }: KeyPair, name: string, type: number): NoteKey {
  if (!isKeyName(name)) {
    throw notAllowed(
      'VALIDATION_USAGE_INVALID',
      'name of a key',
      JSON.stringify(name),
      'a text without spaces and plus',
    )
  }
  return { name, type, public_key: Buffer.from(public_key, 'hex') }
}

async function openPair(setting: string, file: string): Promise<KeyPair> {
  return (await readPair(setting, file)) ?? (await makePair(setting, file))
}

async function readPair(setting: string, file: string): Promise<KeyPair | null> {
  try {
    requirePrivate(setting, file, await stat(file))
    const found: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isObject(found) && isHex(found.public_key) && isHex(found.private_key)) return found as KeyPair
  } catch (error) {
    if (isServiceError(error)) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  }
  throw invalid(setting, file, 'a file with public_key and private_key, 64 of 0-9 a-f each')
}

/** Creates the file by an atomic link: of several processes one creates it, and the others read it. */
async function makePair(setting: string, file: string): Promise<KeyPair> {
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(unfinished, `${JSON.stringify(newEd25519Key(), null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw invalid(setting, file, 'a path where a file can be created', error)
  } finally {
    await rm(unfinished, { force: true })
  }
  return (await readPair(setting, file))!
}

function isHex(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function invalid(setting: string, file: string, allowed: string, cause?: unknown): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', `${setting} is ${file}; allowed: ${allowed}`, { file }, cause)
}
