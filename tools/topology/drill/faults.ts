import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../simulator/world/random.ts'
import type { Relay } from '../relay.ts'
import type { Running, Service, Topology } from '../start-topology.ts'
import { type FaultyStore, STORE_FAULTS } from '../store-faults.ts'

/** A fault: it begins, lasts, and is healed when `run` returns. */
export type Fault = { readonly name: string; readonly run: () => Promise<void> }

/** Parts of a topology that a drill breaks. */
export type Broken = {
  readonly topology: Topology
  readonly store: FaultyStore
  /** Relays by `process service`. */
  readonly relays: ReadonlyMap<string, Relay>
  readonly random: Random
}

/** Longer than the lease of the engine, 3 s, and than what callers wait for an answer of a store that is silent. */
const PAUSE_MS = 6_000
const CUT_MS = 8_000
const STORE_MS = 10_000
/** Share of requests to the store that a fault meets, of a million. */
const SHARE = 200_000
/** Time for which nginx sends nothing to a replica that it could not reach: fail_timeout of its file, and some more. */
const AWAY_MS = 6_000

/** Returns the list of faults, each once. */
export function faultsOf(broken: Broken): Fault[] {
  const { topology, relays } = broken
  const named = [...topology.processes.values()]
  const kills = named.map((process) => ({ name: `kill -9 ${process.name}`, run: () => killed(process) }))
  const pauses = named.map((process) => ({ name: `pause ${process.name}`, run: () => paused(process) }))
  const used = [...relays].filter(([name]) => isUsed(topology, name.split(' ') as [string, Service]))
  const cuts = used.map(([name, relay]) => ({
    name: `cut ${name.replace(' ', ' from ')}`,
    run: () => cut(relay),
  }))
  const answers = STORE_FAULTS.map((fault) => ({ name: `store answers ${fault}`, run: () => spoiled(broken, fault) }))
  const servers = [
    { name: 'kill -9 a session of postgres', run: async () => signal(backendOf(topology.postgres_pid), 'SIGKILL') },
    { name: 'kill -9 temporal', run: async () => signal(temporalOf(topology), 'SIGKILL') },
    { name: 'pause temporal', run: () => stopped(temporalOf(topology)) },
    { name: 'restart the replicas one after the other', run: () => rollingRestart(topology) },
  ]
  return [...kills, ...pauses, ...cuts, ...answers, ...servers]
}

/** Services of each kind of process. */
const USED: Readonly<Record<string, readonly Service[]>> = {
  engine: ['postgres'],
  api: ['postgres', 'store'],
  worker: ['postgres', 'temporal', 'store'],
  log: ['store'],
}

function isUsed({ processes }: Topology, [process, service]: readonly [string, Service]): boolean {
  return USED[processes.get(process)!.argv[0]!]!.includes(service)
}

async function killed(process: Running): Promise<void> {
  await restarted(process, 'SIGKILL')
}

/** Sends a signal that ends a process, and waits until another one runs in its place and answers. */
async function restarted(process: Running, name: NodeJS.Signals): Promise<void> {
  const before = process.pid()
  process.signal(name)
  while (process.pid() === null || process.pid() === before) await sleep(50)
  await process.answers()
}

async function paused(process: Running): Promise<void> {
  process.signal('SIGSTOP')
  await sleep(PAUSE_MS)
  process.signal('SIGCONT')
  await process.answers()
}

async function stopped(pid: number): Promise<void> {
  signal(pid, 'SIGSTOP')
  await sleep(PAUSE_MS)
  signal(pid, 'SIGCONT')
}

async function cut(relay: Relay): Promise<void> {
  relay.cut()
  await sleep(CUT_MS)
  relay.heal()
}

async function spoiled({ store, random }: Broken, fault: (typeof STORE_FAULTS)[number]): Promise<void> {
  store.fault = () => (random.chance(SHARE) ? fault : null)
  await sleep(STORE_MS)
  store.fault = () => null
}

async function rollingRestart({ processes }: Topology): Promise<void> {
  for (const name of ['api-1', 'api-2']) {
    await restarted(processes.get(name)!, 'SIGTERM')
    await sleep(AWAY_MS)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it ended meanwhile
  }
}

/** A process of a client's session: when it is killed, Postgres ends all sessions and recovers. */
function backendOf(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  const sessions = children.filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: tidemark'),
  )
  return sessions[0]!
}

function temporalOf({ temporal_folder }: Topology): number {
  return Number(readFileSync(join(temporal_folder, 'server.pid'), 'utf8'))
}

/** Yields the faults in a seeded order, all of them before one comes again. */
export function* inSeededOrder(faults: readonly Fault[], random: Random): Generator<Fault> {
  for (;;) {
    const left = [...faults]
    while (left.length > 0) yield left.splice(random.below(left.length), 1)[0]!
  }
}
