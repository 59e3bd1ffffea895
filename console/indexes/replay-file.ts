import type { Bar } from '../charts/series.ts'
import { millisOf } from '../data/instant-text.ts'

/** Levels of a replay that somebody opened from a file, ascending by tick. */
export type ReplayedLevels = {
  /** Name of the file without its ending. */
  readonly name: string
  readonly ticks: readonly ReplayedTick[]
}
type ReplayedTick = { readonly t: number; readonly level: string }

/** Reason for which a file is not shown. */
export type RefusedReplay = { readonly refused: string }

/** Text of a level: the exact decimal of the calculation. */
const LEVEL = /^-?\d{1,30}(\.\d{1,18})?$/
/** A stale tick repeats an earlier level, and has no price of its own (methodology §8). */
const UNPRICED = 'stale'

/** Reads the lines of `tidemark index replay --json`; refuses a text with a line that is none. */
export function readReplay(file_name: string, text: string): ReplayedLevels | RefusedReplay {
  const ticks: ReplayedTick[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const found = ticksOf(line)
    if (found === null)
      return { refused: `line ${at + 1} is not a tick; allowed: lines printed by tidemark index replay --json` }
    ticks.push(...found)
  }
  return { name: file_name.replace(/\.[a-z]{1,5}$/i, ''), ticks: ticks.toSorted((a, b) => a.t - b.t) }
}

/** Returns the tick of a line, none for one without a price; null: the line is not a tick. */
function ticksOf(line: string): readonly ReplayedTick[] | null {
  const { tick_at, level, quality_state } = parsed(line) ?? {}
  const t = typeof tick_at === 'string' ? millisOf(tick_at) / 1000 : Number.NaN
  const has_level = level === null || (typeof level === 'string' && LEVEL.test(level))
  if (!Number.isFinite(t) || !has_level || typeof quality_state !== 'string') return null
  return level === null || quality_state === UNPRICED ? [] : [{ t, level }]
}

function parsed(line: string): Partial<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' ? (value as Partial<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

/** Returns the buckets of an index with the closes of a replay; a bucket without a replayed price is left out. */
export function replayedBars({ ticks }: ReplayedLevels, buckets: readonly Bar[]): readonly Bar[] {
  let next = 0
  return buckets.flatMap((bucket) => {
    let close: string | null = null
    for (; next < ticks.length && ticks[next]!.t < bucket.t_end; next += 1)
      if (ticks[next]!.t >= bucket.t) close = ticks[next]!.level
    return close === null ? [] : [{ ...bucket, open: close, high: close, low: close, close }]
  })
}
