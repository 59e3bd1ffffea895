import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestKey } from '../../../client/trading/credentials.ts'
import { createRandom } from '../../../simulator/world/random.ts'
import { answerOf } from '../keep-process.ts'
import { HOST, type Proxied } from '../proxied.ts'
import type { Relay } from '../relay.ts'
import type { Topology } from '../start-topology.ts'
import type { FaultyStore } from '../store-faults.ts'
import { type Check, checkByCommands, checkLevels, checkOrders, checkStreams, command } from './checks.ts'
import { type Fault, faultsOf, inSeededOrder } from './faults.ts'
import { listen } from './listen.ts'
import { type QuotedMarket, startLoad } from './load.ts'

export type DrillOptions = {
  readonly topology: Topology
  readonly store: FaultyStore
  readonly relays: ReadonlyMap<string, Relay>
  readonly seed: number
  readonly minutes: number
  /** Arguments of the backfill that runs while faults follow each other. */
  readonly backfill: readonly string[]
  readonly on_note: (text: string) => void
}

/** A fault with the longest time between two successes, by kind of request, in milliseconds. */
type SeenFault = {
  readonly name: string
  readonly took_ms: number
  readonly gaps_ms: Readonly<Record<string, number>>
}

export type DrillReport = {
  readonly seed: number
  readonly faults: readonly SeenFault[]
  readonly requests: Readonly<Record<string, { ok: number; failed: number }>>
  readonly orders: { readonly acknowledged: number; readonly unknown: number }
  readonly messages: number
  readonly checks: readonly Check[]
}

/** Time after a fault in which the callers find everything working again. */
const CALM_MS = 3_000
/** Longest time after a fault until a write, a read and an own read succeed. */
const HEALED_MS = 240_000
const QUOTED: readonly QuotedMarket[] = ['carrow', 'harbor', 'rate', 'tunnel'].map((name) => ({
  market_id: `mkt_sandbox_${name}`,
  outcomes: [`out_sandbox_${name}_yes`, `out_sandbox_${name}_no`],
}))

/** Breaks a topology under load, one seeded fault after the other, and checks what callers and listeners were told. */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const { topology, seed, minutes, on_note } = options
  const ca = readFileSync(topology.proxy_certificate)
  const proxy: Proxied = {
    proxy_url: topology.proxy_url,
    ca,
    agent: new Agent({ ca, servername: HOST, keepAlive: true }),
  }
  const random = createRandom(seed, 'drill')
  const key = requestKey(topology.accounts[0]!)
  const listeners = listen(proxy, key, QUOTED[0]!)
  const load = startLoad({ proxy, accounts: topology.accounts, markets: QUOTED, random: createRandom(seed, 'load') })
  const backfill = command(topology, ['backfill', ...options.backfill])
  const faults: SeenFault[] = []
  const end = performance.now() + 60_000 * minutes
  try {
    await healed(load.probes)
    for (const fault of inSeededOrder(faultsOf({ ...options, random }), random)) {
      if (performance.now() > end) break
      const seen = await breakOnce(fault, load.probes)
      faults.push(seen)
      on_note(`${seen.name}: ${(seen.took_ms / 1000).toFixed(1)} s; longest gap ${gapsText(seen)}`)
    }
    on_note('waiting for the backfill')
    const { exit_code, stdout, stderr } = await backfill
    const filled: Check = { name: 'backfill', found: exit_code === 0 ? [] : [`exit ${exit_code}`, stdout, stderr] }
    await load.stop()
    await sleep(CALM_MS)
    const own = [...load.told.acknowledged].filter(([name]) =>
      name.includes(topology.accounts[0]!.account_id.slice(-6)),
    )
    const checks = [
      await checkOrders(topology, load.told),
      checkStreams(
        listeners,
        own.map(([, { order_id }]) => order_id),
      ),
      await checkLevels(topology, listeners),
      filled,
      ...(await checkByCommands(topology)),
    ]
    return {
      seed,
      faults,
      requests: Object.fromEntries(load.probes.map((probe) => [probe.name, probe.counts()])),
      orders: { acknowledged: load.told.acknowledged.size, unknown: load.told.unknown.size },
      messages: listeners.all.reduce((sum, { told }) => sum + told.length, 0),
      checks,
    }
  } finally {
    await load.stop()
    for (const { close } of listeners.all) close()
    proxy.agent.destroy()
  }

  async function breakOnce(fault: Fault, probes: typeof load.probes): Promise<SeenFault> {
    const from = performance.now()
    await fault.run()
    const names = [...topology.processes.values()].flatMap(({ health_url }) => health_url ?? [])
    await Promise.all(names.map(answerOf))
    await healed(probes)
    const took_ms = Math.round(performance.now() - from)
    await sleep(CALM_MS)
    const gaps_ms = Object.fromEntries(probes.map((probe) => [probe.name, probe.gapIn(from, performance.now())]))
    return { name: fault.name, took_ms, gaps_ms }
  }
}

/** Waits until each kind of request has succeeded since now. */
async function healed(
  probes: readonly { readonly name: string; succeededSince(at: number): boolean }[],
): Promise<void> {
  const from = performance.now()
  while (!probes.every((probe) => probe.succeededSince(from))) {
    const late = probes.filter((probe) => !probe.succeededSince(from)).map(({ name }) => name)
    if (performance.now() - from > HEALED_MS)
      throw new Error(`no ${late.join(', ')} succeeds, ${HEALED_MS} ms after a fault`)
    await sleep(50)
  }
}

/** Returns the gaps of a fault as a text. */
function gapsText({ gaps_ms }: Pick<SeenFault, 'gaps_ms'>): string {
  return Object.entries(gaps_ms)
    .map(([name, ms]) => `${name} ${ms} ms`)
    .join(', ')
}
