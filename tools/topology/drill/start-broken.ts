import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { startOfServedWorld } from '../../../service/serve-simulator.ts'
import { tidemark } from '../programs.ts'
import { type Relay, startRelay } from '../relay.ts'
import { startTopology, type Topology, type TopologyOptions } from '../start-topology.ts'
import { type FaultyStore, startFaultyStore } from '../store-faults.ts'
import type { DrillOptions } from './run-drill.ts'

/** A topology in which every link of a process to a service can be cut, and answers of the store be spoiled. */
export type BrokenTopology = Pick<DrillOptions, 'topology' | 'store' | 'relays' | 'backfill'> & {
  stop(): Promise<void>
}

const MICROS_PER_HOUR = 3_600_000_000
const BACKFILL_HOURS = 2

/** Starts simulated venues, and the topology with relays and a proxy of its store. */
export async function startBroken(options: Omit<TopologyOptions, 'venues' | 'via'>): Promise<BrokenTopology> {
  const relays = new Map<string, Relay>()
  const host = `127.${options.number}.0.9`
  const venues = await simulate()
  let store: FaultyStore | null = null
  let topology: Topology | null = null
  const stop = async () => {
    await topology?.stop()
    for (const relay of relays.values()) await relay.close()
    await store?.close()
    venues.child.kill('SIGTERM')
    await venues.ended
  }
  try {
    topology = await startTopology({
      ...options,
      venues: venues.variables,
      via: async (process, service, place) => {
        if (service === 'store' && 'port' in place) store ??= await startFaultyStore(host, place)
        const relay = await startRelay(host, service === 'store' ? placeOf(store!.address) : place)
        relays.set(`${process} ${service}`, relay)
        return relay.address
      },
    })
    return { topology, store: store!, relays, backfill: venues.backfill, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function placeOf(address: string) {
  const [host, port] = address.split(':') as [string, string]
  return { host, port: Number(port) }
}

type Simulated = {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  readonly variables: Readonly<Record<string, string>>
  /** Arguments of a backfill of hours of its past. */
  readonly backfill: readonly string[]
}

/** Starts `tidemark simulate` for all venues. */
async function simulate(): Promise<Simulated> {
  const world = ['--venue', 'all', '--days', '3', '--markets', '6', '--seed', 'drill', '--interval', 'PT1M']
  const { file, argv, environment } = tidemark({ argv: ['simulate', ...world, '--serve', '--json'], environment: {} })
  const child = spawn(file, argv, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  const { venues } = JSON.parse(line) as { venues: { venue_id: string; variable: string; base_url: string }[] }
  const variables = Object.fromEntries(venues.map(({ variable, base_url }) => [variable, base_url]))
  const from = startOfServedWorld(wallClock())
  const to = from + BACKFILL_HOURS * MICROS_PER_HOUR
  const range = ['--from', formatMicros(from), '--to', formatMicros(to)]
  return { child, ended, variables, backfill: ['--venue', 'kalshi', ...range] }
}
