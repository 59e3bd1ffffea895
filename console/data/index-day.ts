import type { IndexDay } from '../../protocol/resources/index-resource.ts'
import { pixelNumber } from './decimal-text.ts'
import { durationMillis, millisOf } from './instant-text.ts'
import type { ShownLevel } from './newest.ts'

/** One point of a line without axes. */
export type SparkPoint = { readonly x: number; readonly y: number }

/** Returns the points of a day's line, ended by the latest level; a bucket without a level is no point. */
export function pointsOfDay(
  day: IndexDay | null,
  latest: Pick<ShownLevel, 'tick_at' | 'level'>,
): readonly SparkPoint[] {
  const end = millisOf(latest.tick_at)
  const last = latest.level === null ? [] : [{ x: end, y: pixelNumber(latest.level) }]
  if (day === null) return last
  const [start, step] = [millisOf(day.start_time), durationMillis(day.interval)!]
  const points = day.levels.flatMap((level, bucket) => {
    const x = start + bucket * step
    return level === null || x + step > end ? [] : [{ x: x + step, y: pixelNumber(level) }]
  })
  return [...points, ...last]
}
