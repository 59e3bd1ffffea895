import { createHash } from 'node:crypto'
import { isHazardKind, type PayloadKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import { batchesOf } from '../../pipelines/revisions/batches.ts'
import { dayBatches } from '../../pipelines/revisions/day-batches.ts'
import { payloadContentHash, payloadKey, payloadRow } from '../../pipelines/revisions/payload-revisions.ts'
import { type MinuteStamps, stampsOf } from '../../pipelines/venues/minute-stamps.ts'
import type { VenuePayload } from '../../pipelines/venues/record.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard, PlanOvertaken } from './append-guard.ts'
import { type CommitOptions, checkStamp, commitPlan } from './commit-plan.ts'
import { readKnownPayloads } from './known-payloads.ts'
import { IMPORT_TABLES } from './read-known.ts'
import { commitsOf, type PlannedCommit } from './table-plan.ts'

/** Payloads that this process stored, and its commits: another process may have stored the same payloads first. */
export type StoredPayloads = { readonly payloads: number; readonly commits: number }

/**
 * Stores the payloads of a batch that are not stored yet, before any of them is read. Under the recorded clock a batch with
 * new payloads is refused when its earliest stamp changes a past answer of any table that its records may go to, so that
 * nothing of a refused batch is stored.
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and what Warehouse.append throws
 */
export async function storePayloads(
  warehouse: Warehouse,
  payloads: readonly VenuePayload[],
  stamps: MinuteStamps,
  kind: PayloadKind,
  options: CommitOptions,
): Promise<StoredPayloads> {
  const stored = { payloads: 0, commits: 0 }
  const on_commit = ({ row_count }: PlannedCommit, _: TableName, already_done: boolean) => {
    if (already_done) return
    stored.payloads += row_count
    stored.commits += 1
  }
  for (;;) {
    try {
      await storeOnce(warehouse, payloads, stamps, kind, { ...options, on_commit })
      return stored
    } catch (error) {
      if (!(error instanceof PlanOvertaken)) throw error // else somebody has stored some of them meanwhile
    }
  }
}

async function storeOnce(
  warehouse: Warehouse,
  payloads: readonly VenuePayload[],
  stamps: MinuteStamps,
  kind: PayloadKind,
  options: CommitOptions,
): Promise<void> {
  const sorted = inOrder(payloads).map((payload) => ({ payload, content_hash: payloadContentHash(payload) }))
  const guard = options.clock === 'wall' ? await openAppendGuard(warehouse, ['venue_payload']) : undefined
  const known = await readKnownPayloads(warehouse, sorted)
  const is_new = firstOfEach(sorted, known)
  const received = sorted.map(({ payload }) => payload)
  const recorded = options.clock === 'recorded' ? stampsOf(received, stamps) : null
  const batches = recorded === null ? batchesOf(received, 'wall') : dayBatches(recorded)
  const rowAt = (place: number) => payloadRow(sorted[place]!.payload, sorted[place]!.content_hash)
  const commits = commitsOf({ batches, stamps: recorded }, (place) => is_new[place]!, rowAt)
  const first = commits[0]?.stamps[0]
  if (first !== undefined) for (const table of tablesOf(kind)) await checkStamp(warehouse, table, first)
  const plan = { tables: [{ table: 'venue_payload' as const, digest: digestOf(sorted), commits }] }
  await commitPlan(warehouse, plan, { ...options, guard })
}

function inOrder(payloads: readonly VenuePayload[]): readonly VenuePayload[] {
  const is_sorted = payloads.every((payload, n) => n === 0 || payloads[n - 1]!.received_at <= payload.received_at)
  return is_sorted ? payloads : [...payloads].sort((a, b) => a.received_at - b.received_at)
}

/** True for each payload that is unknown and the first of its key. Keys are long: a hash that occurs once needs no comparison. */
function firstOfEach(sorted: readonly HashedPayload[], known: ReadonlySet<string>): boolean[] {
  const again = known.size === 0 ? hashesThatRepeat(sorted) : null
  const seen = new Set(known)
  return sorted.map((hashed) => {
    if (again?.has(hashed.content_hash) === false) return true
    const key = keyOf(hashed)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function hashesThatRepeat(sorted: readonly HashedPayload[]): ReadonlySet<string> {
  const [once, again] = [new Set<string>(), new Set<string>()]
  for (const { content_hash } of sorted) {
    const before = once.size
    once.add(content_hash)
    if (once.size === before) again.add(content_hash)
  }
  return again
}

function tablesOf(kind: PayloadKind) {
  const is_hazards = isHazardKind(kind)
  return IMPORT_TABLES.filter((table) => {
    if (table === 'venue_payload') return true
    return kind === 'payloads' || (table === 'hazard_alert') === is_hazards
  })
}

const DIGEST_STEP = 1024

/**
 * Names these payloads and their order by all that their keys hold: their hashes, which are of one length, their instants, and what
 * was asked for wherever that changes, which in a stream is seldom.
 */
function digestOf(sorted: readonly HashedPayload[]): string {
  const hash = createHash('sha256')
  for (let from = 0; from < sorted.length; from += DIGEST_STEP) {
    const some = sorted.slice(from, from + DIGEST_STEP)
    hash.update(some.map(({ content_hash }) => content_hash).join(''))
  }
  hash.update(Float64Array.from(sorted, ({ payload }) => payload.received_at))
  const asked = sorted.flatMap(({ payload }, n) =>
    n > 0 && isOfOneOrigin(payload, sorted[n - 1]!.payload)
      ? []
      : [`${n}\u001f${payload.venue_id}\u001f${payload.endpoint}\u001f${payload.request ?? ''}\u001d`],
  )
  return hash.update(asked.join('')).digest('hex').slice(0, 32)
}

function isOfOneOrigin(a: VenuePayload, b: VenuePayload): boolean {
  return a.endpoint === b.endpoint && a.request === b.request && a.venue_id === b.venue_id
}

type HashedPayload = { readonly payload: VenuePayload; readonly content_hash: string }

function keyOf({ payload, content_hash }: HashedPayload): string {
  return payloadKey(content_hash, payload)
}
