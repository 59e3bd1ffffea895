import { rename, rm, writeFile } from 'node:fs/promises'
import type { ServerAddress } from '../../workflows/server/server-file.ts'
import type { PlannedAccount } from '../sandbox/sandbox-plan.ts'

/** What a script needs to know of a service that is ready. */
export type Ready = {
  readonly base_url: string
  readonly stream_url: string
  readonly environment: string
  /** The Temporal server; null where none serves, or none is used. */
  readonly temporal: ServerAddress | null
  /** Funded accounts with their secrets. */
  readonly sandbox_accounts: readonly ReadyAccount[]
}

/** What it takes to trade: the owner's key signs orders, the API key's secret signs requests. */
export type ReadyAccount = Omit<PlannedAccount, 'label' | 'deposit'> & {
  /** What the account began with. */
  readonly balance: string
}

/** An account as the ready file has it. */
export function readyAccount({ deposit, label: _, ...account }: PlannedAccount): ReadyAccount {
  return { ...account, balance: deposit }
}

/** What may be shown on a terminal or kept in a log: no private key and no secret. */
export function withoutSecrets(ready: Ready): object {
  const sandbox_accounts = ready.sandbox_accounts.map(({ owner_private_key: _, secret: __, ...account }) => account)
  return { ...ready, sandbox_accounts }
}

/** Writes the file at once, readable by its owner alone: whoever sees it sees all of it. */
export async function writeReadyFile(file: string, ready: Ready): Promise<void> {
  const unfinished = `${file}.${process.pid}`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(unfinished, file)
}
