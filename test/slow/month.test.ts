import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServedApi, serveApi } from '../../api/serve.ts'
import { openSocket } from '../../cli/doctor/open-socket.ts'
import { runDoctor } from '../../client/doctor/run-doctor.ts'
import { writeLiveDefinitions } from '../../service/live/live-definitions.ts'
import { type LiveWorld, worldOptions } from '../../service/live/live-world.ts'
import { simulateFiles } from '../../simulator/files/simulate-files.ts'
import { VENUES } from '../../simulator/world/options.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type Answers, differing, everyAnswer } from './support/every-answer.ts'

/**
 * A simulated month of three venues, imported into two homes whose files are read in opposite orders. Both homes agree with
 * themselves and with each other, before and after compaction and vacuum.
 */
const START = '2026-01-01T00:00:00Z'
const END = '2026-01-31T00:00:00Z'
const WORLD: LiveWorld & { base_date: string; effective_from: string } = {
  format: 1,
  generation: 1,
  seed: 'month',
  start: START,
  days: 30,
  markets: 9,
  interval: 'PT30M',
  base_date: START,
  effective_from: START,
  methodology: '1.1.0',
}
/** Instants at which everything is asked: within the month, at its end, and after all that was published. */
const INSTANTS = ['2026-01-06T07:08:09Z', '2026-01-20T12:00:00Z', END, '2026-06-01T00:00:00Z']
const BUDGET_MS = 60_000
const SEED = 1
const MADE_MS = 1_800_000
const ASKED_MS = 900_000

const folder = tempFolder()
const homes = { named: join(folder, 'named'), reversed: join(folder, 'reversed') }
type Home = keyof typeof homes
const served = new Map<Home, ServedApi>()
const answers = new Map<Home, Answers>()

const run = async (home: Home, ...argv: readonly string[]) => {
  const result = await tidemark([...argv, '--warehouse', join(homes[home], 'warehouse')])
  expect(result, argv.join(' ')).toMatchObject({ exit_code: 0 })
  return result
}
const serve = async (home: Home) => {
  const warehouse_root = join(homes[home], 'warehouse')
  served.set(
    home,
    await serveApi({ warehouse_root, host: '127.0.0.1', port: 0, environment: 'test', rate_limits: 'off' }),
  )
}
const ask = (home: Home) => everyAnswer(served.get(home)!.base_url, INSTANTS, { start: START, end: END })

/** Imports a folder, publishes marks, indexes and a level each hour, as an operator does. */
async function make(home: Home, files: string): Promise<void> {
  await run(home, 'import', 'payloads', files, '--clock', 'recorded')
  const definitions = await writeLiveDefinitions(homes[home], WORLD)
  for (const file of definitions) writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"PT1M"', '"PT1H"'))
  await run(home, 'index', 'apply', ...definitions, '--clock', 'recorded')
  const ids = ['idx_live_current', 'idx_live_election', 'idx_live_gauge']
  await run(home, 'index', 'compute', ...ids, '--from', START, '--to', END, '--clock', 'recorded')
}

/** Gives the files names whose order is the opposite one. */
function reverseNames(dir: string): void {
  const names = readdirSync(dir).filter((name) => name.endsWith('.gz'))
  for (const [n, name] of names.entries()) renameSync(join(dir, name), join(dir, `${1_000 - n}.${name}`))
}

beforeAll(async () => {
  const files = join(folder, 'files')
  mkdirSync(files)
  await simulateFiles({ options: worldOptions(WORLD), venues: VENUES, dir: files })
  await make('named', files)
  reverseNames(files)
  await make('reversed', files)
  for (const home of ['named', 'reversed'] as const) {
    await serve(home)
    answers.set(home, await ask(home))
  }
}, MADE_MS)

afterAll(async () => {
  for (const api of served.values()) await api.close()
  rmSync(folder, { recursive: true, force: true })
})

async function expectSound(home: Home): Promise<void> {
  const { base_url } = served.get(home)!
  const examination = { base_url, budget_ms: BUDGET_MS, seed: SEED, legacy_before: START, open: openSocket }
  const { checks, ok } = await runDoctor(examination)
  const wrong = checks.filter(({ result }) => !['ok', 'not offered', 'nothing to compare'].includes(result))
  const shown = wrong.map(({ id, result, differences }) => ({ id, result, differences: differences.slice(0, 3) }))
  expect(shown, JSON.stringify(shown, null, 1)).toEqual([])
  expect(ok).toBe(true)
}

describe('a month imported twice', () => {
  test('has levels, trades and corrections to compare', async () => {
    const texts = [...answers.get('named')!]
    const count = (pattern: RegExp) => texts.filter(([request, text]) => pattern.test(`${request} ${text}`)).length
    expect(texts.length).toBeGreaterThan(1_000)
    expect(texts.filter(([, text]) => !/^(200|404 .*_NOT_FOUND|403 .*SOURCE_NOT_PUBLIC)/.test(text))).toEqual([])
    expect(count(/\/indexes\/.*"level":"\d/)).toBeGreaterThan(20)
    expect(count(/\/trades.*"trade_id"/)).toBeGreaterThan(20)
    expect(count(/"revision":[2-9]/)).toBeGreaterThan(0)
    expect(count(/"finality":"final"/)).toBeGreaterThan(0)
  })

  test.each(['named', 'reversed'] as const)(
    'the doctor finds no difference in the home with %s files',
    expectSound,
    ASKED_MS,
  )

  test('gives the same answers in whatever order its files are read', () => {
    expect(differing(answers.get('named')!, answers.get('reversed')!).slice(0, 5)).toEqual([])
  })

  test(
    'gives the same answers, byte for byte, after compaction and vacuum, to those who look on and to new readers',
    async () => {
      await run('named', 'compact')
      await run('named', 'vacuum', '--retention', 'PT0S')
      expect(differing(answers.get('named')!, await ask('named')).slice(0, 5)).toEqual([])
      await served.get('named')!.close()
      await serve('named')
      expect(differing(answers.get('named')!, await ask('named')).slice(0, 5)).toEqual([])
      await expectSound('named')
    },
    3 * ASKED_MS,
  )
})
