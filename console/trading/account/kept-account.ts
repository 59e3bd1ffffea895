import type { Account } from './account.ts'

const NAME = 'tidemark.sandbox-account'

/** The account that the user chose to keep until the tab closes; null: none. One of another environment is not it. */
export function keptAccount(environment: string): Account | null {
  try {
    const account = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Account | null
    return account?.environment === environment ? account : null
  } catch {
    return null
  }
}

/** Keeps an account, of no real deployment, until the tab closes. */
export function keepAccount(account: Account): void {
  sessionStorage.setItem(NAME, JSON.stringify(account))
}

export function forgetAccount(): void {
  sessionStorage.removeItem(NAME)
}
