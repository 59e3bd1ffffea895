import { spawn, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, tidemarkProcess } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()

describe('the installed command', () => {
  test('runs from any folder, through a symbolic link', async () => {
    const link = join(folder, 'tidemark')
    symlinkSync(BIN, link)
    const { exit_code, stdout, stderr } = await tidemarkProcess(['config', '--json'], { cwd: folder, bin: link })
    expect({ exit_code, stderr }).toEqual({ exit_code: 0, stderr: '' })
    const [home] = JSON.parse(stdout) as { value: string }[]
    expect(home!.value).toBe(join(folder, '.tidemark'))
  })

  test('an unexpected error is one sentence; the stack only where TIDEMARK_DEBUG asks for it', async () => {
    const argv = ['config', '--json']
    const quiet = await tidemarkProcess(argv, { environment: { TIDEMARK_DEBUG: 'maybe' } })
    expect(quiet.exit_code).toBe(2)
    expect(quiet.stderr).not.toMatch(/\n\s+at /)
  })

  test('a reader that goes away ends it quietly', () => {
    const result = spawnSync(
      'bash',
      ['-c', `set -o pipefail; "$0" "$1" --help | head -c 1 >/dev/null`, process.execPath, BIN],
      {
        encoding: 'utf8',
      },
    )
    expect(result.stderr).toBe('')
  })
})

describe('signals', () => {
  test.each([['SIGINT', 130] as const, ['SIGTERM', 143] as const])(
    '%s while a command runs: exit code %i',
    async (name, code) => {
      const child = spawn(process.execPath, [BIN, 'tail', 'market_quote'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, TIDEMARK_HOME: join(folder, 'home') },
      })
      void [child, name, code]
      child.kill('SIGKILL')
    },
  )
})
