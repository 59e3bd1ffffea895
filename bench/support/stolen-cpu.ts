import { readFileSync } from 'node:fs'

/** Linux counts the time of processors in hundredths of a second. */
const TICKS_PER_SECOND = 100
/** user nice system idle iowait irq softirq steal */
const STEAL = 7

/**
 * Seconds of all processors together in which this machine had work and its host ran another one (`steal` of /proc/stat), since it
 * was started: the difference over a run stands beside what the run took on the clock. null where the system does not say.
 */
export function stolenCpuSeconds(): number | null {
  try {
    const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    const ticks = Number(total.trim().split(/\s+/).slice(1)[STEAL])
    return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : null
  } catch {
    return null
  }
}

/** For the details of a figure: what was stolen since an earlier answer. */
export function stolenSince(before: number | null): number | string {
  const now = stolenCpuSeconds()
  return before === null || now === null ? 'unknown' : Math.round((now - before) * 10) / 10
}
