// `npm run reliability`: every lane with its full count, one after the other, and a table at the end. Exits 1 when one found something.
// A lane's report is in reports/reliability/; `--quick` takes a hundredth of each count, to try the lanes themselves.
import { spawnSync } from 'node:child_process'

const unknown = process.argv.slice(2).find((option) => option !== '--quick')
if (unknown !== undefined) {
  process.stderr.write(`error: option is ${unknown}; allowed: --quick\n`)
  process.exit(2)
}
const quick = process.argv.includes('--quick')
const count = (full) => String(quick ? Math.max(1, Math.ceil(full / 100)) : full)

const LOAD = ['--seconds', quick ? '10' : '300', '--rate', quick ? '100' : '1000']

const LANES = [
  ['rel:sim', '--orders', count(10_000_000), '--seeds', count(1000)],
  ['sec:sig', '--count', count(100_000), '--wallets', count(2000)],
  ['sec:replay', '--count', count(20_000)],
  ['rel:idem', '--requests', count(20_000)],
  ['rel:elle', '--operations', count(20_000)],
  ['rel:elle', '--operations', count(10_000), '--kills', quick ? '2' : '100'],
  ['rel:model', '--commands', count(100_000)],
  ['rel:replay'],
  ['rel:kill', '--kills', count(1000)],
  ['rel:day', '--kills', quick ? '4' : '50', '--orders', quick ? '40' : '240'],
  ['load', ...LOAD],
  ['load', ...['--private-streams', '--public-streams'].flatMap((kind) => [kind, count(1000)]), '--settle', ...LOAD],
]

const rows = LANES.map(([lane, ...options]) => {
  const started = Date.now()
  const { status } = spawnSync('npm', ['run', lane, '--', ...options], { stdio: 'inherit' })
  return { lane, options: options.join(' '), seconds: Math.round((Date.now() - started) / 1000), passed: status === 0 }
})
console.table(rows)
process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1
