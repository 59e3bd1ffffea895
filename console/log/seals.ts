import { parseStrictText } from '../../primitives/strict-json.ts'
import { textOf } from './bytes.ts'
import { entriesOf } from './tiles.ts'

/** A seal of the log, as its entry says. */
export type SealFacts = {
  readonly record_id: string
  readonly published_at: string
  readonly sealed_through: string
  /** Number of records since the seal before. */
  readonly entries: number
}

/** Returns the seal that an entry is; null: it is another entry. */
export function sealOf(entry: Uint8Array): SealFacts | null {
  const parsed = parsedOf(entry)
  const record = parsed?.record as { sealed_through?: unknown; counts?: Record<string, unknown> } | undefined
  if (parsed?.kind !== 'seal' || typeof record?.sealed_through !== 'string') return null
  const entries = Object.values(record.counts ?? {}).reduce<number>((sum, count) => sum + Number(count), 0)
  const { record_id, published_at } = parsed
  return {
    record_id: String(record_id),
    published_at: String(published_at),
    sealed_through: record.sealed_through,
    entries,
  }
}

/** Returns the seals of a bundle, newest first. Nothing of them is verified. @throws {ProofFault} */
export function sealsOf(bundle: Uint8Array): readonly SealFacts[] {
  return entriesOf(bundle)
    .flatMap((entry) => sealOf(entry) ?? [])
    .reverse()
}

/** Returns the members of an entry; null: it is not a JSON object. */
export function parsedOf(entry: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const parsed = parseStrictText(textOf(entry))
    return parsed !== null && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : null
  } catch {
    return null
  }
}
