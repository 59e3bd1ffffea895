import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { childArgv } from '../../support/child-argv.ts'
import { sized } from '../../support/sized.ts'
import { ROOT } from '../../support/source-files.ts'

/** A lane as people start it. */
function run(script: string, ...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, childArgv(join(ROOT, script), ...argv), {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const REFUSED: readonly [string[], string][] = [
  [
    ['--orders', 'many'],
    "option '--orders <n>' argument 'many' is invalid. Allowed: a whole number from 1 to 999999999.",
  ],
  [['--orders', '0'], "option '--orders <n>' argument '0' is invalid. Allowed: a whole number from 1 to 999999999."],
  [['--order', '10'], "unknown option '--order'"],
  [['10'], 'too many arguments'],
]

test.each(sized(REFUSED.slice(0, 1), REFUSED))(
  'a lane that is given %j checks nothing and says why',
  (argv, message) => {
    const { status, stdout, stderr } = run('tools/reliability/rel-sim.ts', ...argv)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`error: ${message}`)
    expect(stderr).toContain('--seeds <n>')
    expect(stderr).not.toMatch(/^ +at /m)
  },
)

test('a lane tells what it can be given', () => {
  const { status, stdout } = run('tools/reliability/rel-sim.ts', '--help')
  expect(status).toBe(0)
  expect(stdout).toContain('orders at least (default: 100000)')
})
