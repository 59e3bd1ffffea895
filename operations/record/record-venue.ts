import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PayloadItem, UnreadablePayload } from '../../connectors/archives/payloads/payload-item.ts'
import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { VenuePayload } from '../../pipelines/venues/record.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { holdFile } from '../../warehouse/store/hold-file.ts'
import { diskFull, writeFault } from '../../warehouse/store/store-error.ts'
import { FEED_PLANS, type FeedPlan } from '../live/feed-plan.ts'
import { venueFeed } from '../live/venue-feed.ts'
import { GapWatch } from './gap-watch.ts'
import { RecordingFiles, type RecordingLimits } from './recording-files.ts'
import { type NotKept, openJournal } from './recording-journal.ts'
import { repairRecording } from './repair-recording.ts'

export type RecordOptions = {
  readonly venue_id: PayloadVenue
  /** Folder of the recording; a new one, or one to go on with. */
  readonly dir: string
  /** Ids of markets at the venue; null = all. */
  readonly markets: readonly string[] | null
  /** Opens a connection to the venue; the recording closes it. */
  readonly connect: () => VenueConnector
  readonly limits: RecordingLimits
  /** Ends the recording; what has arrived is written first. */
  readonly signal: AbortSignal
  /** The clock of receipt; that of this machine when left out. */
  readonly now?: () => Micros
  /** Parts to read; the venue's own plan when left out. */
  readonly plan?: FeedPlan
  /** Receives failures that are retried. */
  readonly on_problem?: (error: unknown) => void
}

export type RecordingReport = {
  readonly venue_id: PayloadVenue
  readonly dir: string
  /** Files, payloads and bytes of the whole recording, those of earlier runs included. */
  readonly files: number
  readonly payloads: number
  readonly bytes: number
  /** Payloads of this run, and the gaps that it noted. */
  readonly payloads_new: number
  readonly gaps: number
  readonly first_received_at: Instant | null
  readonly last_received_at: Instant | null
}

/** Length of a connection; a new one begins with a full read. */
const SESSION_MS = 24 * 3_600_000
/** Interval between two writes to disk, by which a killed recorder loses what it received last. */
export const FLUSH_MS = 1_000
/** Named markets have documents of their own, which show results and changes of rules. */
const DOCUMENTS_EVERY_MS = 11 * 60_000

/**
 * Records what a venue sends, through the feed that live ingest reads, until the signal is aborted. A recording that was ended or
 * killed goes on in the same folder. Failures of the venue end nothing: they are retried, and noted as gaps.
 * @throws {ServiceError} WAREHOUSE_BUSY if another process records there, WAREHOUSE_STORE_FULL, VALIDATION_USAGE_INVALID
 */
export async function recordVenue(options: RecordOptions): Promise<RecordingReport> {
  const { dir } = options
  makeFolder(dir)
  const held = await holdFile(join(dir, '.recording.lock'))
  if (!held.held) {
    throw new ServiceError(
      'WAREHOUSE_BUSY',
      `out is ${dir}, where process ${held.holder ?? 'of another user'} records; allowed: another folder, or end that process first`,
      { field: 'out', value: dir },
    )
  }
  try {
    return await record(options)
  } finally {
    held.release()
  }
}

async function record(options: RecordOptions): Promise<RecordingReport> {
  const { venue_id, dir, markets, limits, now = wallClock, on_problem } = options
  const journal = openJournal(dir, venue_id, now)
  const sealed = await repairRecording(dir, journal)
  const last = sealed.at(-1)?.last_received_at ?? null
  journal.write({ event: 'started', venue_id, markets })
  const files = new RecordingFiles({ dir, venue_id, journal }, limits, sealed)
  const gaps = new GapWatch(now, last === null ? null : toMicros(last), (gap) =>
    journal.write({ event: 'gap', ...gap }),
  )
  const failed = new AbortController()
  const beat = setInterval(() => {
    try {
      files.flush()
      gaps.check()
    } catch (error) {
      failed.abort(error)
    }
  }, FLUSH_MS)
  let payloads_new = 0
  try {
    const items = venueFeed({
      ...{ connect: options.connect, now, plan: planOf(options), session_ms: SESSION_MS, markets },
      signal: AbortSignal.any([options.signal, failed.signal]),
      on_problem: (error, reading) => {
        gaps.failed(reading, isServiceError(error) ? error.message : 'internal error')
        on_problem?.(error)
      },
      on_session: (_connector, streams) => gaps.opened(streams),
      on_read: (reading) => gaps.read(reading),
    })
    for await (const item of items) {
      const payload = keptOf(item)
      if (payload === null) journal.write(notKept(item))
      else files.add(payload)
      if (payload !== null) payloads_new += 1
    }
    failed.signal.throwIfAborted()
    files.seal()
    journal.write({ event: 'stopped', reason: 'as requested' })
  } catch (error) {
    files.abandon()
    throw error
  } finally {
    clearInterval(beat)
  }
  return reportOf(options, files, { payloads_new, gaps: gaps.gaps })
}

/** Returns what is written of an answer or message: its text, or bytes that are no text; null if they may name accounts. */
function keptOf(item: PayloadItem): VenuePayload | UnreadablePayload | null {
  if ('payload' in item) return item.payload
  return item.unreadable === undefined || item.unreadable.names_accounts ? null : item.unreadable
}

/** Returns the journal's line about an answer or message that is not in the files. */
function notKept(item: PayloadItem): NotKept {
  const reason = 'quarantined' in item ? item.quarantined.reason : 'ACCOUNT_DATA'
  if (!('unreadable' in item)) return { event: 'not_kept', reason }
  const { endpoint, request, bytes } = item.unreadable!
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { event: 'not_kept', reason, endpoint, request, bytes: bytes.length, sha256 }
}

function planOf({ venue_id, markets, plan = FEED_PLANS[venue_id] }: RecordOptions): FeedPlan {
  if (markets === null) return plan
  const documents = { parts: ['catalogue'], every_ms: DOCUMENTS_EVERY_MS, back: 0 } as const
  return { ...plan, readings: [...plan.readings, documents] }
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
  } catch (error) {
    if (writeFault(error) === 'full') throw diskFull('recording', dir, error)
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `out is ${dir}, which cannot be created; allowed: a folder that this user may write to`,
      { field: 'out', value: dir },
      error,
    )
  }
}

function reportOf(
  { venue_id, dir }: RecordOptions,
  { sealed }: RecordingFiles,
  counts: Pick<RecordingReport, 'payloads_new' | 'gaps'>,
): RecordingReport {
  return {
    venue_id,
    dir,
    files: sealed.length,
    payloads: sealed.reduce((sum, { payloads }) => sum + payloads, 0),
    bytes: sealed.reduce((sum, { bytes }) => sum + bytes, 0),
    ...counts,
    first_received_at: sealed[0]?.first_received_at ?? null,
    last_received_at: sealed.at(-1)?.last_received_at ?? null,
  }
}
