import type { Hex } from '../../../protocol/signing/typed-data.ts'

/** Environment in which the page accepts no private key. */
export const PRODUCTION = 'production'

/** Credentials of an account. Kept in memory or, if the user chooses so, in the tab's session storage. */
export type Account = {
  readonly environment: string
  /** null: unknown; the service returns it for the key. */
  readonly account_id: string | null
  readonly key_id: string
  /** 64 hex digits. */
  readonly secret: string
  /** 0x and 64 hex digits; null: a wallet signs. */
  readonly signer_private_key: Hex | null
}

/** Entered account, or one sentence for each invalid field. */
export type Entered = { readonly account: Account } | { readonly complaints: readonly string[] }

const KEY_ID = /^key_[a-z0-9]{16,32}$/
const SECRET = /^[0-9a-fA-F]{64}$/
const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/

/** Checks entered credentials; the sentences never repeat a secret. */
export function enteredAccount(
  environment: string,
  { key_id, secret, private_key }: { key_id: string; secret: string; private_key: string },
): Entered {
  const complaints = [
    KEY_ID.test(key_id) ? null : `key_id is ${JSON.stringify(key_id)}; allowed: key_ and 16 to 32 of a-z0-9.`,
    SECRET.test(secret) ? null : `secret has ${secret.length} characters; allowed: 64 hex digits.`,
    privateKeyComplaint(environment, private_key),
  ].filter((one) => one !== null)
  if (complaints.length > 0) return { complaints }
  const signer_private_key = private_key === '' ? null : (private_key as Hex)
  return { account: { environment, account_id: null, key_id, secret: secret.toLowerCase(), signer_private_key } }
}

function privateKeyComplaint(environment: string, private_key: string): string | null {
  if (private_key === '') return null
  if (environment === PRODUCTION) return 'Private keys are not accepted in production. Sign with a wallet.'
  if (PRIVATE_KEY.test(private_key)) return null
  return `private key has ${private_key.length} characters; allowed: 0x and 64 hex digits.`
}
