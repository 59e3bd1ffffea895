// `npm run reliability`: every lane with its full count, one after the other, and a table at the end. Exits 1 when one found something.
// A lane's report is in reports/reliability/; `--quick` takes a hundredth of each count, to try the lanes themselves.
import { spawnSync } from 'node:child_process'
import { reliabilityLanes } from './lanes.mjs'

const unknown = process.argv.slice(2).find((option) => option !== '--quick')
if (unknown !== undefined) {
  process.stderr.write(`error: option is ${unknown}; allowed: --quick\n`)
  process.exit(2)
}
const quick = process.argv.includes('--quick')

const rows = reliabilityLanes(quick).map(({ name, script, options }) => {
  const started = Date.now()
  const { status } = spawnSync('npm', ['run', script, '--', ...options], { stdio: 'inherit' })
  return {
    lane: name,
    options: options.join(' '),
    seconds: Math.round((Date.now() - started) / 1000),
    passed: status === 0,
  }
})
console.table(rows)
process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1
