import { isObject } from '../../primitives/canonical-json.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { LogEntry } from './log-entry.ts'
import { proofInvalid } from './proof-invalid.ts'

export const SEAL_KIND = 'seal'
export const SEAL_FORM = 'seal/1'

/** Commit of a table up to which its rows are in the log, and the rows that the batch took from it. */
type SealedTable = {
  readonly version: number
  readonly commit_sha256: string | null
  readonly rows: number
  /** Kinds of entries that its rows are logged as. */
  readonly kinds: readonly string[]
  /** Every row of the table published at or before this instant is in the log before the seal. */
  readonly sealed_through: string
}

/** End of a batch. `previous_seal` is the index of the seal before, so no seal can be left out unseen. */
export type Seal = {
  /** Earliest instant of the tables. */
  readonly sealed_through: string
  readonly previous_seal: number | null
  readonly tables: Readonly<Record<string, SealedTable>>
  /** Entries since the previous seal by kind. */
  readonly counts: Readonly<Record<string, number>>
}

/** Returns the id of a seal by its ordinal, from 1. */
export function sealId(ordinal: number): string {
  return `seal_${ordinal}`
}

/** Reads the seal of an entry. @throws {ServiceError} PROOF_INVALID */
export function sealOf(entry: LogEntry): Seal {
  const { record } = entry
  const is_seal =
    record !== undefined &&
    typeof record.sealed_through === 'string' &&
    (record.previous_seal === null || Number.isSafeInteger(record.previous_seal)) &&
    isObject(record.counts) &&
    isObject(record.tables) &&
    Object.values(record.tables).every(isTable)
  if (is_seal) return record as unknown as Seal
  throw proofInvalid('seal', entry.record_id, 'sealed_through, previous_seal, tables and counts')
}

/** Returns the instant through which a seal has every record of a kind; null: it does not cover the kind. */
export function sealedThrough({ tables }: Seal, kind: string): Micros | null {
  const found = Object.values(tables).filter(({ kinds }) => kinds.includes(kind))
  return found.length === 0 ? null : Math.min(...found.map(({ sealed_through }) => toMicros(sealed_through)))
}

function isTable(table: unknown): boolean {
  if (!isObject(table)) return false
  const { version, kinds, sealed_through } = table
  return Number.isSafeInteger(version) && Array.isArray(kinds) && typeof sealed_through === 'string'
}

/** Last seal that a check has met, and the instant through which each kind is sealed by it. */
type Met = {
  readonly index: number
  readonly ordinal: number
  readonly seal: Seal
  readonly through: ReadonlyMap<string, Micros>
}

/** Check of a log's seals, entry by entry from the first. */
export type SealCheck = {
  /** Takes the next entry. @throws {ServiceError} PROOF_INVALID: a seal left rows out, or is not what its batch was */
  take(entry: LogEntry): void
  /** Returns the last seal; null: none yet. */
  last(): Seal | null
}

/**
 * Creates the check of a log's seals. An entry published at or before the instant of an earlier seal shows that the seal left it out; a
 * count that differs shows that its batch was changed.
 */
export function createSealCheck(): SealCheck {
  let index = -1
  let met: Met | null = null
  let counts: Record<string, number> = {}
  return {
    last: () => met?.seal ?? null,
    take(entry) {
      index += 1
      if (entry.kind === SEAL_KIND) {
        met = nextSeal(entry, index, met, counts)
        counts = {}
        return
      }
      refuseLeftOut(entry, met)
      counts[entry.kind] = (counts[entry.kind] ?? 0) + 1
    },
  }
}

function refuseLeftOut({ kind, record_id, published_at }: LogEntry, met: Met | null): void {
  const through = met?.through.get(kind)
  if (met === null || through === undefined || toMicros(published_at) > through) return
  const allowed = `after ${formatMicros(through)}, through which ${sealId(met.ordinal)} says that nothing is left out`
  throw proofInvalid(`published_at of ${kind} ${record_id}`, published_at, allowed)
}

function nextSeal(entry: LogEntry, index: number, met: Met | null, counts: Readonly<Record<string, number>>): Met {
  const seal = sealOf(entry)
  const ordinal = (met?.ordinal ?? 0) + 1
  const expected = { record_id: sealId(ordinal), previous_seal: met?.index ?? null }
  if (entry.record_id !== expected.record_id) throw proofInvalid('record_id', entry.record_id, expected.record_id)
  if (seal.previous_seal !== expected.previous_seal) {
    throw proofInvalid('previous_seal', String(seal.previous_seal), String(expected.previous_seal))
  }
  const [stated, counted] = [countsText(seal.counts), countsText(counts)]
  if (stated !== counted) throw proofInvalid(`counts of ${entry.record_id}`, stated, `${counted}, as its batch has`)
  const through = throughOf(seal)
  const uncovered = Object.keys(counts).find((kind) => !through.has(kind))
  if (uncovered !== undefined) throw proofInvalid('kinds', 'absent', `${uncovered}, which the batch has`)
  refuseGoingBack(seal, met?.seal ?? null)
  return { index, ordinal, seal, through }
}

function throughOf(seal: Seal): ReadonlyMap<string, Micros> {
  const through = new Map<string, Micros>()
  for (const { kinds, sealed_through } of Object.values(seal.tables)) {
    const at = toMicros(sealed_through)
    for (const kind of kinds) through.set(kind, Math.min(at, through.get(kind) ?? at))
  }
  const earliest = Math.min(...through.values())
  if (toMicros(seal.sealed_through) === earliest) return through
  throw proofInvalid('sealed_through', seal.sealed_through, 'the earliest instant of its tables')
}

/** A table that goes back, or that a later seal no longer has, would let rows be left out. */
function refuseGoingBack(seal: Seal, before: Seal | null): void {
  for (const [table, { version, sealed_through }] of Object.entries(before?.tables ?? {})) {
    const now = seal.tables[table]
    if (now === undefined) throw proofInvalid('tables', 'absent', `${table}, which the seal before has`)
    if (now.version < version) throw proofInvalid(`version of ${table}`, String(now.version), `at least ${version}`)
    if (toMicros(now.sealed_through) >= toMicros(sealed_through)) continue
    throw proofInvalid(`sealed_through of ${table}`, now.sealed_through, `at least ${sealed_through}`)
  }
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const kinds = Object.keys(counts).sort()
  return kinds.map((kind) => `${kind} ${counts[kind]}`).join(', ') || 'none'
}
