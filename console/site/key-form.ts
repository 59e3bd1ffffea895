import { inputText } from './elements.ts'
import type { TypedKey } from './keys.ts'

/** Reads the key of the form. */
export function typedKey(): TypedKey {
  return {
    algorithm: inputText('try-algorithm'),
    key_id: inputText('try-key-id'),
    secret: inputText('try-secret').toLowerCase(),
    environment: inputText('try-environment'),
    account_id: inputText('try-account'),
    owner: inputText('try-owner'),
  }
}

/** Fills the form in from a ready file when one is opened: it is read here and goes nowhere. */
export function fillFromReadyFile(): void {
  const input = document.getElementById('try-ready') as HTMLInputElement | null
  if (input === null) return
  input.addEventListener('change', () => void fillFrom(input))
  // Opened before this script ran.
  if (input.files?.length !== 0) void fillFrom(input)
}

async function fillFrom(input: HTMLInputElement): Promise<void> {
  const ready = readyOf((await input.files?.[0]?.text()) ?? '')
  input.setCustomValidity(ready === null ? 'This is not a ready file of a sandbox.' : '')
  if (ready === null) return void input.reportValidity()
  const { account, environment } = ready
  fill('try-key-id', account.key_id)
  fill('try-secret', account.secret)
  fill('try-environment', environment)
  fill('try-account', account.account_id)
  fill('try-owner', account.owner_private_key)
  fill('try-algorithm', account.algorithm ?? 'hmac-sha256')
}

type ReadyAccount = Readonly<Record<'key_id' | 'secret' | 'account_id' | 'owner_private_key', string>> & {
  readonly algorithm?: string
}

function readyOf(text: string): { readonly account: ReadyAccount; readonly environment: string } | null {
  try {
    const { environment, sandbox_accounts } = JSON.parse(text) as {
      readonly environment: string
      readonly sandbox_accounts: readonly ReadyAccount[]
    }
    const [account] = sandbox_accounts
    return account === undefined ? null : { account, environment }
  } catch {
    return null
  }
}

function fill(id: string, value: string): void {
  const input = document.getElementById(id) as HTMLInputElement | null
  if (input !== null) input.value = value
}
