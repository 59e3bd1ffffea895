import { mkdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeLoadWorld } from '../../../bench/load/load-world.ts'
import { createLoadSigner } from '../../../bench/load/sign-orders.ts'
import { createRandom } from '../../../simulator/world/random.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { endedWith } from '../ended-with.ts'
import { copyDatabase, type DatabaseCopy } from './database-copy.ts'
import { Gate } from './gate.ts'
import { type Journal, type JournalEntry, openJournal, readJournals } from './journal.ts'
import { KillTargets } from './kill-targets.ts'
import { type Kill, planKills } from './plan-kills.ts'
import { type Tally, Trader } from './trader.ts'

export type ChapterOptions = {
  readonly seed: number
  readonly chapter: number
  readonly kills: number
  /** Kills to perform; by default the seed decides. */
  readonly plan?: readonly Kill[]
  readonly clients: number
  /** Acknowledged writes between two kills, on average. */
  readonly acknowledged: number
  /** Empty: everything of the chapter is below it. */
  readonly home: string
  readonly postgres?: Readonly<Record<string, string>>
}

/** One database from its first order to its last. */
export type Chapter = {
  readonly kills: readonly Kill[]
  readonly tally: Tally
  /** Recovery time after each kill: until the answer to the first request sent after it. */
  readonly recoveries_ms: readonly number[]
  /** Invariants of the books that did not hold after a kill. */
  readonly broken: readonly string[]
  readonly audits: number
  readonly entries: readonly JournalEntry[]
  readonly copy: DatabaseCopy
}

const LOOK_MS = 10
const READY_MS = 60_000

/** Processes, clients and kills over one fresh database; ends early where an invariant is broken or nobody answers any more. */
export async function runChapter(options: ChapterOptions): Promise<Chapter> {
  const { seed, chapter, home, kills, acknowledged } = options
  const plan = options.plan ?? planKills(createRandom(seed, chapter, 'kills'), kills, acknowledged)
  const starting = KillTargets.start(home, options.postgres ?? {})
  const close = () => starting.then((targets) => targets.close())
  return await endedWith(close, async () => {
    const targets = await starting
    const traders = await startTraders(targets, options)
    const done = await killAll(targets, traders, plan).finally(traders.stop)
    if (done.broken.length === 0) done.broken.push(...(await audited(targets.pool)))
    return {
      ...done,
      audits: done.kills.length + 1,
      tally: traders.tally,
      entries: readJournals(traders.folder),
      copy: await copyDatabase(targets.pool),
    }
  })
}

type Traders = {
  readonly tally: Tally
  readonly all: readonly Trader[]
  /** Folder of their journals. */
  readonly folder: string
  readonly gate: Gate
  /** Resolves once each has the answer to what it sent. */
  readonly stop: () => Promise<void>
}

async function startTraders(targets: KillTargets, { seed, chapter, clients, home }: ChapterOptions): Promise<Traders> {
  const engine = connectEngine({ pool: targets.pool })
  const world = await makeLoadWorld(engine, targets.sealing, clients).finally(() => engine.close())
  const folder = join(home, 'journals')
  mkdirSync(folder)
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const [stopping, gate] = [new AbortController(), new Gate()]
  const [sign, tally] = [await createLoadSigner(world), newTally()]
  const { markets } = world
  const shared = { agent, base_url: targets.base_url, markets, sign, tally, signal: stopping.signal, gate }
  const journals: Journal[] = []
  const all = world.accounts.map((account, place) => {
    const journal = openJournal(folder, account.account_id)
    journals.push(journal)
    return new Trader({ ...shared, account, place, journal, random: createRandom(seed, chapter, 'client', place) })
  })
  const running = Promise.all(all.map((trader) => trader.run()))
  running.catch((error: unknown) => tally.faults.push(`a client ended: ${error}`))
  const stop = async () => {
    stopping.abort()
    await Promise.race([running.catch(() => undefined), sleep(READY_MS, undefined, { ref: false })])
    agent.destroy()
    for (const journal of journals) journal.close()
  }
  return { tally, all, folder, gate, stop }
}

async function killAll(targets: KillTargets, traders: Traders, plan: readonly Kill[]) {
  const done = { kills: [] as Kill[], recoveries_ms: [] as number[], broken: [] as string[] }
  const { tally, all, gate } = traders
  await isAcknowledged(tally, performance.now())
  for (const kill of plan) {
    await comesTo(tally, tally.acknowledged + kill.after_acknowledged)
    const killed_at = performance.now()
    done.kills.push(kill)
    const failed = await carryOut(targets, kill).catch((error: unknown) => `${kill.target}: ${error}`)
    if (failed !== undefined) {
      done.broken.push(failed)
      return done
    }
    if (!(await isAcknowledged(tally, killed_at))) {
      done.broken.push(`READY after ${kill.target}: no answer in ${READY_MS} ms`)
      return done
    }
    done.recoveries_ms.push(Math.round(performance.now() - killed_at))
    for (const trader of all) trader.repeatLast()
    await targets.fill()
    // An audit reads every row. Clients wait, or the database grows faster than the next audit can follow.
    const broken = await gate.closedFor(() => audited(targets.pool))
    done.broken.push(...broken, ...tally.faults)
    if (done.broken.length > 0) return done
  }
  return done
}

function carryOut(targets: KillTargets, kill: Kill): Promise<void> {
  switch (kill.target) {
    case 'api':
      return targets.killApi()
    case 'postgres':
      return targets.killPostgres()
    case 'leader':
      return targets.killLeader()
    case 'standby':
      return targets.killStandby()
    case 'engines':
      return targets.killEngines().then(() => targets.fill())
    case 'pause':
      return targets.pauseLeader(kill.for_ms)
    case 'killpoint':
      return targets.dieAt(kill.killpoint).then(() => targets.fill())
  }
}

/** Whether a request that was sent after an instant was answered in time. */
async function isAcknowledged(tally: Tally, since: number): Promise<boolean> {
  const until = performance.now() + READY_MS
  while (tally.sent_at < since && performance.now() < until) await sleep(LOOK_MS)
  return tally.sent_at >= since
}

async function comesTo(tally: Tally, acknowledged: number): Promise<void> {
  const until = performance.now() + READY_MS
  while (tally.acknowledged < acknowledged && performance.now() < until) await sleep(LOOK_MS)
}

/** Invariants that do not hold, each with its first violation. */
async function audited(pool: Pool): Promise<string[]> {
  const found = (await auditTrading(pool)).filter(({ violations }) => violations.length > 0)
  return found.map(({ invariant_id, violations }) => `${invariant_id}: ${JSON.stringify(violations[0])}`)
}

function newTally(): Tally {
  return {
    acknowledged: 0,
    placed: 0,
    canceled: 0,
    amended: 0,
    quoted: 0,
    protected: 0,
    switched: 0,
    unknown: 0,
    repeated: 0,
    sent_at: 0,
    refused: {},
    faults: [],
  }
}
