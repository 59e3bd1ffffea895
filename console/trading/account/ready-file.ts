import type { Hex } from '../../../protocol/signing/typed-data.ts'
import { type Account, PRODUCTION } from './account.ts'

/** Accounts of a ready file, or a complaint about the file. */
export type ReadAccounts = { readonly accounts: readonly Account[] } | { readonly complaint: string }

type ReadyAccount = {
  readonly account_id?: unknown
  readonly key_id?: unknown
  readonly secret?: unknown
  readonly owner_private_key?: unknown
}

/**
 * Reads the file that `--ready-file` writes; it never leaves the page.
 * @param environment of this service
 */
export function readReadyFile(text: string, environment: string): ReadAccounts {
  const ready = parsed(text)
  if (ready === null) return { complaint: 'The file is not JSON. Choose the file that --ready-file wrote.' }
  if (ready.environment !== environment) {
    const complaint = `The file is for the environment ${JSON.stringify(ready.environment ?? null)}; this service is ${JSON.stringify(environment)}.`
    return { complaint }
  }
  if (environment === PRODUCTION) {
    return {
      complaint: 'Private keys are not accepted in production. Enter the API key and sign with a wallet.',
    }
  }
  const listed: readonly unknown[] = Array.isArray(ready.sandbox_accounts) ? ready.sandbox_accounts : []
  const accounts = listed.map((one) => accountOf(one as ReadyAccount, environment)).filter((one) => one !== null)
  if (accounts.length === 0)
    return { complaint: 'The file has no sandbox_accounts with key_id, secret and owner_private_key.' }
  return { accounts }
}

function parsed(text: string): { readonly environment?: unknown; readonly sandbox_accounts?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

function accountOf(
  { account_id, key_id, secret, owner_private_key }: ReadyAccount,
  environment: string,
): Account | null {
  const texts = [account_id, key_id, secret, owner_private_key]
  if (!texts.every((one) => typeof one === 'string')) return null
  const [account, key, hex, signer_private_key] = texts as [string, string, string, Hex]
  return { environment, account_id: account, key_id: key, secret: hex, signer_private_key }
}
