import { createBetfairReader } from '../../../../pipelines/venues/betfair/betfair-reader.ts'
import type { ArchiveContent, VenuePayload, VenueRecords } from '../../../../pipelines/venues/record.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { NOW } from '../../../support/venue-payload.ts'

/** Hand-written messages of the stream, in the venue's wire format. */

export const START = toMicros('2026-03-01T12:00:00Z')

type Ladder = readonly (readonly [odds: unknown, size: unknown])[]
type RunnerChange = {
  readonly id: unknown
  readonly hc?: unknown
  readonly atb?: Ladder
  readonly atl?: Ladder
} & Record<string, unknown>

/** The payload of a line of the stream, `seconds` after START; received when it was published. */
export function line(seconds: number, body: unknown): VenuePayload {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const received_at = START + Math.round(seconds * 1e6)
  return { venue_id: 'betfair', endpoint: 'stream mcm', request: null, received_at, file: 'stream.jsonl', text }
}

/** A message about market `1.1`. */
export function change(seconds: number, market_change: object): VenuePayload {
  return line(seconds, {
    op: 'mcm',
    clk: 'AAA',
    pt: START / 1000 + seconds * 1000,
    mc: [{ id: '1.1', ...market_change }],
  })
}

/** A definition of a market with one winner; by default of three runners 11, 12, 13 that all run. */
export function definition(
  over: object = {},
  statuses: Record<string, string> = { 11: 'ACTIVE', 12: 'ACTIVE', 13: 'ACTIVE' },
) {
  const runners = Object.entries(statuses).map(([id, status], n) => ({ status, sortPriority: n + 1, id: Number(id) }))
  return {
    status: 'OPEN',
    inPlay: false,
    bettingType: 'ODDS',
    marketType: 'WIN',
    numberOfWinners: 1,
    complete: true,
    turnInPlayEnabled: false,
    marketTime: '2026-03-01T13:00:00.000Z',
    suspendTime: '2026-03-01T13:00:00.000Z',
    eventId: '900',
    version: 1,
    runners,
    ...over,
  }
}

/** Best back odds 2, 4 and 5 for the three runners: 1/2 + 1/4 + 1/5 = 0.95, an overround of -0.05. */
export const RUNNERS: readonly RunnerChange[] = [
  {
    id: 11,
    atb: [
      [2, 10],
      [1.5, 20],
    ],
    atl: [[2.1, 5]],
  },
  { id: 12, atb: [[4, 3]], atl: [[4.2, 5.5]] },
  { id: 13, atb: [[5, 1]], atl: [] },
]

/** An image of the market with its definition. */
export function image(seconds: number, over: object = {}): VenuePayload {
  return change(seconds, { img: true, marketDefinition: definition(), rc: RUNNERS, ...over })
}

/** Everything that one reader gives for the payloads, with what it holds back at the end. */
/** Records of every kind, without the outcomes of what was read. */
type AllRecords = Required<Omit<VenueRecords, 'outcomes' | 'changed' | 'zeros'>>

export function readAll(payloads: readonly VenuePayload[], now = NOW): AllRecords {
  const reader = createBetfairReader(now)
  return allOf([...payloads.map((payload) => reader.read(payload)), reader.finish()])
}

/** Records of several payloads as one. */
export function allOf(parts: readonly VenueRecords[]): AllRecords {
  const list = <K extends keyof AllRecords>(kind: K) =>
    parts.flatMap((part) => (part[kind] ?? []) as readonly unknown[]) as unknown as ArchiveContent[K]
  return {
    quotes: list('quotes'),
    trades: list('trades'),
    resolutions: list('resolutions'),
    references: list('references'),
    metrics: list('metrics'),
    books: list('books'),
    hazards: list('hazards'),
    quarantine: list('quarantine'),
  }
}
