import { randomBytes } from 'node:crypto'
import { newSignerKey } from '../../client/signing/new-signer-key.ts'

/** An account of the sandbox with all that its user needs; secret, and kept below the home. */
export type PlannedAccount = {
  readonly account_id: string
  readonly label: string
  readonly owner_private_key: string
  readonly owner_address: string
  readonly key_id: string
  readonly secret: string
  readonly algorithm: 'hmac-sha256'
  readonly asset_id: string
  /** Initial balance. */
  readonly deposit: string
}

/** The account of a contract: `owner_address` is the contract's, and `owner_private_key` that of the key it accepts. */
export type PlannedSmartAccount = PlannedAccount & { readonly signer_address: string }

/** Traders of a sandbox. The seed determines what makers and taker do. */
export type SandboxPlan = {
  readonly seed: string
  /** For users; the ready file has them. */
  readonly accounts: readonly PlannedAccount[]
  readonly makers: readonly PlannedAccount[]
  readonly taker: PlannedAccount
}

export const SANDBOX_ASSET = { asset_id: 'asset_usd', scale: 6 } as const
/** Initial balance of an account for users. */
export const USER_DEPOSIT = '100000.000000'
/** Enough for years of what they do. */
const TRADER_DEPOSIT = '50000000.000000'
const MAKERS = 2

/** Extends an earlier plan to `count` user accounts, or creates a plan. */
export function extendPlan(before: SandboxPlan | null, count: number): SandboxPlan {
  const plan = before ?? newPlan()
  const missing = Array.from({ length: Math.max(0, count - plan.accounts.length) }, (_, place) =>
    newAccount(`Sandbox account ${plan.accounts.length + place + 1}`, USER_DEPOSIT),
  )
  return missing.length === 0 && before !== null ? before : { ...plan, accounts: [...plan.accounts, ...missing] }
}

function newPlan(): SandboxPlan {
  return {
    seed: 'tide',
    accounts: [],
    makers: Array.from({ length: MAKERS }, (_, place) => newAccount(`Market maker ${place + 1}`, TRADER_DEPOSIT)),
    taker: newAccount('Taker', TRADER_DEPOSIT),
  }
}

/** Creates an account with an owner, a key and a secret of its own. */
export function newAccount(label: string, deposit: string): PlannedAccount {
  const { private_key, address } = newSignerKey()
  return {
    account_id: `acct_sandbox_${randomBytes(4).toString('hex')}`,
    label,
    owner_private_key: private_key,
    owner_address: address,
    key_id: `key_${randomBytes(12).toString('hex')}`,
    secret: randomBytes(32).toString('hex'),
    algorithm: 'hmac-sha256',
    asset_id: SANDBOX_ASSET.asset_id,
    deposit,
  }
}
