import { readFileSync } from 'node:fs'
import type { Credentials } from '../../client/trading/credentials.ts'
import { ServiceError } from '../../primitives/errors.ts'

type KeyFile = Partial<Credentials> & { readonly sandbox_accounts?: readonly Partial<Credentials>[] }

/**
 * Reads an API key from a JSON file: its fields, or the ready file of `tidemark up`, whose first account is used.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, which never shows the secret
 */
export function readKeyFile(path: string): Credentials {
  const file = parsed(path)
  const [account = file] = file.sandbox_accounts ?? []
  const { account_id, key_id, secret, environment = file.environment, algorithm } = account
  if (account_id === undefined || key_id === undefined || secret === undefined || environment === undefined)
    throw refused(path, 'a field is missing; allowed: account_id, key_id, secret and environment, all of them')
  return { account_id, key_id, secret, environment, ...(algorithm === undefined ? {} : { algorithm }) }
}

function parsed(path: string): KeyFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KeyFile
  } catch (error) {
    const { code } = error as { code?: string }
    throw refused(path, code === undefined ? 'it is not JSON' : `it cannot be read (${code})`)
  }
}

function refused(path: string, why: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', `key-file is ${path}: ${why}`, {
    usage: 'tidemark doctor [options]',
  })
}
