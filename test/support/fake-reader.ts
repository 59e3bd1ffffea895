import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Catalog, Reader, ReaderStatus } from '../../warehouse/reader/reader.ts'

/** Gauges of a server without streams. */
export const NO_STREAMS = {
  ...{ connections: 0, subscriptions: 0, buffered_bytes: 0, failures: 0 },
  ...{ refused: {}, ended: {}, dropped: 0 },
}

export const READY: ReaderStatus = { phase: 'ready', stale_since: null, reason: null, unread: [], versions: {} }

/** Nobody has rated or assessed anything. */
export const NO_ASSESSMENTS: Reader['assessments'] = {
  current: () => ({ placed: null, waits: false, last_published_at: null }),
  allCurrent: () => [],
  inForce: async () => ({ row: null, waits: false, exists: false }),
  records: async () => [],
  record: async () => null,
  isAssessed: () => false,
}

/** Reader functions that a test defines; the rest answers like an empty warehouse. */
export type FakeReader = {
  readonly now?: () => Micros
  readonly status?: () => ReaderStatus
  readonly catalog?: Partial<Catalog>
  /** Called after `read` of `asOf`. */
  readonly seal?: (as_of: Micros) => void
  readonly operations?: Reader['operations']
}

/** A reader of an empty warehouse, for tests of what stands around the routes. Its clock refuses an as_of of the future. */
export function fakeReader(wanted: FakeReader = {}): Reader {
  const now = wanted.now ?? wallClock
  const nothing = async (): Promise<never[]> => []
  const none = async (): Promise<null> => null
  return {
    forCaller() {
      return this
    },
    status: wanted.status ?? (() => READY),
    historyReads: () => ({
      waiting: 0,
      waiting_of_busiest_caller: 0,
      running: 0,
      refused: { caller: 0, queue: 0, wait: 0, time: 0, limit: 0 },
    }),
    now: async () => now(),
    instant: () => null,
    async asOf(as_of, read) {
      refuseFuture(as_of, now())
      const answer = await read(this)
      wanted.seal?.(as_of)
      return answer
    },
    horizon: () => now(),
    catalog: (as_of) => ({ ...emptyCatalog(as_of ?? now()), ...wanted.catalog }),
    indexAsOf: () => null,
    simulatedVenues: () => new Set(),
    catalogOf: async ({ at }) => ({ ...emptyCatalog(at), ...wanted.catalog }),
    latest: {
      observation: () => null,
      quotes: () => [],
      lastTrades: () => [],
      marks: () => [],
      book: () => null,
      severityValue: () => null,
    },
    history: {
      observations: nothing,
      sampledObservations: nothing,
      observation: none,
      wholeObservations: nothing,
      quotesById: nothing,
      observationsAtTicks: nothing,
      latestObservation: none,
      received: none,
      payloads: nothing,
      latestObservations: nothing,
      levelLines: nothing,
      indexCandles: nothing,
      marketObservations: nothing,
      sampledMarketObservations: nothing,
      marketObservation: none,
      marketCandles: nothing,
      trade: none,
      quotes: nothing,
      lastTrades: nothing,
      marks: nothing,
      book: none,
      bookAt: none,
      trades: nothing,
      severityValues: nothing,
      severityValue: none,
      severityValueById: none,
      refusals: nothing,
      refusal: none,
    },
    operations: wanted.operations ?? { ingest: nothing, scheduleActs: nothing, backfills: nothing },
    assessments: NO_ASSESSMENTS,
    feed: {
      subscribe: () => () => undefined,
      recent: () => [],
      epoch: () => 'epoch',
      head: () => 0,
      last: () => null,
      onStatus: () => () => undefined,
    },
    close: async () => undefined,
  }
}

function refuseFuture(as_of: Micros, now: Micros): void {
  if (as_of <= now) return
  throw new ServiceError('VALIDATION_AS_OF_IN_FUTURE', `as_of lies ${as_of - now} microseconds in the future`, {
    field: 'as_of',
  })
}

function emptyCatalog(at: Micros): Catalog {
  return {
    state: { at, known: [] },
    indexes: () => [],
    index: () => null,
    versions: () => [],
    version: () => null,
    methodology: () => null,
    methodologies: () => [],
    allResolutions: () => [],
    assessmentMethodologies: () => [],
    events: () => [],
    event: () => null,
    markets: () => [],
    market: () => null,
    resolution: () => null,
    resolutions: () => [],
    resolutionHistory: () => [],
    assessmentMethodology: () => null,
    severityIndexes: () => [],
    severityIndex: () => null,
    severityIndexVersion: () => null,
    rosters: () => [],
    policies: () => [],
    proposals: () => [],
    proposal: () => null,
    governanceActs: () => [],
    notices: () => [],
    notice: () => null,
    complaints: () => [],
    complaint: () => null,
    marketRevisions: () => [],
    eligibilityPolicies: () => [],
    eligibilityDecision: () => null,
    restatements: () => [],
    restatement: () => null,
    proFormas: () => [],
  }
}
