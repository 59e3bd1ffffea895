import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { type ServeAccountsOptions, serveAccounts } from '../../../test/support/trading/served-accounts.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { histories, type ModelCommand, type ModelSteps, type Performer, RULES, type RunRules } from './commands.ts'
import { ModelRun } from './model-run.ts'
import { type ModelService, openModelWorld } from './model-world.ts'

export type ModelOptions = {
  readonly seed: number
  /** Commands that are carried out at least. */
  readonly commands: number
  /** A counterexample that was found: it alone is run; null: histories as they come. */
  readonly counterexample?: Counterexample | null
  /** Histories at once. */
  readonly at_once?: number
  /** Commands of a history at most. */
  readonly history_max?: number
  /** Longest time to shrink a history that differs. */
  readonly shrinking_ms?: number
  readonly serving?: ServeAccountsOptions
}

/** Location of a history within a seed: two paths of fast-check's. */
type Counterexample = { readonly path: string; readonly replay: string }

/** The shortest history found whose answers are not the model's. `npm run rel:model -- --seed S --path P --replay R` repeats it. */
export type ModelViolation = Counterexample & {
  readonly seed: number
  readonly difference: string
  readonly rules: RunRules
  readonly commands: readonly ModelCommand[]
}

export type ModelReport = {
  readonly lane: 'rel:model'
  readonly seed: number
  readonly histories: number
  readonly commands: number
  readonly orders: number
  readonly rejected: number
  readonly fills: number
  readonly looked_back: number
  readonly violations: readonly (ModelViolation | string)[]
}

type Tally = {
  histories: number
  commands: number
  orders: number
  rejected: number
  fills: number
  looked_back: number
}

/** Histories of one seed. */
const HISTORIES = 2
const AT_ONCE = 6
const HISTORY_MAX = 60
const SHRINKING_MS = 120_000

/**
 * Random histories through the API, with real signatures over a real database, and through the slow core of `rel:sim`: both must refuse
 * the same, and what accounts are shown of orders, fills, positions and balances, now and as of earlier instants, must be what the model
 * says. A history that differs is shrunk to the few commands that it takes.
 */
export async function runModel(pool: Pool, options: ModelOptions): Promise<ModelReport> {
  const { seed, commands, counterexample = null, at_once = AT_ONCE, serving } = options
  const served = await serveAccounts(pool, serving)
  const agent = new Agent({ keepAlive: true })
  const tally: Tally = { histories: 0, commands: 0, orders: 0, rejected: 0, fills: 0, looked_back: 0 }
  const violations: (ModelViolation | string)[] = []
  try {
    await served.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = served.app.server.address() as AddressInfo
    const service = { served, agent, base_url: `http://127.0.0.1:${port}` }
    const check = async (of_seed: number) => {
      const found = await violationOf(service, of_seed, options, tally)
      if (found !== null) violations.push(found)
    }
    let seeds = 0
    const worker = async () => {
      while (tally.commands < commands && violations.length === 0) {
        seeds += 1
        await check(seed + seeds - 1)
      }
    }
    if (counterexample !== null) await check(seed)
    else await Promise.all(Array.from({ length: at_once }, worker))
    const broken = (await auditTrading(pool)).filter((one) => one.violations.length > 0)
    violations.push(...broken.map((one) => `${one.invariant_id}: ${JSON.stringify(one.violations[0])}`))
    return { lane: 'rel:model', seed, ...tally, violations }
  } finally {
    agent.destroy()
    await served.close()
  }
}

/** The histories of one seed, until one differs; it is shrunk then. */
async function violationOf(
  service: ModelService,
  seed: number,
  { counterexample: known = null, history_max = HISTORY_MAX, shrinking_ms = SHRINKING_MS }: ModelOptions,
  tally: Tally,
): Promise<ModelViolation | null> {
  /** Commands performed by the last differing history; after shrinking, the shortest one. */
  let failed: readonly ModelCommand[] = []
  const property = fc.asyncProperty(RULES, histories(history_max, known?.replay ?? null), async (rules, steps) => {
    const done: ModelCommand[] = []
    try {
      await runHistory(service, rules, steps, done, tally)
    } catch (error) {
      failed = done
      throw error
    } finally {
      tally.commands += done.length
    }
  })
  const found = await fc.check(property, {
    seed,
    numRuns: HISTORIES,
    ...(known !== null && { path: known.path, endOnFailure: true }),
    interruptAfterTimeLimit: shrinking_ms,
  })
  const { counterexample, counterexamplePath, errorInstance } = found
  if (counterexample === null) return null
  const [rules, steps] = counterexample
  const replay = /replayPath="([^"]*)"/.exec(String(steps))?.[1] ?? ''
  const difference = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return { seed, path: counterexamplePath ?? '', replay, difference, rules, commands: failed }
}

/**
 * Each history has a market and accounts of its own, so that it goes the same way whatever was before it.
 * @param done takes every command that is begun
 */
async function runHistory(
  service: ModelService,
  rules: RunRules,
  steps: ModelSteps,
  done: ModelCommand[],
  tally: Tally,
): Promise<void> {
  const world = await openModelWorld(service, `m${randomBytes(8).toString('hex')}`, rules)
  const run = new ModelRun(service, world, rules)
  const real: Performer = {
    do: (command) => {
      done.push(command)
      return run.do(command)
    },
  }
  await fc.asyncModelRun(() => ({ model: run, real }), steps)
  await run.compare()
  tally.histories += 1
  const { orders, rejected, fills, looked_back } = run.counts
  tally.orders += orders
  tally.rejected += rejected
  tally.fills += fills
  tally.looked_back += looked_back
}
