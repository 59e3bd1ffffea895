import { readFileSync } from 'node:fs'
import { ServiceError } from '../../primitives/errors.ts'

type KeyFields = { readonly key_id?: string; readonly secret?: string }
type KeyFile = KeyFields & { readonly sandbox_accounts?: readonly KeyFields[] }

/**
 * Reads the secret of a key: 64 hex digits, JSON with `secret`, or the ready file of `tidemark up`.
 * @param key_id  key that signed; of several secrets it chooses one
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, which never shows the content
 */
export function readSecretFile(path: string, key_id: string | null): string {
  const text = contentOf(path).trim()
  const secret = text.startsWith('{') ? secretIn(text, key_id) : text
  if (secret !== null && /^[0-9a-fA-F]{64}$/.test(secret)) return secret
  const allowed = '64 hex digits, or JSON with the secret of that key'
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `--secret-file ${path} has no secret of ${key_id}; allowed: ${allowed}`,
  )
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `--secret-file is ${path} (${code}); allowed: a readable file`,
    )
  }
}

function secretIn(text: string, key_id: string | null): string | null {
  try {
    const file = JSON.parse(text) as KeyFile
    const key = file.sandbox_accounts?.find((account) => account.key_id === key_id) ?? file
    return key.secret ?? null
  } catch {
    return null
  }
}
