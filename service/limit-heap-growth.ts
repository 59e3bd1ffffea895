import { setFlagsFromString } from 'node:v8'

/** Heap growth limit as a percentage of live memory. */
const GARBAGE_PERCENT = 50

/**
 * Limits garbage in the heap of a long-running process to half of live memory. V8's own limit grows with the rate of work up to four times
 * live memory, so a busy service held several hundred MB for minutes. The earlier collections run about every 15 s and take about 10 ms,
 * mostly concurrent with the work.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`)
}
