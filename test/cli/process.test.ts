import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ARCHIVES } from '../../cli/commands/import.ts'
import { ARCHIVE_KINDS } from '../../connectors/archives/read-archive.ts'
import { questionLine, type ShortRow, valueLine, writeArchive } from '../support/archive-folder.ts'
import { BIN, tidemark, tidemarkProcess } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const environment = { TIDEMARK_HOME: join(folder, 'home') }
const MARKETS = 60
const VALUES = 31 * MARKETS
/** Makes a process interrupt itself at its third commit of quotes, of one a day: neither before it works nor when it is done. */
const INTERRUPTED = `--import=data:text/javascript,${encodeURIComponent(`
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { link } = fs
let commits = 0
fs.link = async (from, to) => {
  await link(from, to)
  if (to.includes('market_quote/_delta_log')) commits += 1
  if (commits === 3) process.kill(process.pid, 'SIGINT')
}
syncBuiltinESMExports()
`)}`

beforeAll(async () => {
  writeMonth(join(folder, 'archive'))
  const { exit_code } = await tidemark(['import', 'forecastbench', join(folder, 'archive')], { environment })
  expect(exit_code).toBe(0)
})

describe('the installed command', () => {
  test('runs from any folder, through a symbolic link', async () => {
    const link = join(folder, 'tidemark')
    symlinkSync(BIN, link)
    const { exit_code, stdout, stderr } = await tidemarkProcess(['config', '--json'], { cwd: folder, bin: link })
    expect({ exit_code, stderr }).toEqual({ exit_code: 0, stderr: '' })
    const settings = JSON.parse(stdout) as { setting: string; value: string }[]
    expect(settings.find(({ setting }) => setting === 'home')!.value).toBe(join(folder, '.tidemark'))
  })

  test('ends quietly when the reader of its output goes away', () => {
    const statement = 'select * from market_observation'
    const script = 'set -o pipefail; "$0" "$1" sql --time-limit 5m --format csv "$2" | head -n 1'
    const result = spawnSync('bash', ['-c', script, process.execPath, BIN, statement], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    })
    expect({ lines: result.stdout.trimEnd().split('\n').length, stderr: result.stderr }).toEqual({
      lines: 1,
      stderr: '',
    })
  })

  test('prints a stack only where TIDEMARK_DEBUG asks for it', async () => {
    const argv = ['sql', 'nonsense']
    const quiet = await tidemarkProcess(argv, { environment })
    const debug = await tidemarkProcess(argv, { environment: { ...environment, TIDEMARK_DEBUG: '1' } })
    expect(quiet.stderr).not.toMatch(/\n\s+at /)
    expect(debug.stderr).toMatch(/\n\s+at /)
    expect([quiet.exit_code, debug.exit_code]).toEqual([2, 2])
  })
})

describe('signals', () => {
  test.each([['SIGINT', 130] as const, ['SIGTERM', 143] as const])(
    '%s ends a tail: exit code %i',
    async (name, code) => {
      const argv = [BIN, 'tail', 'market_quote', '--from-version', '0']
      const child = spawn(process.execPath, argv, {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      await once(child.stdout, 'data') // it prints what is there, then waits for more
      child.stdout.resume()
      child.stderr.resume()
      child.kill(name)
      expect(await once(child, 'close')).toEqual([code, null])
    },
  )

  test('SIGINT during an import: exit code 130, and the next one completes it', async () => {
    const home = join(folder, 'interrupted')
    const argv = ['import', 'forecastbench', join(folder, 'archive'), '--clock', 'recorded']
    const child = spawn(process.execPath, [BIN, ...argv], {
      env: { ...process.env, TIDEMARK_HOME: home, NODE_OPTIONS: INTERRUPTED },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.resume()
    expect(await once(child, 'close')).toEqual([130, null])
    expect(await quotesIn(home)).toBeGreaterThan(0)
    expect(await quotesIn(home)).toBeLessThan(VALUES)
    const again = await tidemark([...argv, '--json'], { environment: { TIDEMARK_HOME: home } })
    expect(again.exit_code).toBe(0)
    expect(await quotesIn(home)).toBe(VALUES)
  })
})

test('every archive that can be read can be named', () => {
  expect([...ARCHIVES]).toEqual(ARCHIVE_KINDS)
})

/** A month of daily values, each day published in its evening. */
function writeMonth(dir: string): void {
  const values = Array.from({ length: VALUES }, (_, n): ShortRow => {
    const day = 1 + Math.floor(n / MARKETS)
    const published = `${String(day).padStart(2, '0')}T23:${String(n % 10).padStart(2, '0')}`
    return ['s', `m${n % MARKETS}`, day, published, `0.${String(n % 997).padStart(3, '0')}`]
  })
  const questions = Array.from({ length: MARKETS }, (_, m) => questionLine('s', `m${m}`, '2026-01-01T00:05:00Z'))
  writeArchive(dir, values.map(valueLine), questions)
}

/** Returns how many quotes a home has. */
async function quotesIn(home: string): Promise<number> {
  const { stdout } = await tidemark(['tables', '--json'], { environment: { TIDEMARK_HOME: home } })
  const tables = JSON.parse(stdout) as { table: string; rows: number }[]
  return tables.find(({ table }) => table === 'market_quote')!.rows
}
