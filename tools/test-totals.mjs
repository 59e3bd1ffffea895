// Prints the slowest test files of vitest's JSON report, those that use most processor time, then `N passed, N failed`, the last line
// of .ci/run.
// usage: node tools/test-totals.mjs REPORT FAILED_STEPS VITEST_EXIT_CODE PROCESSOR_TIME SECONDS SPEED
// PROCESSOR_TIME: file of lines `SECONDS PATH`, as test/support/run/processor-time.ts writes it.
// SECONDS: how long the run has taken. SPEED: what bench/machine-speed.mjs printed. More time than the limit, at the speed of the cores
// that it is for, is a warning.
// A report that is missing, each failed step, each test file that could not start, and a run that ended badly although
// no test failed (an unhandled error) count as one failure each. Exits 1 when anything failed or nothing passed.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const SLOWEST = 20
const COSTLIEST = 60
/** Longest time of a whole run on two idle cores of the reference machine, and what such a core does (bench/machine-speed.mjs). */
const RUN_S = 720
const REFERENCE_SPEED = 20_147

const [path, failed_steps = '0', vitest_exit_code = '0', processor_time, seconds, speed] = process.argv.slice(2)
const report = readReport(path)
const broken_files = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
)
const counted = report.numFailedTests + broken_files.length + report.missing
const unexplained = counted === 0 && vitest_exit_code !== '0' ? 1 : 0
const failed = counted + unexplained + Number.parseInt(failed_steps, 10)
const passed = report.numPassedTests
printSlowest(report.testResults)
if (processor_time !== undefined) printCostliest(processor_time)
printRunTime(Number(seconds), Number(speed))
if (report.numPendingTests > 0) console.log(`${report.numPendingTests} skipped`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1

function readReport(file) {
  try {
    return { ...JSON.parse(readFileSync(file, 'utf8')), missing: 0 }
  } catch {
    return { testResults: [], numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, missing: 1 }
  }
}

function printSlowest(files) {
  const timed = files.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
  const slowest = timed.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  if (slowest.length === 0) return
  console.log(`the ${slowest.length} slowest of ${files.length} test files, set-up of a file apart:`)
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${relative('.', name)}`)
}

function printCostliest(file) {
  const costs = readLines(file)
    .map((line) => ({ seconds: Number(line.split(' ', 1)[0]), name: line.slice(line.indexOf(' ') + 1) }))
    .sort((a, b) => b.seconds - a.seconds)
  if (costs.length === 0) return
  const sum = costs.reduce((total, { seconds }) => total + seconds, 0)
  console.log(`processor time of ${costs.length} test files: ${sum.toFixed(0)} s, most of it by`)
  for (const { name, seconds } of costs.slice(0, COSTLIEST)) {
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${relative('.', name)}`)
  }
}

/** Prints how long the run took here, and how long it takes where a core is as fast as the reference. */
function printRunTime(here_s, speed) {
  if (!(here_s > 0 && speed > 0)) return
  const there_s = (here_s * speed) / REFERENCE_SPEED
  console.log(
    `run time: ${here_s} s on cores of ${speed} signature recoveries a second; ` +
      `${there_s.toFixed(0)} s at the ${REFERENCE_SPEED} of the reference, where ${RUN_S} s are the limit`,
  )
  if (there_s > RUN_S) console.log(`warning: the run took ${(there_s - RUN_S).toFixed(0)} s too long`)
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').filter(Boolean)
  } catch {
    return []
  }
}
