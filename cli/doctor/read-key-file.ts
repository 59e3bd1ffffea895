import { readFileSync } from 'node:fs'
import type { Credentials } from '../../client/trading/credentials.ts'
import { ServiceError } from '../../primitives/errors.ts'

type KeyFile = Partial<Credentials> & {
  readonly base_url?: string
  readonly sandbox_accounts?: readonly Partial<Credentials>[]
}

/**
 * Reads an API key from a JSON file: its fields, or the ready file of `tidemark up`, with the address of its service if it has one.
 * @param command that takes the file, for its usage
 * @param chosen  account of a ready file; default: the first
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, which never shows the secret
 */
export function readKeyFile(
  path: string,
  command: string,
  chosen?: string,
): Credentials & { readonly base_url?: string } {
  const file = parsed(path, command)
  const accounts = file.sandbox_accounts ?? [file]
  const account = chosen === undefined ? accounts[0] : accounts.find((one) => one.account_id === chosen)
  if (account === undefined) {
    const known = accounts.map(({ account_id }) => account_id).join(', ')
    throw refused(command, path, `it has no account ${chosen ?? ''}; allowed: ${known}`)
  }
  const { account_id, key_id, secret, environment = file.environment, algorithm } = account
  if (account_id === undefined || key_id === undefined || secret === undefined || environment === undefined)
    throw refused(command, path, 'a field is missing; allowed: account_id, key_id, secret and environment, all of them')
  const { base_url } = file
  return {
    ...{ account_id, key_id, secret, environment },
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(base_url === undefined ? {} : { base_url }),
  }
}

function parsed(path: string, command: string): KeyFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KeyFile
  } catch (error) {
    const { code } = error as { code?: string }
    throw refused(command, path, code === undefined ? 'it is not JSON' : `it cannot be read (${code})`)
  }
}

function refused(command: string, path: string, why: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', `key-file is ${path}: ${why}`, {
    usage: `tidemark ${command} [options]`,
  })
}
