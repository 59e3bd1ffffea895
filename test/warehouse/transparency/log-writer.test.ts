import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { openCheckpoint } from '../../../pipelines/transparency/checkpoint.ts'
import { decodeBundle, encodeBundle } from '../../../pipelines/transparency/entry-bundle.ts'
import { parseEntry } from '../../../pipelines/transparency/log-entry.ts'
import { verifyEntryProof } from '../../../pipelines/transparency/record-proof.ts'
import { createSealCheck } from '../../../pipelines/transparency/seal.ts'
import { parseTilePath, widthIn } from '../../../pipelines/transparency/tiles.ts'
import { leafHash } from '../../../pipelines/transparency/tree-hash.ts'
import { verifyLog } from '../../../pipelines/transparency/verify-log.ts'
import { isConsistent, type TreeHead } from '../../../pipelines/transparency/verify-tree.ts'
import type { ServiceError } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import {
  BATCH_STEPS,
  type BatchStep,
  type LogWriter,
  openLogWriter,
} from '../../../warehouse/transparency/log-writer.ts'
import type { BatchPlan } from '../../../warehouse/transparency/plan-batch.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { LOG_KEY, signedBy, testKey } from '../../support/log/log-keys.ts'
import { sized } from '../../support/sized.ts'
import { appendAll, copyFolder, logCopies, signer, sourceOf } from './log-copies.ts'

const { newPath, withCopy } = await logCopies()

/** Enough that a writer that is killed in its third batch has several before it, and others to come. */
const ROWS_MAX = 60

/** A warehouse whose every row is logged: tests change copies of it. */
const logged = await withCopy(async (warehouse, root) => ({ root, size: await appendAll(warehouse) }))

/** What a writer of small batches logs, and the published files before it and after it. */
const in_batches = await withCopy(async (warehouse, root) => {
  const before = await filesOf(warehouse)
  await appendAll(warehouse, { rows_max: ROWS_MAX })
  return { records: recordsOf(await entriesOf(root)), before, after: await filesOf(warehouse) }
})

const withLogged = <T>(work: (warehouse: Warehouse, root: string) => Promise<T>) => withCopy(work, logged.root)

/** Returns every entry of a log, and checks its seals. */
async function entriesOf(root: string): Promise<string[]> {
  const reader = openLogReader(root)
  const { size } = (await reader.checkpoint())!
  const check = createSealCheck()
  const entries: string[] = []
  for (let index = 0; index < size; index += 1) {
    const bytes = await reader.entry(index)
    check.take(parseEntry(bytes))
    entries.push(Buffer.from(bytes).toString())
  }
  return entries
}

describe('a log of a warehouse', () => {
  test('has every row that was published, in the order of publication, and proves each', async () => {
    await withLogged(async (warehouse, root) => {
      const { size } = logged
      const entries = (await entriesOf(root)).map((text) => parseEntry(Buffer.from(text)))
      expect(entries.length).toBe(size)
      for (const { table, kinds } of TABLE_FORMS) {
        const { rows } = await warehouse.log(table).snapshot()
        for (const kind of kinds) {
          if (kind !== 'methodology') expect(entries.filter((entry) => entry.kind === kind).length, kind).toBe(rows)
        }
      }
      const reader = openLogReader(root)
      for (const at of [0, 1, 255, 256, size - 1].filter((index) => index < size)) {
        const checkpoint = await reader.covering(at)
        expect(verifyEntryProof(await reader.prove(at, checkpoint), LOG_KEY.key).entry).toEqual(entries[at])
      }
    })
  })

  test('that is written in small batches has the same records in the same order', async () => {
    const { records } = in_batches
    expect(records.toSorted()).toEqual(recordsOf(await entriesOf(logged.root)).sort())
    const instants = records.map((text) => toMicros(parseEntry(Buffer.from(text)).published_at))
    const later = instants.filter((at, n) => n > 0 && at < instants[n - 1]!).length
    expect(later).toBeLessThan(instants.length / 10)
  })

  test('appends what is published later, after everything before', async () => {
    await withLogged(async (warehouse, root) => {
      const before = await entriesOf(root)
      expect((await appendAll(warehouse)) - before.length).toBe(1)
      expect((await entriesOf(root)).slice(0, before.length)).toEqual(before)
    })
  })

  test('changes no published file', () => {
    expect(in_batches.after).toEqual(in_batches.before)
    expect(existsSync(join(logged.root, 'log/checkpoint'))).toBe(true)
  })

  test('has a row of a table that is merged before it is logged', async () => {
    await withCopy(async (warehouse, root) => {
      await warehouse.log('index_observation').compact()
      await appendAll(warehouse, { rows_max: ROWS_MAX })
      expect(recordsOf(await entriesOf(root))).toEqual(in_batches.records)
    })
  })
})

/** In the fast lane each second step, so that each file of a batch is there without the next one. */
const STEPS = BATCH_STEPS.filter((_, n) => sized(n % 2 === 1, true))

describe('a writer that is killed', () => {
  test.each(STEPS)('after the step %s loses, doubles and reorders nothing', async (step) => {
    await withCopy(async (warehouse, root) => {
      const writer = await openLogWriter({
        warehouse,
        forms: TABLE_FORMS,
        signer,
        rows_max: ROWS_MAX,
        reach: killAt(step, 3),
      })
      await expect(appendTimes(writer, 4)).rejects.toThrow('killed')
      writer.close()
      const before = openLogReader(root)
      const head = openCheckpoint((await before.checkpoint())!.text, LOG_KEY.key)
      tearUncommitted(root)
      await appendAll(warehouse, { rows_max: ROWS_MAX })
      expect(recordsOf(await entriesOf(root))).toEqual(in_batches.records)
      const reader = openLogReader(root)
      const now = openCheckpoint((await reader.checkpoint())!.text, LOG_KEY.key)
      expect(isConsistent(head, now, await reader.consistency(head.size, now.size))).toBe(true)
      await verifyLog({ source: sourceOf(root), key: LOG_KEY.key, seen: [head] })
    })
  })

  test('between two steps writes the batch that it had planned', async () => {
    await withCopy(async (warehouse, root) => {
      const writer = await openLogWriter({
        warehouse,
        forms: TABLE_FORMS,
        signer,
        rows_max: ROWS_MAX,
        reach: killAt('tiles-written', 2),
      })
      await expect(appendTimes(writer, 3)).rejects.toThrow('killed')
      writer.close()
      const tiles = bytesBelow(join(root, 'log/tile'))
      const again = await openLogWriter({
        warehouse,
        forms: TABLE_FORMS,
        signer,
        rows_max: ROWS_MAX,
        reach: killAt('checked', 1),
      })
      await expect(again.append()).rejects.toThrow('killed')
      again.close()
      expect(bytesBelow(join(root, 'log/tile'))).toEqual(tiles)
    })
  })
})

describe('a writer refuses', () => {
  const damaged = async (spoil: (root: string) => void, step: BatchStep): Promise<string> =>
    withCopy(async (warehouse, root) => {
      let batches = 0
      const reach = (reached: BatchStep) => {
        if (reached === step && ++batches === 2) spoil(root)
      }
      const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer, rows_max: ROWS_MAX, reach })
      await writer.append()
      const head = readFileSync(join(root, 'log/checkpoint'), 'utf8')
      const refused = await writer.append().then(
        () => 'nothing',
        (error: ServiceError) => `${error.code} ${error.message}`,
      )
      writer.close()
      expect(readFileSync(join(root, 'log/checkpoint'), 'utf8')).toBe(head)
      return refused
    })

  test('a bit flipped in an entry before it is signed', async () => {
    expect(await damaged((root) => flipNewest(root, 'log/tile/entries'), 'entries-written')).toContain('LOG_CORRUPT')
  })

  test('a bit flipped in a tile before it is signed', async () => {
    expect(await damaged((root) => flipNewest(root, 'log/tile/0'), 'tiles-written')).toContain('LOG_CORRUPT')
  })

  test('entries and tiles that agree with each other, but are others than were meant', async () => {
    const refused = await damaged(exchangeLast, 'look-up-written')
    expect(refused).toContain('they have another root than was written')
  })

  test('a head that another writer replaced', async () => {
    const roll = (root: string) => {
      const file = join(root, 'log/state.json')
      const state = JSON.parse(readFileSync(file, 'utf8')) as { size: number }
      writeFileSync(file, JSON.stringify({ ...state, size: state.size + 1 }))
    }
    expect(await damaged(roll, 'checked')).toContain('this writer continues')
  })

  test('a batch that has fewer rows than the log of its table says', async () => {
    const leaveOut = (root: string) => {
      const file = join(root, 'log/plan.json')
      const plan = JSON.parse(readFileSync(file, 'utf8')) as BatchPlan
      writeFileSync(
        file,
        JSON.stringify({ ...plan, tables: plan.tables.map((one) => ({ ...one, rows: one.rows + 1 })) }),
      )
    }
    await withCopy(async (warehouse, root) => {
      const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer, reach: killAt('planned', 1) })
      await expect(writer.append()).rejects.toThrow('killed')
      leaveOut(root)
      const again = writer.append()
      await expect(again).rejects.toThrow(/the table has \d+ rows .*, its log says \d+/)
      writer.close()
    })
  })

  test('a log whose last tile has a bit flipped, when it is opened', async () => {
    await withLogged(async (warehouse, root) => {
      flipNewest(root, 'log/tile/0')
      await expect(openLogWriter({ warehouse, forms: TABLE_FORMS, signer })).rejects.toThrow('do not have the root')
    })
  })

  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
    ['flipped by a bit', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])])],
  ])('a log whose last entries are %s, when it is opened', async (_name, damage) => {
    await withLogged(async (warehouse, root) => {
      const file = newestFile(root, 'log/tile/entries')
      writeFileSync(file, damage(readFileSync(file)))
      const opened = openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
      await expect(opened).rejects.toMatchObject({ code: 'LOG_CORRUPT', message: expect.stringContaining('entries') })
    })
  })

  test('a log of another key', async () => {
    await withLogged(async (warehouse) => {
      const other = { key: { ...LOG_KEY.key, name: 'log.example/other' }, sign: signer.sign }
      await expect(openLogWriter({ warehouse, forms: TABLE_FORMS, signer: other })).rejects.toMatchObject({
        code: 'VALIDATION_USAGE_INVALID',
        message: expect.stringContaining('the settings name it log.example/other'),
      })
    })
  })

  test('a log of another key under the same name, and keeps the key that readers have', async () => {
    await withLogged(async (warehouse, root) => {
      const vkey = readFileSync(join(root, 'log/vkey'), 'utf8')
      const { secret, key } = testKey('log.example/other')
      const other = { key: { ...key, name: LOG_KEY.key.name }, secret }
      const sign = (text: string) => signedBy(other, text)
      const opened = openLogWriter({ warehouse, forms: TABLE_FORMS, signer: { key: other.key, sign } })
      await expect(opened).rejects.toThrow('another key signed its checkpoint')
      expect(readFileSync(join(root, 'log/vkey'), 'utf8')).toBe(vkey)
    })
  })

  test('to be the second one', async () => {
    await withCopy(async (warehouse) => {
      const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
      await expect(openLogWriter({ warehouse, forms: TABLE_FORMS, signer })).rejects.toThrow('allowed: one')
      writer.close()
    })
  })
})

describe('a whole log', () => {
  const spoiled = async (spoil: (root: string) => void, seen: readonly TreeHead[] = []): Promise<string> => {
    const root = newPath('spoiled')
    copyFolder(join(logged.root, 'log'), join(root, 'log'))
    spoil(root)
    const verified = verifyLog({ source: sourceOf(root), key: LOG_KEY.key, seen })
    return await verified.then(
      () => 'verified',
      (error: ServiceError) => error.message,
    )
  }

  test('verifies', async () => expect(await spoiled(() => undefined)).toBe('verified'))

  test('with a bit flipped in an entry, a tile or the checkpoint does not', async () => {
    expect(await spoiled((root) => flipNewest(root, 'log/tile/entries'))).not.toBe('verified')
    expect(await spoiled((root) => flipNewest(root, 'log/tile/0'))).toContain('tile/0/000')
    expect(await spoiled((root) => flip(join(root, 'log/checkpoint'), -3))).not.toBe('verified')
  })

  test('that was rolled back, or has two heads, does not', async () => {
    const root = LOG_KEY.key.public_key
    expect(await spoiled(() => undefined, [{ size: 10 ** 6, root }])).toContain('at least 1000000')
    expect(await spoiled(() => undefined, [{ size: 7, root }])).toContain('the log has two heads')
  })
})

/** Entries of records; seals name the instant at which they were made. */
function recordsOf(entries: readonly string[]): string[] {
  return entries.filter((text) => !text.includes('"kind":"seal"'))
}

/** Stops a writer after a step of its n-th batch, as if its process had ended there. */
function killAt(step: BatchStep, batch: number): (reached: BatchStep) => void {
  let batches = 0
  return (reached) => {
    if (reached === step && ++batches === batch) throw new Error('killed')
  }
}

async function appendTimes(writer: LogWriter, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await writer.append()
}

/** Cuts off every tile and bundle that the head does not cover, as a crash of the machine may leave them. */
function tearUncommitted(root: string): void {
  const { size } = JSON.parse(readFileSync(join(root, 'log/state.json'), 'utf8')) as { size: number }
  for (const file of Object.keys(bytesBelow(join(root, 'log/tile')))) {
    const address = parseTilePath(`tile/${file}`)!
    if (address.width > widthIn(size, address)) writeFileSync(join(root, 'log/tile', file), 'torn')
  }
}

function bytesBelow(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = names.map((entry) => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(files.map((file) => [file.slice(path.length + 1), readFileSync(file, 'base64')]))
}

/** Puts another entry in the place of the last one, in its bundle and in its tile: the disk agrees with itself. */
function exchangeLast(root: string): void {
  const newest = (path: string) =>
    Object.keys(bytesBelow(join(root, path)))
      .map((name) => join(root, path, name))
      .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
      .at(-1)!
  const bundle = newest('log/tile/entries')
  const entries = [...decodeBundle(readFileSync(bundle))!]
  entries[entries.length - 1] = Buffer.from('{"another":"entry"}')
  writeFileSync(bundle, encodeBundle(entries))
  writeFileSync(newest('log/tile/0'), Buffer.concat(entries.map(leafHash)))
}

/** Flips a bit in the file of a folder that was written last. */
function flipNewest(root: string, path: string): void {
  flip(newestFile(root, path), -1)
}

function newestFile(root: string, path: string): string {
  const files = Object.keys(bytesBelow(join(root, path))).map((name) => join(root, path, name))
  return files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1)!
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at < 0 ? bytes.length + at : at]! ^= 1
  writeFileSync(file, bytes)
}

/** Files of every logged table by name. */
async function filesOf(warehouse: Warehouse): Promise<unknown> {
  const snapshots = await Promise.all(TABLE_FORMS.map(({ table }) => warehouse.log(table).snapshot()))
  return snapshots.map(({ files, version }) => ({ version, files: files.map(({ path, sha256 }) => [path, sha256]) }))
}
