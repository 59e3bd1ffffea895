// Prints the slowest test files of vitest's JSON report, then `N passed, N failed`, the last line of .ci/run.
// usage: node tools/test-totals.mjs REPORT FAILED_STEPS VITEST_EXIT_CODE
// A report that is missing, each failed step, each test file that could not start, and a run that ended badly although
// no test failed (an unhandled error) count as one failure each. Exits 1 when anything failed or nothing passed.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const SLOWEST = 20

const [path, failed_steps = '0', vitest_exit_code = '0'] = process.argv.slice(2)
const report = readReport(path)
const broken_files = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
)
const counted = report.numFailedTests + broken_files.length + report.missing
const unexplained = counted === 0 && vitest_exit_code !== '0' ? 1 : 0
const failed = counted + unexplained + Number.parseInt(failed_steps, 10)
const passed = report.numPassedTests
printSlowest(report.testResults)
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
