import { rm } from 'node:fs/promises'
import { waitFor } from '../../operations/live/wait-for.ts'
import { runSettlement } from '../../operations/settlement/run-settlement.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { operatorReads } from '../../trading/store/operator/operator-reads.ts'
import { removeDatabase } from '../../trading/store/remove-database.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Environment, Settings } from '../configuration.ts'
import { type OpenedSandbox, openSandbox } from '../sandbox/open-sandbox.ts'
import { runSandboxRail } from '../sandbox/run-sandbox-rail.ts'
import { runTraders } from '../sandbox/run-traders.ts'
import { sandboxFolder } from '../sandbox/sandbox-file.ts'
import { latePauses } from '../schedules/late-pauses.ts'
import { engineSecurity } from '../trading/engine-security.ts'
import { openKeyEncryptionKey } from '../trading/key-encryption-key.ts'
import { databaseFolder, databaseUrl } from '../trading/open-database.ts'
import type { EngineReady } from '../trading/run-engine.ts'
import { settlementPorts } from '../trading/worker-trading.ts'
import type { ProcessBoard } from './process-board.ts'
import { type SupervisedDatabase, superviseDatabase } from './supervise-database.ts'
import type { SupervisedProcess } from './supervise-process.ts'
import { superviseProcess } from './supervise-process.ts'

export type ServiceTradingOptions = {
  readonly settings: Settings
  readonly environment: Environment
  readonly board: ProcessBoard
  /** Accounts for users; 0: no sandbox. */
  readonly sandbox_accounts: number
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
  /** Receives each line of the engine's standard error. */
  readonly on_note: (line: string) => void
  readonly note: (text: string) => void
}

/** Trading core of a service: a database, an engine process and a sandbox. */
export type ServiceTrading = {
  /** Environment for the API process, usable before the database answers. */
  readonly environment: Environment
  /** null: not wanted, or failed, which was reported. */
  readonly sandbox: Promise<OpenedSandbox | null>
  /** Starts the sandbox traders. */
  trade(base_url: string): Promise<void>
  /** Sets whether workers settle; then this process settles only what is late. */
  leaveSettlementToWorkers(by_workers: boolean): void
  close(): Promise<void>
}

type Opened = { readonly database: SupervisedDatabase; readonly engine: SupervisedProcess<EngineReady> }

/** Grace times for traders to end their request and for the engine to end its batch. */
const TRADERS_MS = 1_000
const ENGINE_MS = 4_000
const ATTEMPTS_MAX = 3
const AGAIN_MS = 1_000
/** Hosts of this machine. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '::1']
/** Age at which this process settles what workers left. */
const SETTLE_LATE_MS = 20_000

/** Starts the trading core in the background. Failures are reported, and the rest of the service runs without it. */
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
    environment === null ? Promise.resolve(null) : persistently(() => open(options, environment)).catch(report)
  const sandbox = opened.then((found) => found && persistently(() => openOwnSandbox(options, found))).catch(report)
  let trading: Promise<void> = Promise.resolve()
  let by_workers = false
  const late_ms = () => (by_workers ? SETTLE_LATE_MS : 0)
  const settling = opened.then((found) => found && settle(found, late_ms, options)).catch(report)
  const rail = sandbox.then(async (found) => found && carryOut((await opened)!, options)).catch(report)
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
    leaveSettlementToWorkers: (is_so) => {
      by_workers = is_so
    },
    close: async () => {
      closing.abort()
      // Bounded waits, so the database is stopped within the grace time of the service.
      await atMost(Promise.all([trading, sandbox, settling, rail]), TRADERS_MS)
      const found = await opened
      await atMost(found?.engine.close(), ENGINE_MS)
      await found?.database.close()
    },
  }

  /** Retries work, which may fail on a busy machine or just after a process was killed. */
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

  function report(error: unknown): null {
    on_problem(error)
    return null
  }
}

async function atMost(work: Promise<unknown> | undefined, wait_ms: number): Promise<void> {
  const over = new AbortController()
  await Promise.race([work, waitFor(wait_ms, over.signal)])
  over.abort()
}

/** Removes the trading data of earlier runs; an external database is kept. */
export async function removeTrading({ home, database_url }: Settings): Promise<void> {
  if (database_url === '') await removeDatabase(databaseFolder(home))
  await rm(sandboxFolder(home), { recursive: true, force: true })
}

/** Returns the database environment of the engine and API processes; null if no Postgres is installed, which is reported. */
function tradingEnvironment({ settings, sandbox_accounts, on_problem }: ServiceTradingOptions): Environment | null {
  const { webhook_allowed_hosts } = settings
  // Whoever tries a sandbox has a receiver on this machine.
  const of_sandbox = sandbox_accounts > 0 && webhook_allowed_hosts.length === 0 ? THIS_MACHINE : webhook_allowed_hosts
  try {
    return {
      TIDEMARK_WEBHOOK_ALLOWED_HOSTS: of_sandbox.join(','),
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

/** Starts database and engine; returns null if the service stopped first. */
async function open(options: ServiceTradingOptions, environment: Environment): Promise<Opened | null> {
  const { settings, board, signal, on_problem, on_note } = options
  const database = await superviseDatabase(settings, on_problem)
  if (signal.aborted) {
    await database.close()
    return null
  }
  try {
    const engine = await superviseProcess<EngineReady>({
      name: 'engine',
      argv: (before) => [
        'engine',
        '--attached',
        '--json',
        '--metrics-port',
        before === null ? '0' : new URL(before.metrics_url).port,
      ],
      board,
      // Without a database address the engine joins the embedded server, and stops it last if this process is killed.
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

/** Settles and resolves until the signal is aborted. */
async function settle(
  { database: { pool } }: Opened,
  late_ms: () => number,
  { settings, signal, on_problem }: Pick<ServiceTradingOptions, 'settings' | 'signal' | 'on_problem'>,
): Promise<void> {
  const client = connectEngine({ pool, security: engineSecurity(settings) })
  const pauses = latePauses(settings.warehouse)
  const isPaused = () => pauses.isPaused(SCHEDULE_IDS.settle)
  try {
    await runSettlement(settlementPorts({ pool, client }, on_problem, signal), { late_ms, isPaused })
  } finally {
    await pauses.close()
    await client.close()
  }
}

/** Carries out deposits and withdrawals of the sandbox until the signal is aborted. */
async function carryOut(
  { database: { pool } }: Opened,
  { settings, signal, on_problem }: Pick<ServiceTradingOptions, 'settings' | 'signal' | 'on_problem'>,
): Promise<void> {
  const client = connectEngine({ pool, security: engineSecurity(settings) })
  const { home, environment } = settings
  try {
    const ports = { client, reads: operatorReads(pool), home, environment, note: () => undefined }
    await runSandboxRail(ports, signal, on_problem)
  } finally {
    await client.close()
  }
}

async function openOwnSandbox(
  { settings, sandbox_accounts, note }: ServiceTradingOptions,
  { database }: Opened,
): Promise<OpenedSandbox | null> {
  const sealing = await openKeyEncryptionKey(settings, { pool: database.pool, note })
  if (sandbox_accounts === 0) return null
  const client = connectEngine({ pool: database.pool, security: engineSecurity(settings) })
  try {
    const { home, environment } = settings
    return await openSandbox(
      { client, reads: operatorReads(database.pool), sealing, home, environment, note: () => undefined },
      sandbox_accounts,
    )
  } finally {
    await client.close()
  }
}
