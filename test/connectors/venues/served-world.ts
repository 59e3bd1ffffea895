import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import { createKalshiConnector } from '../../../connectors/venues/kalshi/kalshi-connector.ts'
import { createManifoldConnector } from '../../../connectors/venues/manifold/manifold-connector.ts'
import { createPolymarketConnector } from '../../../connectors/venues/polymarket/polymarket-connector.ts'
import type { ConnectorOptions, ReadPart, VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import type { VenueStream } from '../../../connectors/ws/venue-stream.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { RECORDER } from '../../../simulator/files/record-venue.ts'
import type { Faults } from '../../../simulator/server/faults.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../simulator/server/simulated-clock.ts'
import { type SimulatorServer, startSimulatorServer } from '../../../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue } from '../../../simulator/simulated-venue.ts'
import type { VenueId, WorldOptions } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import type { World } from '../../../simulator/world/timeline.ts'
import { MINUTE, SECOND } from '../../simulator/support/small-world.ts'

const HOUR = 60 * MINUTE
/** The longest that one answer may take, in real time. */
export const ANSWER_MS = 1_000

/** A connector whose only difference to a real one is where the venue is. */
export function connectorOf(venue_id: VenueId, server: SimulatorServer, options: ConnectorOptions): VenueConnector {
  const { base_url, stream_url } = server
  switch (venue_id) {
    case 'polymarket':
      return createPolymarketConnector(options, { gamma: base_url, clob: base_url, data: base_url, stream: stream_url })
    case 'kalshi':
      return createKalshiConnector(options, { rest: `${base_url}/trade-api/v2`, stream: stream_url })
    case 'manifold':
      return createManifoldConnector(options, { rest: base_url, stream: stream_url })
  }
}

type Reading = {
  readonly every: Micros
  readonly first: Micros
  readonly parts: readonly ReadPart[]
  /** Time span that the parts reach back. */
  readonly back: Micros
}

/** When each part is read: as often as the recorder of the files asks. */
function readingsOf(venue_id: VenueId, { interval }: WorldOptions): readonly Reading[] {
  const history = { every: 6 * HOUR, first: HOUR + MINUTE, parts: ['history'], back: 8 * HOUR } as const
  switch (venue_id) {
    case 'polymarket':
      return [
        { every: 24 * HOUR, first: 0, parts: ['catalogue'], back: 0 },
        { every: HOUR, first: SECOND, parts: ['markets', 'trades'], back: 2 * HOUR },
        { every: HOUR, first: 2 * SECOND, parts: ['resolutions'], back: HOUR },
        history,
      ]
    case 'kalshi':
      return [
        { every: 24 * HOUR, first: 0, parts: ['catalogue'], back: 0 },
        { every: HOUR, first: HOUR + SECOND, parts: ['markets', 'trades'], back: (3 * HOUR) / 2 },
        history,
      ]
    case 'manifold':
      return [
        { every: HOUR, first: 0, parts: ['catalogue'], back: 0 },
        { every: HOUR, first: HOUR + SECOND, parts: ['trades'], back: (3 * HOUR) / 2 },
        { every: interval, first: 5 * SECOND, parts: ['markets'], back: 0 },
      ]
  }
}

export type Served = {
  readonly world_options: WorldOptions
  readonly faults: Faults
  readonly log: ServedLog
  readonly page_max: number
}

/** Counters of a run beside its payloads. */
export type ServedLog = { failed_reads: number; connections: number }

/**
 * Everything that a connector gets of a served world from its begin to its end. The clock is moved from one thing that
 * happens to the next; after each, what was sent has arrived.
 */
export async function* servedWorld(
  venue_id: VenueId,
  { world_options, faults, log, page_max }: Served,
): AsyncGenerator<PayloadItem> {
  const venue = createSimulatedVenue(planWorld(world_options), venue_id)
  const { world } = venue
  const clock = createSimulatedClock(world_options.start)
  const server = await startSimulatorServer({ venue, clock, faults, limits: [] })
  const gate = createGate()
  const connector = connectorOf(venue_id, server, {
    now: () => clock.now(),
    limits: [],
    page_max,
    http: {
      attempts_max: 4,
      backoff_first_ms: 1,
      backoff_max_ms: 5,
      answer_ms: ANSWER_MS,
      breaker_failures: 1_000_000,
    },
    stream_sleep: gate.wait,
    // Files have no answered pings: at the machine's clock none shall be due.
    stream: { heartbeat_ms: 24 * 3_600_000 },
  })
  try {
    const readings = readingsOf(venue_id, world_options).map((reading) => {
      return { at: world_options.start + reading.first, reading }
    })
    const stream = createListener(connector, world, gate, log)
    for (let at = world.nextAt(); at !== null; at = world.nextAt()) {
      for (let due = firstOf(readings); due.at <= at; due = firstOf(readings)) {
        clock.advanceTo(due.at)
        yield* readParts(connector, due.reading, clock, log)
        due.at += due.reading.every
      }
      clock.advanceTo(at)
      yield* await stream.arrivedAt(at)
    }
  } finally {
    await connector.close()
    await server.close()
  }
}

function firstOf<T extends { readonly at: Micros }>(readings: readonly T[]): T {
  return readings.reduce((a, b) => (b.at < a.at ? b : a))
}

/** An outage ends the read, as it ends the recorder's. */
async function* readParts(connector: VenueConnector, { parts, back }: Reading, clock: SimulatedClock, log: ServedLog) {
  for (const part of parts) {
    try {
      yield* connector.read(part, { from: clock.now() - back, to: null })
    } catch (error) {
      if (!isServiceError(error, 'VENUE_UNAVAILABLE')) throw error
      log.failed_reads += 1
    }
  }
}

/** Listens when the recorder does: it connects some time after the begin and after an outage. */
function createListener(connector: VenueConnector, world: World, gate: Gate, log: ServedLog) {
  let streams: readonly VenueStream[] = []
  let connects_at = world.plan.options.start + RECORDER.connects_after
  let connected = false
  return {
    async arrivedAt(at: Micros): Promise<PayloadItem[]> {
      if (world.isDown(at)) {
        connected = false
        connects_at = at + RECORDER.connects_after
        await until(() => streams.every(({ state }) => state === 'waiting'))
        return []
      }
      if (!connected && at < connects_at) return []
      if (!connected) {
        connected = true
        if (streams.length === 0) streams = connector.openStreams()
        else gate.open()
        await until(() => streams.every(({ state }) => state === 'open'))
        log.connections += streams.length
      }
      const confirmed = await Promise.all(streams.map((stream) => stream.confirm()))
      if (confirmed.includes(false)) throw new Error(`the stream ended at ${at}`)
      return streams.flatMap((stream) => stream.take())
    },
  }
}

/** Holds reconnections back until it is opened. */
type Gate = { wait(wait_ms: number, signal: AbortSignal): Promise<void>; open(): void }

function createGate(): Gate {
  let waiting: (() => void)[] = []
  return {
    wait: (_wait_ms, signal) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      }),
    open() {
      for (const resolve of waiting) resolve()
      waiting = []
    },
  }
}

/** Waits for something that happens in this process. */
export async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 1))
}
