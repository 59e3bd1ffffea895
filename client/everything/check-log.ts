import { openCheckpoint, type VerifiedCheckpoint } from '../../pipelines/transparency/checkpoint.ts'
import { cosignedAt } from '../../pipelines/transparency/cosignature.ts'
import type { LogEntry } from '../../pipelines/transparency/log-entry.ts'
import {
  createSealCheck,
  SEAL_KIND,
  type Seal,
  type SealCheck,
  sealedThrough,
  sealOf,
} from '../../pipelines/transparency/seal.ts'
import { keyText, type NoteKey, parseKey } from '../../pipelines/transparency/signed-note.ts'
import { rangeHash, tilesOfRanges } from '../../pipelines/transparency/tile-hashes.ts'
import { tilePath } from '../../pipelines/transparency/tiles.ts'
import { consistencyRanges } from '../../pipelines/transparency/tree-ranges.ts'
import { type LogSource, verifyLog } from '../../pipelines/transparency/verify-log.ts'
import { isConsistent, type TreeHead } from '../../pipelines/transparency/verify-tree.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Findings } from './report.ts'

/** Facts that the caller trusts; null: none. */
export type TrustedFacts = {
  /** Verifier key of the log. */
  readonly vkey: string | null
  /** Checkpoint that was saved earlier. */
  readonly seen: string | null
  /** Keys of witnesses, each of which must have cosigned. */
  readonly witnesses: readonly string[]
}

/** Log that was verified. */
export type CheckedLog = {
  readonly key: NoteKey
  readonly checkpoint: VerifiedCheckpoint
  readonly last_seal: Seal | null
  /** Instant that the first seal closed, and the entries before it: history that the log took in at its start. */
  readonly begin: { readonly at: string; readonly entries: number } | null
  /** Returns the first half of the hash that an entry has of its record; null: there is no such entry. */
  hashOf(entry: EntryName): string | null
  /** Returns the instant through which the last seal has every record of a kind; null: it does not cover the kind. */
  sealedThrough(kind: string): Micros | null
  /** Publications of the records of a kind. */
  publishedAt(kind: CountedKind): readonly Micros[]
}

/** Kinds with as many served records as log entries. */
export const COUNTED_KINDS = [
  'index_observation',
  'index_version',
  'constituents',
  'methodology',
  'roster',
  'policy',
  'governance_act',
  'proposal',
  'eligibility_policy',
  'notice',
  'restatement',
  'rating',
  'severity',
  'complaint',
] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

type EntryName = Pick<LogEntry, 'kind' | 'record_id' | 'published_at'>

/** Hex digits of a SHA-256 that stand for it, so that a long log fits into memory. */
const HALF = 32

/** Verifies the log of a deployment. @returns null: there is none, or it does not verify */
export async function checkLog(
  source: LogSource & { vkey(): Promise<string | null> },
  { vkey, seen, witnesses }: TrustedFacts,
  findings: Findings,
): Promise<CheckedLog | null> {
  const served = await source.vkey()
  const text = await source.checkpoint()
  if (served === null || text === null) return skipLog(findings, 'the deployment has no log')
  const key = trustedKey(served, vkey, findings)
  const pinned = { ...source, checkpoint: async () => text }
  const checked = await wholeLog(pinned, key, findings)
  if (checked === null) return skipLog(findings, 'the log does not verify')
  await checkSeen(source, checked.checkpoint, { key, seen }, findings)
  checkWitnesses(checked, witnesses, findings)
  return checked
}

/** Notes that nothing was compared with the log. */
export function skipLog(findings: Findings, reason: string): null {
  for (const check of OF_LOG) if (!findings.hasFailed(check)) findings.skip(check, reason)
  return null
}

const OF_LOG = ['key', 'log', 'seals', 'consistency', 'witness', 'included', 'complete'] as const

function trustedKey(served: string, vkey: string | null, findings: Findings): NoteKey {
  if (vkey === null) {
    findings.skip('key', 'no --vkey-file: the key that the service shows is used')
    return parseKey(served)
  }
  const key = parseKey(vkey)
  findings.count('key')
  if (keyText(key) !== served) findings.fail('key', served, `the trusted key is ${keyText(key)}`)
  return key
}

async function wholeLog(source: LogSource, key: NoteKey, findings: Findings): Promise<CheckedLog | null> {
  const hashes = new Map<string, string>()
  const published = new Map<string, Micros[]>(COUNTED_KINDS.map((kind) => [kind, []]))
  let begin: CheckedLog['begin'] = null
  try {
    const { checkpoint, seals, last_seal } = await verifyLog({
      source,
      key,
      seals: toldSeals(findings),
      onEntry: (entry) => {
        hashes.set(nameOf(entry), entry.row_sha256.slice(0, HALF))
        published.get(entry.kind)?.push(toMicros(entry.published_at))
        if (entry.kind === SEAL_KIND) begin ??= { at: sealOf(entry).sealed_through, entries: hashes.size - 1 }
      },
    })
    findings.count('log', checkpoint.size)
    findings.count('seals', seals)
    const hashOf = (entry: EntryName) => hashes.get(nameOf(entry)) ?? null
    const publishedAt = (kind: CountedKind) => published.get(kind)!
    return { key, checkpoint, last_seal, begin, hashOf, sealedThrough: throughOf(last_seal), publishedAt }
  } catch (error) {
    if (!isServiceError(error, 'PROOF_INVALID')) throw error
    findings.fail('log', key.name, error.message)
    return null
  }
}

/** Returns the instants of a seal by kind, each worked out once: every record is compared with one. */
function throughOf(seal: Seal | null): CheckedLog['sealedThrough'] {
  const known = new Map<string, Micros | null>()
  return (kind) => {
    if (!known.has(kind)) known.set(kind, seal === null ? null : sealedThrough(seal, kind))
    return known.get(kind)!
  }
}

function nameOf({ kind, record_id, published_at }: EntryName): string {
  return sha256Hex(`${kind} ${record_id} ${published_at}`).slice(0, HALF)
}

/** Notes the first fault of the seals instead of ending the check of the entries. */
function toldSeals(findings: Findings): SealCheck {
  const check = createSealCheck()
  return {
    last: () => check.last(),
    take(entry) {
      if (findings.hasFailed('seals')) return
      try {
        check.take(entry)
      } catch (error) {
        if (!isServiceError(error, 'PROOF_INVALID')) throw error
        findings.fail(
          'seals',
          entry.kind === SEAL_KIND ? entry.record_id : `${entry.kind} ${entry.record_id}`,
          error.message,
        )
      }
    },
  }
}

async function checkSeen(
  source: LogSource,
  now: VerifiedCheckpoint,
  { key, seen }: { readonly key: NoteKey; readonly seen: string | null },
  findings: Findings,
): Promise<void> {
  if (seen === null) {
    findings.skip('consistency', 'no --seen: no checkpoint was saved earlier')
    return
  }
  const old = openCheckpoint(seen, key)
  findings.count('consistency')
  const subject = `${old.size} entries, then ${now.size}`
  if (old.size > now.size) findings.fail('consistency', subject, 'the log was rolled back')
  else if (!isConsistent(old, now, await consistencyProof(source, old, now)))
    findings.fail('consistency', subject, 'the log has another history than the one that was seen')
}

async function consistencyProof(source: LogSource, old: TreeHead, now: TreeHead): Promise<readonly Uint8Array[]> {
  const ranges = consistencyRanges(old.size, now.size)
  const tiles = new Map<string, Uint8Array>()
  for (const address of tilesOfRanges(ranges, now.size)) {
    const bytes = await source.tile(address)
    if (bytes === null) return []
    tiles.set(tilePath(address), bytes)
  }
  return ranges.map((range) => rangeHash(range, now.size, tiles))
}

function checkWitnesses(log: CheckedLog, witnesses: readonly string[], findings: Findings): void {
  const { note } = log.checkpoint
  if (witnesses.length === 0) findings.skip('witness', `no --witness-key: ${timeText(log)}`)
  for (const text of witnesses) {
    const witness = parseKey(text)
    findings.count('witness')
    if (cosignedAt(note, witness) === null)
      findings.fail('witness', witness.name, 'the checkpoint has no cosignature that its key verifies')
  }
}

/** Says what a log without a witness leaves open about time. */
function timeText({ begin }: CheckedLog): string {
  const history = begin === null ? '' : `; the log begins at ${begin.at} with ${begin.entries} entries from before`
  return `nothing shows when records were published${history}`
}
