import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openPayloadArchive } from '../../../connectors/archives/payloads/open-payload-archive.ts'
import { RecordingFiles, type RecordingLimits } from '../../../operations/record/recording-files.ts'
import { openJournal } from '../../../operations/record/recording-journal.ts'
import { repairRecording } from '../../../operations/record/repair-recording.ts'
import type { VenuePayload } from '../../../pipelines/venues/record.ts'
import { MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { seededRandom } from '../../support/random.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { LIMITS } from './support.ts'

const folder = tempFolder()
const START = toMicros('2026-01-01T00:00:00Z')
let number = 0

async function recording(limits: Partial<RecordingLimits> = {}, dir = join(folder, `new-${number}`)) {
  number += 1
  mkdirSync(dir, { recursive: true })
  const journal = openJournal(dir, 'kalshi', () => START)
  const sealed = await repairRecording(dir, journal)
  return { dir, files: new RecordingFiles({ dir, venue_id: 'kalshi', journal }, { ...LIMITS, ...limits }, sealed) }
}

const random = seededRandom(7)
const payload = (second: number): VenuePayload => ({
  ...{ venue_id: 'kalshi', endpoint: 'ws trade', request: null, file: 'ws', text: `{"n":${random()},"x":${random()}}` },
  received_at: START + second * MICROS_PER_SECOND,
})

async function readBack(dir: string): Promise<readonly string[]> {
  const archive = await openPayloadArchive('kalshi', dir, START * 2)
  const texts: string[] = []
  for await (const batch of archive.batches()) texts.push(...batch.payloads.map(({ text }) => text))
  return texts
}

test('the payloads of all files come back in the order of arrival, although receipts go back now and then', async () => {
  const { dir, files } = await recording({ file_bytes_max: 400 })
  const written = Array.from({ length: 200 }, (_, n) => payload(n + (n % 7 < 2 ? 5 : 0)))
  for (const one of written) {
    files.add(one)
    files.flush()
  }
  files.seal()
  expect(files.sealed.length).toBeGreaterThan(5)
  expect(await readBack(dir)).toEqual(written.map(({ text }) => text))
})

test('a new file begins after its time', async () => {
  const { files } = await recording({ file_span_max: 10 * MICROS_PER_SECOND })
  for (const second of [0, 9, 10, 19, 20]) files.add(payload(second))
  files.seal()
  expect(files.sealed.map(({ payloads }) => payloads)).toEqual([2, 2, 1])
})

test.each(['stop', 'drop-oldest'] as const)(
  'at its largest size a recording goes on or ends as told: %s',
  async (when_full) => {
    const { dir, files } = await recording({ total_bytes_max: 1_000, when_full })
    const write = () => {
      for (let second = 0; second < 50; second += 1) {
        files.add(payload(second))
        files.flush()
      }
      files.seal()
    }
    if (when_full === 'stop') {
      expect(write).toThrow(
        expect.objectContaining({ code: 'WAREHOUSE_STORE_FULL', message: expect.stringContaining('--size-max') }),
      )
      files.abandon()
      expect((await readBack(dir)).length).toBeGreaterThan(2)
    } else {
      write()
      expect(readFileSync(join(dir, 'recording.jsonl'), 'utf8')).toContain('"event":"dropped"')
      expect(readFileSync(join(dir, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')).toHaveLength(files.sealed.length)
    }
    const names = readdirSync(dir).filter((name) => name.endsWith('.gz'))
    expect(names.reduce((sum, name) => sum + readFileSync(join(dir, name)).length, 0)).toBeLessThanOrEqual(1_000)
  },
)

test('a disk without enough free space ends it, and what was written stays', async () => {
  const { dir, files } = await recording()
  files.add(payload(0))
  files.seal()
  const full = await recording({ free_bytes_min: Number.MAX_SAFE_INTEGER }, dir)
  full.files.add(payload(1))
  expect(() => full.files.flush()).toThrow(expect.objectContaining({ code: 'WAREHOUSE_STORE_FULL' }))
  full.files.abandon()
  expect(await readBack(dir)).toHaveLength(1)
})

test('a file that is torn at any byte keeps its whole members', async () => {
  const { dir, files } = await recording()
  const ends: number[] = []
  for (let second = 0; second < 4; second += 1) {
    files.add(payload(second))
    files.flush()
    const [name] = readdirSync(dir).filter((one) => one.endsWith('.gz'))
    ends.push(readFileSync(join(dir, name!)).length)
  }
  files.abandon()
  const [name] = readdirSync(dir).filter((one) => one.endsWith('.gz'))
  const whole = readFileSync(join(dir, name!))
  const lines = gunzipSync(whole).toString().trimEnd().split('\n')
  for (const length of [whole.length - 1, ends[2]! + 9, ends[2]!, ends[1]! + 1, ends[0]! - 1, 3]) {
    const torn = join(folder, `torn-${length}`)
    mkdirSync(torn)
    writeFileSync(join(torn, name!), whole.subarray(0, length))
    const expected = ends.filter((end) => end <= length).length
    const { files: again } = await recording({}, torn)
    expect(again.sealed.map(({ payloads }) => payloads)).toEqual(expected === 0 ? [] : [expected])
    if (expected > 0)
      expect(
        gunzipSync(readFileSync(join(torn, name!)))
          .toString()
          .trimEnd()
          .split('\n'),
      ).toEqual(lines.slice(0, expected))
    else expect(existsSync(join(torn, name!))).toBe(false)
  }
})
