import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newEd25519Key } from '../../client/signing/new-ed25519-key.ts'
import { signWithEd25519 } from '../../client/signing/sign-request.ts'
import { isObject } from '../../primitives/canonical-json.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type ActSignature, operatorActText, type SignedAct } from '../../trading/auth/operator-act-text.ts'
import { requirePrivate } from './private-file.ts'

/** Key of a person, as its file has it. */
export type OperatorKey = {
  readonly operator_key_id: string
  readonly operator_id: string
  /** 64 lower-case hex digits each. */
  readonly public_key: string
  readonly private_key: string
}

const FIELDS = ['operator_key_id', 'operator_id', 'public_key', 'private_key'] as const

/** Returns the path of a person's key file in a home. */
export function operatorKeyFile(home: string, operator_id: string): string {
  return join(home, 'operator-keys', `${operator_id}.json`)
}

/**
 * Reads a key file.
 * @returns null: there is none
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: it holds no key, or others may read it
 */
export async function readOperatorKey(file: string): Promise<OperatorKey | null> {
  try {
    requirePrivate('operator key file', file, await stat(file))
    const found: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isObject(found) && FIELDS.every((field) => typeof found[field] === 'string')) return found as OperatorKey
  } catch (error) {
    if (isServiceError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code !== undefined) throw invalid(file, code, error)
  }
  throw invalid(file, 'no key')
}

/** Creates a key of a person and its file, readable by its owner alone. @throws {ServiceError} VALIDATION_USAGE_INVALID: it cannot be created, or exists */
export async function makeOperatorKey(file: string, operator_id: string): Promise<OperatorKey> {
  const operator_key_id = `opk_${randomBytes(12).toString('hex')}`
  const key: OperatorKey = { operator_key_id, operator_id, ...newEd25519Key() }
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, `${JSON.stringify(key, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw invalid(file, String((error as NodeJS.ErrnoException).code), error)
  }
  return key
}

/**
 * Returns the unregistered key of a file, which a refused registration leaves; makes one if there is no file.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file has a registered key, another person's, or cannot be used
 */
export async function unregisteredKey(
  file: string,
  operator_id: string,
  registered: readonly { readonly operator_key_id: string }[],
): Promise<OperatorKey> {
  const found = await readOperatorKey(file)
  if (found === null) return makeOperatorKey(file, operator_id)
  const { operator_key_id } = found
  const seen = found.operator_id === operator_id ? `the key ${operator_key_id}` : `a key of ${found.operator_id}`
  const is_free =
    found.operator_id === operator_id && registered.every((key) => key.operator_key_id !== operator_key_id)
  if (is_free) return found
  const message = `operator key file is ${file}, which holds ${seen}; allowed: --key-file FILE, a path for another key`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file })
}

/** Signs an act with a key. @param deployment id of the first operator key of the database */
export function signAct(key: OperatorKey, deployment: string, act: SignedAct): ActSignature {
  const { operator_key_id, private_key } = key
  return { operator_key_id, signature: signWithEd25519(private_key, operatorActText(deployment, act)) }
}

function invalid(file: string, found: string, cause?: unknown): ServiceError {
  const message = `operator key file is ${file} (${found}); allowed: a file that \`tidemark operator add\` made`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { file }, cause)
}
