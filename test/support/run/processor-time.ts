import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'

/** File that receives a line for each test file: seconds of processor time, and its path. Unset: none is written. */
const FILE = process.env.TIDEMARK_PROCESSOR_TIME

/** Ticks a second of /proc on Linux; there is no other machine on which this is asked for. */
const TICKS = 100

/**
 * Returns the seconds of processor time of this process and of the processes that it has started and that have ended. Fields 14 to 17
 * of /proc/self/stat (proc(5)).
 */
function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}

if (FILE !== undefined) {
  const before = processorSeconds()
  afterAll(() => {
    appendFileSync(FILE, `${(processorSeconds() - before).toFixed(2)} ${expect.getState().testPath}\n`)
  })
}
