import { rm } from 'node:fs/promises'
import { waitFor } from '../../operations/live/wait-for.ts'
import { runSettlement } from '../../operations/settlement/run-settlement.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { operatorReads } from '../../trading/store/operator/operator-reads.ts'
import { removeDatabase } from '../../trading/store/remove-database.ts'
import type { Environment, Settings } from '../configuration.ts'
import { type OpenedSandbox, openSandbox } from '../sandbox/open-sandbox.ts'
import { runTraders } from '../sandbox/run-traders.ts'
import { sandboxFolder } from '../sandbox/sandbox-file.ts'
import { openKeyEncryptionKey } from '../trading/key-encryption-key.ts'
import { databaseFolder, databaseUrl } from '../trading/open-database.ts'
import type { EngineSaid } from '../trading/run-engine.ts'
import { settlementPorts } from '../trading/worker-trading.ts'
import { type SupervisedDatabase, superviseDatabase } from './supervise-database.ts'
import type { SupervisedProcess } from './supervise-process.ts'
import { superviseProcess } from './supervise-process.ts'

export type ServiceTradingOptions = {
  readonly settings: Settings
  readonly environment: Environment
  /** Accounts for users; 0: no sandbox. */
  readonly sandbox_accounts: number
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
  readonly on_note: (line: string) => void
}

/** The trading core of a service: a database, an engine in a process of its own, and a sandbox. */
export type ServiceTrading = {
  /** What the API process finds it by; it may ask before the database answers. */
  readonly environment: Environment
  /** null: none is wanted, or it cannot be had, which has been told. */
  readonly sandbox: Promise<OpenedSandbox | null>
  /** Keeps the sandbox's books alive from now on. */
  trade(base_url: string): Promise<void>
  /** Whether workers settle; then this process settles what is late alone. */
  settleElsewhere(elsewhere: boolean): void
  close(): Promise<void>
}

type Opened = { readonly database: SupervisedDatabase; readonly engine: SupervisedProcess<EngineSaid> }

/** Traders end their request, the engine its batch. */
const TRADERS_MS = 1_000
const ENGINE_MS = 4_000
const ATTEMPTS_MAX = 3
const AGAIN_MS = 1_000
/** What workers have not settled for so long is settled here. */
const SETTLE_LATE_MS = 20_000

/** Begins to start the trading core: nothing waits for it. What fails is told, and the rest of the service goes on without. */
export function startTrading(given: ServiceTradingOptions): ServiceTrading {
  const closing = new AbortController()
  const signal = AbortSignal.any([given.signal, closing.signal])
  const on_problem = (error: unknown) => {
    if (!signal.aborted) given.on_problem(error)
  }
  const options = { ...given, signal, on_problem }
  const { settings } = options
  const environment = tradingEnvironment(options)
  const opened =
    environment === null ? Promise.resolve(null) : persistently(() => open(options, environment)).catch(tell)
  const sandbox = opened.then((found) => found && persistently(() => openOwnSandbox(options, found))).catch(tell)
  let trading: Promise<void> = Promise.resolve()
  let elsewhere = false
  const late_ms = () => (elsewhere ? SETTLE_LATE_MS : 0)
  const settling = opened.then((found) => found && settle(found, late_ms, { signal, on_problem })).catch(tell)
  return {
    environment: { ...options.environment, ...environment },
    sandbox,
    trade: async (base_url) => {
      const found = await sandbox
      if (found === null || signal.aborted) return
      const markets = found.markets.map(({ market_id, outcomes: [yes, no] }) => ({
        market_id,
        outcome_ids: [yes!.outcome_id, no!.outcome_id] as const,
      }))
      const { plan } = found
      trading = runTraders({ base_url, environment: settings.environment, plan, markets, signal, on_problem })
    },
    settleElsewhere: (is_so) => {
      elsewhere = is_so
    },
    close: async () => {
      closing.abort()
      // Nothing here may keep the database from being ended within the grace of the whole.
      await atMost(Promise.all([trading, sandbox, settling]), TRADERS_MS)
      const found = await opened
      await atMost(found?.engine.close(), ENGINE_MS)
      await found?.database.close()
    },
  }

  /** A machine that is busy, or a process that was just killed, may need a second attempt. */
  async function persistently<T>(work: () => Promise<T>): Promise<T | null> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (attempt === ATTEMPTS_MAX) throw error
        on_problem(error)
        await waitFor(AGAIN_MS, signal)
      }
    }
    return null
  }

  function tell(error: unknown): null {
    on_problem(error)
    return null
  }
}

async function atMost(work: Promise<unknown> | undefined, wait_ms: number): Promise<void> {
  const over = new AbortController()
  await Promise.race([work, waitFor(wait_ms, over.signal)])
  over.abort()
}

/** Removes what an earlier run traded. A database that others run is left alone. */
export async function removeTrading({ home, database_url }: Settings): Promise<void> {
  if (database_url === '') await removeDatabase(databaseFolder(home))
  await rm(sandboxFolder(home), { recursive: true, force: true })
}

/** For the processes of engine and API: where the database will be. null: there is no Postgres for this machine, which is told. */
function tradingEnvironment({ settings, on_problem }: ServiceTradingOptions): Environment | null {
  try {
    return {
      DATABASE_URL: databaseUrl(settings),
      TIDEMARK_HOME: settings.home,
      TIDEMARK_KEY_ENCRYPTION_KEY_FILE: settings.key_encryption_key_file,
    }
  } catch (error) {
    if (!isServiceError(error)) throw error
    on_problem(error)
    return null
  }
}

/** null: it was to end before it had begun. */
async function open(options: ServiceTradingOptions, environment: Environment): Promise<Opened | null> {
  const { settings, signal, on_problem, on_note } = options
  const database = await superviseDatabase(settings, on_problem)
  if (signal.aborted) {
    await database.close()
    return null
  }
  try {
    const engine = await superviseProcess<EngineSaid>({
      name: 'engine',
      argv: () => ['engine', '--attached', '--json'],
      // Not told where the database is, it joins the embedded one: when this process was killed, it ends that last of all.
      environment: { ...options.environment, ...environment, DATABASE_URL: settings.database_url },
      on_problem,
      on_note,
    })
    return { database, engine }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Settles and resolves what is traded here, until the signal is aborted. */
async function settle(
  { database: { pool } }: Opened,
  late_ms: () => number,
  { signal, on_problem }: Pick<ServiceTradingOptions, 'signal' | 'on_problem'>,
): Promise<void> {
  const client = connectEngine({ pool })
  try {
    await runSettlement(settlementPorts({ pool, client }, on_problem, signal), { late_ms })
  } finally {
    await client.close()
  }
}

async function openOwnSandbox(
  { settings, sandbox_accounts }: ServiceTradingOptions,
  { database }: Opened,
): Promise<OpenedSandbox | null> {
  const sealing = await openKeyEncryptionKey(settings)
  if (sandbox_accounts === 0) return null
  const client = connectEngine({ pool: database.pool })
  try {
    const { home, environment } = settings
    return await openSandbox(
      { client, reads: operatorReads(database.pool), sealing, home, environment },
      sandbox_accounts,
    )
  } finally {
    await client.close()
  }
}
