import { readFileSync } from 'node:fs'

/** Returns the resident memory of a process in MiB; null if it has ended. */
export function residentMiB(pid: number): number | null {
  try {
    const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kib === undefined ? null : Number.parseInt(kib, 10) / 1024
  } catch {
    return null
  }
}

/** Returns the rise of a series from first to last point along its least-squares line, as a share of its mean. */
export function riseOf(series: readonly number[]): number {
  const count = series.length
  if (count < 2) return 0
  const mean = series.reduce((sum, value) => sum + value, 0) / count
  const middle = (count - 1) / 2
  const slope =
    series.reduce((sum, value, place) => sum + (place - middle) * (value - mean), 0) /
    series.reduce((sum, _, place) => sum + (place - middle) ** 2, 0)
  return (slope * (count - 1)) / mean
}
