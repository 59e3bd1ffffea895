import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dayFileName } from '../../../simulator/files/day-files.ts'
import { createPayloadLines } from '../../../simulator/files/payload.ts'
import { type SimulateRequest, simulateFiles } from '../../../simulator/files/simulate-files.ts'
import { VENUES } from '../../../simulator/world/options.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { MINUTE, SMALL, START } from '../support/small-world.ts'

const folder = tempFolder()
const TWO_DAYS = { ...SMALL, days: 2, markets: 8, interval: 5 * MINUTE }

async function simulate(name: string, changes: Partial<SimulateRequest> = {}) {
  const dir = join(folder, name)
  const report = await simulateFiles({ options: TWO_DAYS, venues: VENUES, dir, ...changes })
  return { dir, report, digest: digestOf(dir) }
}

function digestOf(dir: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(dir).sort()) hash.update(name).update(readFileSync(join(dir, name)))
  return hash.digest('hex')
}

test('same seed, same bytes; another seed, other bytes', async () => {
  const [first, again] = [await simulate('first'), await simulate('again')]
  const other = await simulate('other', { options: { ...TWO_DAYS, seed: 'other' } })
  expect(again.digest).toBe(first.digest)
  expect(other.digest).not.toBe(first.digest)
})

test('one file a venue and day, gzip without a time, one payload a line, and the truth beside them', async () => {
  const { dir, report } = await simulate('files')
  const days = ['2026-01-01', '2026-01-02']
  const expected = VENUES.flatMap((venue) => days.map((day) => `${day}.${venue}.payloads.jsonl.gz`))
  expect(readdirSync(dir).sort()).toEqual([...expected, 'truth.json'].sort())
  expect([...report.files].sort()).toEqual([...expected, 'truth.json'].sort())
  for (const name of expected) {
    const bytes = readFileSync(join(dir, name))
    expect(bytes.subarray(4, 8)).toEqual(Buffer.alloc(4))
    const lines = gunzipSync(bytes).toString('utf8').trimEnd().split('\n')
    for (const line of lines) {
      const payload = JSON.parse(line) as Record<string, string>
      expect(Object.keys(payload)).toEqual(['venue_id', 'endpoint', 'request', 'received_at', 'body'])
      expect(name).toBe(`${payload.received_at!.slice(0, 10)}.${payload.venue_id}.payloads.jsonl.gz`)
    }
  }
})

test('a venue alone has the same files as among the others', async () => {
  const alone = await simulate('alone', { venues: ['kalshi'] })
  const all = await simulate('all')
  for (const name of readdirSync(alone.dir).filter((one) => one.endsWith('.gz'))) {
    expect(readFileSync(join(alone.dir, name)).equals(readFileSync(join(all.dir, name)))).toBe(true)
  }
})

test('a folder that holds something is refused, and nothing in it is touched', async () => {
  const dir = join(folder, 'used')
  mkdirSync(dir)
  writeFileSync(join(dir, 'mine.txt'), 'mine')
  await expect(simulateFiles({ options: TWO_DAYS, venues: ['kalshi'], dir })).rejects.toMatchObject({
    code: 'VALIDATION_USAGE_INVALID',
    message: `out is ${dir}, which holds a file already; allowed: an empty folder, or a new one`,
  })
  expect(readdirSync(dir)).toEqual(['mine.txt'])
})

test('ended early, it leaves nothing', async () => {
  const stop = new AbortController()
  const dir = join(folder, 'stopped')
  const run = simulateFiles({
    options: TWO_DAYS,
    venues: VENUES,
    dir,
    signal: stop.signal,
    on_progress: ({ done, total }) => done * 2 > total && stop.abort(),
  })
  await expect(run).rejects.toMatchObject({ name: 'AbortError' })
  expect(readdirSync(dir)).toEqual([])
})

test('progress goes from none to all, over all venues', async () => {
  const seen: number[] = []
  await simulate('progress', { on_progress: ({ done, total }) => seen.push(done / total) })
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.at(-1)!).toBeGreaterThan(0.9)
  expect(seen.at(-1)!).toBeLessThanOrEqual(1)
})

test('a line has the canonical text of its instant: no fraction, three digits or six', () => {
  const payloadLine = createPayloadLines()
  const at = (received_at: number) =>
    (
      JSON.parse(payloadLine({ venue_id: 'kalshi', endpoint: 'ws', request: null, received_at, body: '{}' })) as {
        received_at: string
      }
    ).received_at
  expect([START, START + 1_000, START + 1, START + 1_000_000].map(at)).toEqual([
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.001Z',
    '2026-01-01T00:00:00.000001Z',
    '2026-01-01T00:00:01Z',
  ])
  expect(dayFileName('kalshi', START - 1)).toBe('2025-12-31.kalshi.payloads.jsonl.gz')
})
