import type { LogDisk } from './log-disk.ts'
import { SEGMENT_ENTRIES } from './log-layout.ts'
import { keyOf, openSegments, readNames } from './look-up-segments.ts'

/** Index of the entries of a log by the names of their records. It derives from the entries, so a lost part is made again. */
export type LookUp = {
  /** Returns the indexes below a size of the entries about a record, ascending. */
  find(kind: string, record_id: string, size: number): Promise<readonly number[]>
}

/** Opens the look-up of a log: full segments are searched on disk, the entries after them in memory. */
export function openLookUp(disk: LogDisk): LookUp {
  const segments = openSegments(disk)
  let tail = new Map<string, number[]>()
  let [from, to] = [0, 0]
  const extend = async (size: number): Promise<void> => {
    const start = Math.floor(size / SEGMENT_ENTRIES) * SEGMENT_ENTRIES
    if (start !== from) {
      tail = new Map()
      ;[from, to] = [start, start]
    }
    const names = await readNames(disk, to, size)
    names.forEach((name, n) => {
      const key = keyOf(name).toString('hex')
      tail.set(key, [...(tail.get(key) ?? []), to + n])
    })
    to = size
  }
  let turn: Promise<void> = Promise.resolve()
  return {
    async find(kind, record_id, size) {
      const mine = turn.then(() => (size > to ? extend(size) : undefined))
      turn = mine.catch(() => undefined)
      await mine
      const key = keyOf({ kind, record_id })
      const later = tail.get(key.toString('hex')) ?? []
      const stored = Array.from({ length: Math.floor(from / SEGMENT_ENTRIES) }, (_, n) => segments.find(n, key))
      return [...(await Promise.all(stored)).flat(), ...later].filter((index) => index < size)
    },
  }
}
