import { createHash } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Facts } from './plan-revisions.ts'

/** The places [from, to) of a sorted list that one commit takes. */
export type Batch = {
  /** From 1, ascending with the places. */
  readonly sequence: number
  readonly from: number
  readonly to: number
  /**
   * Under the recorded clock: when its turn comes. Commits of an earlier turn are made first, those of one turn in the order
   * of reference of their tables. Without meaning otherwise.
   */
  readonly turn: Micros
}

/** Rows of one commit under the wall clock: few commits, and memory for one of them only. */
export const WALL_BATCH_ROWS = 50_000

/**
 * The commits of one table: under the recorded clock one per distinct received_at, else slices of WALL_BATCH_ROWS. They
 * depend on the archive alone, never on what is stored, so that an interrupted import finds the same ones again.
 * @param sorted every valid record, in commit order
 */
export function batchesOf(sorted: readonly { readonly received_at: Micros }[], clock: ImportClock): Batch[] {
  const batches: Batch[] = []
  for (let from = 0; from < sorted.length; ) {
    const { received_at } = sorted[from]!
    let to = Math.min(from + WALL_BATCH_ROWS, sorted.length)
    if (clock === 'recorded') for (to = from + 1; sorted[to]?.received_at === received_at; ) to += 1
    batches.push({ sequence: batches.length + 1, from, to, turn: received_at })
    from = to
  }
  return batches
}

const DIGEST_STEP = 1024

/** A digest of records, given by their chains and facts: the same for the same records in the same order, wherever read. */
export function recordsDigest<T extends { readonly received_at: Micros }>(
  sorted: readonly T[],
  keys: readonly string[],
  factsOf: (record: T) => Facts,
): string {
  const hash = createHash('sha256')
  for (let from = 0; from < sorted.length; from += DIGEST_STEP) {
    const texts = sorted.slice(from, from + DIGEST_STEP).map((record, n) => {
      const { kind, content } = factsOf(record)
      return `${keys[from + n]}\u001e${record.received_at}\u001e${kind}\u001e${content}\u001d`
    })
    hash.update(texts.join(''))
  }
  return hash.digest('hex').slice(0, 32)
}
