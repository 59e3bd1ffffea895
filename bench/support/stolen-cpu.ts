import { readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100
/** user nice system idle iowait irq softirq steal */
const STEAL = 7

/**
 * Returns the CPU seconds since boot that the host withheld from this machine while it had work (`steal` of /proc/stat), summed over
 * all processors. A run reports the difference beside its wall time. null if the system does not provide it.
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

/** Returns the seconds stolen since an earlier reading, for the details of a figure. */
export function stolenSince(before: number | null): number | string {
  const now = stolenCpuSeconds()
  return before === null || now === null ? 'unknown' : Math.round((now - before) * 10) / 10
}
