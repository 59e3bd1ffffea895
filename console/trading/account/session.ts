import { createCell } from '../../data/cell.ts'
import { AccountFeed } from '../data/account-feed.ts'
import { createPrivateApi, type PrivateApi } from '../data/private-api.ts'
import type { OrderSigner } from '../signing/order-signer.ts'
import type { Account } from './account.ts'

const NAME = 'tidemark.sandbox-account'

/** Returns the account kept until the tab closes; null if there is none of this environment. */
function keptAccount(environment: string): Account | null {
  try {
    const account = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Account | null
    return account?.environment === environment ? account : null
  } catch {
    return null
  }
}

/** Keeps a sandbox account until the tab closes. */
function keepAccount(account: Account): void {
  sessionStorage.setItem(NAME, JSON.stringify(account))
}

/** Removes the kept account. */
function forgetAccount(): void {
  sessionStorage.removeItem(NAME)
}

/** Account connected in this page. */
export type Session = {
  readonly account: Account
  readonly api: PrivateApi
  readonly feed: AccountFeed
  /** null: no wallet connected yet. */
  readonly signer: OrderSigner | null
}

export const session = createCell<Session | null>(null)

/** Connects an account. @param keep until the tab closes, else until the page is left */
export async function openSession(account: Account, keep: boolean): Promise<void> {
  const { key_id, secret, environment, signer_private_key } = account
  const signer = signer_private_key === null ? null : await signerOf(signer_private_key)
  session.get()?.feed.close()
  if (keep) keepAccount(account)
  const api = createPrivateApi({ key_id, secret, environment })
  session.set({ account, api, feed: new AccountFeed(api), signer })
}

/** Connects the kept account, if there is one. */
export async function reopenSession(environment: string): Promise<void> {
  const account = keptAccount(environment)
  if (account !== null && session.get() === null) await openSession(account, false)
}

/** Removes the account, its keys and its data from the page. */
export function closeSession(): void {
  session.get()?.feed.close()
  forgetAccount()
  session.set(null)
}

/** Sets the signer of the connected account. */
export function signWith(signer: OrderSigner): void {
  const open = session.get()
  if (open !== null) session.set({ ...open, signer })
}

/** Loads the signing code only when a sandbox key signs. */
async function signerOf(private_key: NonNullable<Account['signer_private_key']>): Promise<OrderSigner> {
  const { keySigner } = await import('../signing/key-signer.ts')
  return keySigner(private_key)
}
