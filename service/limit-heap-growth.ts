import { setFlagsFromString } from 'node:v8'

/** Of what is alive. */
const GARBAGE_PERCENT = 50

/**
 * Lets the heap of a service that runs for long hold garbage of half of what is alive before it is collected. V8's own bound grows with
 * the rate of work, to four times what is alive, so that a busy service took several hundred MB and gave them back minutes later; a
 * collection of what orders leave behind takes about 10 ms, mostly beside the work, and now comes every quarter of a minute.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`)
}
