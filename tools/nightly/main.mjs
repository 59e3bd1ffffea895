// `npm run nightly -- [LANE ...] [--list] [--quick]`: runs the slow tests, every reliability lane and every bench, one after the other and
// past failures (hours), or the lanes named. Prints a line for each and writes .nightly/<start>/report.md with the logs beside it.
// Exits 1 when a lane failed. `--list` prints the lanes; `--quick` takes a hundredth of the reliability lanes' counts and two days
// for the benches of a year, to try them.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nightlyLanes } from './lanes.mjs'
import { runLanes } from './run-lanes.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OPTIONS = { list: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } }

const { values, positionals } = readArguments()
const known = nightlyLanes(values.quick)
const unknown = positionals.find((name) => !known.some((lane) => lane.name === name))
if (unknown !== undefined) fail(`lane is ${unknown}; allowed: ${known.map(({ name }) => name).join(', ')}`)
const lanes = positionals.length === 0 ? known : known.filter(({ name }) => positionals.includes(name))

if (values.list) {
  for (const { name, command } of lanes) console.log(`${name.padEnd(32)}${command.join(' ')}`)
} else {
  const folder = join(ROOT, '.nightly', new Date().toISOString().slice(0, 19).replaceAll(':', ''))
  const on_result = ({ name, passed, seconds, log }) =>
    console.log(passed ? `ok    ${name} (${seconds} s)` : `FAIL  ${name} (${seconds} s), see ${log}`)
  const results = await runLanes(lanes, { folder, cwd: ROOT, on_result })
  const failed = results.filter(({ passed }) => !passed).length
  console.log(`report: ${join(folder, 'report.md')}`)
  console.log(`${results.length - failed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (error) {
    return fail(error.message)
  }
}

/** Ends with 2: the command line is wrong. */
function fail(sentence) {
  console.error(`error: ${sentence}`)
  process.exit(2)
}
