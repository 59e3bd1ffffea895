import type { UpRun } from './up-options.ts'

/** How many accounts a sandbox has for users; 0: there is none, as with no sample data unless it is asked for. */
export function sandboxAccounts({ options }: UpRun): number {
  return options.sandboxAccounts ?? (options.sampleData ? SANDBOX_ACCOUNTS : 0)
}

const SANDBOX_ACCOUNTS = 2
