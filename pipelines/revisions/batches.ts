import { createHash } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Facts } from './economic-difference.ts'

/** Range [from, to) of a sorted list, for one commit. */
export type Batch = {
  /** From 1, ascending with the range. */
  readonly sequence: number
  readonly from: number
  readonly to: number
  /**
   * Commit order under the recorded clock: commits of an earlier turn come first, those of one turn in the reference order of
   * their tables. Meaningless under the wall clock.
   */
  readonly turn: Micros
}

/** Rows of one commit under the wall clock, which bounds both the number of commits and the memory of one. */
export const WALL_BATCH_ROWS = 50_000

/**
 * Splits the records of one table into commits: under the recorded clock one per distinct received_at, else slices of
 * WALL_BATCH_ROWS. They depend on the archive alone, never on the warehouse, so an interrupted import finds the same ones
 * again.
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

/** Digests records by chain and facts: equal for equal records in equal order, wherever read. */
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
