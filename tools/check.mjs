// `npm run check`: everything that can be known in seconds, side by side: types, lint and format, the tests that read
// the code, and whether the generated documents are fresh. Prints one summary; exits 1 when a part fails.
// `--tests-follow` leaves the tests out, for who runs all of them afterwards.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => `node_modules/.bin/${name}`

const TESTS = 'house rules'

const PARTS = [
  { name: 'types', command: [bin('tsc'), '--noEmit', '--singleThreaded'] },
  { name: 'types of the page', command: [bin('tsc'), '--noEmit', '--singleThreaded', '-p', 'console'] },
  { name: 'lint', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'unused exports and dependencies', command: [bin('knip'), '--no-progress'] },
  {
    name: 'product code that only tests use',
    command: [bin('knip'), '--no-progress', '--production', '--include', 'files,exports,types,duplicates'],
  },
  {
    name: TESTS,
    command: [
      bin('vitest'),
      'run',
      ...[
        'layout',
        'tidy',
        'vocabulary',
        'errors-documented',
        'lock-file',
        'docs/docs',
        'docs/prose',
        'warehouse/sql/sql-files',
      ].map((name) => `test/${name}.test.ts`),
    ],
  },
  {
    name: 'documents',
    command: [process.execPath, 'test/support/launch-child.mjs', `${ROOT}tools/docs/main.ts`, '--check'],
  },
]

const tests_follow = process.argv.includes('--tests-follow')
const results = await Promise.all(PARTS.filter(({ name }) => name !== TESTS || !tests_follow).map(run))
for (const { name, passed, output } of results) if (!passed) console.log(`\n--- ${name}\n${output.trim()}`)
console.log(
  `\n${results.map(({ name, passed, seconds }) => `${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`).join('\n')}`,
)
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1

/** Runs one part to its end and keeps what it printed. */
function run({ name, command }) {
  const started = Date.now()
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const end = (passed) => resolve({ name, passed, output, seconds: ((Date.now() - started) / 1000).toFixed(1) })
    child.on('error', (error) => {
      output += `${error.message}\n`
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}
