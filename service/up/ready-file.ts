import { writeOutput } from '../../warehouse/export/output-file.ts'
import type { ServerAddress } from '../../workflows/server/server-file.ts'
import type { PlannedAccount } from '../sandbox/sandbox-plan.ts'

/** Facts about a ready service, for scripts. */
export type Ready = {
  readonly base_url: string
  readonly stream_url: string
  /** Page with the state of ingest, on this machine alone. */
  readonly admin_url: string
  /** Metrics of `up`; /targets of the same address lists those of all processes. */
  readonly metrics_url: string
  readonly environment: string
  /** Temporal server; null if none is available or used. */
  readonly temporal: ServerAddress | null
  /** Funded accounts with their secrets. */
  readonly sandbox_accounts: readonly ReadyAccount[]
}

/** Credentials to trade: the owner's key signs orders, the API key's secret signs requests. */
export type ReadyAccount = Omit<PlannedAccount, 'label' | 'deposit'> & {
  /** Environment of the service, so that an account is a whole key for clients and streams. */
  readonly environment: string
  /** Initial balance. */
  readonly balance: string
}

/** Converts an account of an environment to its form in the ready file. */
export function readyAccount({ deposit, label: _, ...account }: PlannedAccount, environment: string): ReadyAccount {
  return { ...account, environment, balance: deposit }
}

/** Removes private keys and secrets, for terminals and logs. */
export function withoutSecrets(ready: Ready): object {
  const sandbox_accounts = ready.sandbox_accounts.map(({ owner_private_key: _, secret: __, ...account }) => account)
  return { ...ready, sandbox_accounts }
}

/** Writes the file (writeOutput), readable only by its owner. */
export async function writeReadyFile(file: string, ready: Ready): Promise<void> {
  await writeOutput(file, `${JSON.stringify(ready, null, 2)}\n`, { option: 'ready-file', mode: 0o600 })
}
