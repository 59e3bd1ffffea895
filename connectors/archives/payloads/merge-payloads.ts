import type { Micros } from '../../../primitives/instants.ts'
import type { PayloadItem } from './payload-item.ts'

/** A file whose payloads are merged with those of other files. */
export type MergeSource = {
  readonly first_received_at: Micros | null
  readonly read: () => AsyncGenerator<PayloadItem[]>
}

/**
 * Merges the payloads of all files by receipt, in batches. Each file keeps its own order: a payload older than its predecessor
 * in the file comes right after that one. Of equal instants the earlier source comes first. A file is opened when its first
 * payload is due, so memory holds one piece of each overlapping file.
 * @param sources in the order of their first receipt
 */
export async function* mergePayloads(sources: readonly MergeSource[]): AsyncGenerator<PayloadItem[]> {
  const waiting = sources.map((source, ordinal) => ({ source, ordinal }))
  const open: Cursor[] = []
  try {
    for (;;) {
      await openDue(waiting, open)
      const [next, rival] = firstTwo(open)
      if (next === undefined) return
      const items = await take(next, boundOf(rival, waiting))
      if (next.items.length === 0) open.splice(open.indexOf(next), 1)
      if (items.length > 0) yield items
    }
  } finally {
    for (const cursor of open) await cursor.reading.return(undefined)
  }
}

type Cursor = {
  readonly ordinal: number
  readonly reading: AsyncGenerator<PayloadItem[]>
  /** Items read but not yet given; empty when the file has ended. */
  items: readonly PayloadItem[]
  at: number
  /** Latest receipt so far, including the next item's. */
  reached: Micros
}

type Waiting = { readonly source: MergeSource; readonly ordinal: number }

async function openDue(waiting: Waiting[], open: Cursor[]): Promise<void> {
  for (;;) {
    const [first] = waiting
    if (first === undefined) return
    const due = first.source.first_received_at ?? 0
    if (open.some((cursor) => cursor.reached < due)) return
    waiting.shift()
    const cursor = { ordinal: first.ordinal, reading: first.source.read(), items: [], at: 0, reached: due }
    if (await refill(cursor)) open.push(cursor)
  }
}

async function refill(cursor: Cursor): Promise<boolean> {
  for (;;) {
    const { value, done } = await cursor.reading.next()
    cursor.items = done === true ? [] : value
    cursor.at = 0
    if (done === true) return false
    if (cursor.items.length > 0) break
  }
  reachNext(cursor)
  return true
}

function reachNext(cursor: Cursor): void {
  const item = cursor.items[cursor.at]
  if (item !== undefined && 'payload' in item) cursor.reached = Math.max(cursor.reached, item.payload.received_at)
}

function firstTwo(open: readonly Cursor[]): [Cursor | undefined, Cursor | undefined] {
  const sorted = open.toSorted((a, b) => a.reached - b.reached || a.ordinal - b.ordinal)
  return [sorted[0], sorted[1]]
}

/** Limit up to which the first cursor may be read: where another cursor or a waiting source has the next payload. */
type Bound = { readonly reached: Micros; readonly ordinal: number }

function boundOf(rival: Cursor | undefined, waiting: readonly Waiting[]): Bound {
  const bounds: Bound[] = rival === undefined ? [] : [rival]
  const [first] = waiting
  if (first !== undefined) bounds.push({ reached: first.source.first_received_at ?? 0, ordinal: first.ordinal })
  const never = { reached: Number.POSITIVE_INFINITY, ordinal: Number.POSITIVE_INFINITY }
  return bounds.reduce((a, b) => (comesFirst(a, b) ? a : b), never)
}

function comesFirst(a: Bound, b: Bound): boolean {
  return a.reached < b.reached || (a.reached === b.reached && a.ordinal < b.ordinal)
}

/** Takes the items before the bound; at least one. */
async function take(cursor: Cursor, bound: Bound): Promise<PayloadItem[]> {
  const from = cursor.at
  const { items } = cursor
  do {
    cursor.at += 1
    reachNext(cursor)
  } while (cursor.at < items.length && comesFirst(cursor, bound))
  const taken = items.slice(from, cursor.at)
  if (cursor.at === items.length) await refill(cursor)
  return taken
}
