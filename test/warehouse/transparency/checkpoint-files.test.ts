import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { logObjects, readLogHead } from '../../../warehouse/backup/log-objects.ts'
import { openCheckpoints, packCheckpoints, SIZE_BYTES } from '../../../warehouse/transparency/checkpoint-files.ts'
import { openLogDisk } from '../../../warehouse/transparency/log-disk.ts'
import { checkpointBundlePath, checkpointPath } from '../../../warehouse/transparency/log-layout.ts'
import { openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { appendAll, logCopies } from './log-copies.ts'

const { newPath, withCopy } = await logCopies()
const textOf = (ordinal: number) => `checkpoint ${ordinal}\n`

function write(folder: string, path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), bytes)
}

function filesBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}

const filesOf = (folder: string) => [
  filesBelow(join(folder, 'checkpoint-bundles')),
  filesBelow(join(folder, 'checkpoints')),
]

/** Makes the checkpoint files of an earlier release: one each. */
function singles(seals: number): string {
  const folder = newPath('checkpoints')
  for (let ordinal = 0; ordinal < seals; ordinal++) write(folder, checkpointPath(ordinal), textOf(ordinal))
  return folder
}

async function expectAll(folder: string, seals: number): Promise<void> {
  const read = openCheckpoints(openLogDisk(folder))
  for (let ordinal = 0; ordinal < seals; ordinal++) expect((await read(ordinal))?.toString()).toBe(textOf(ordinal))
  expect(await read(seals)).toBeNull()
}

const pack = (folder: string, seals: number, reach: () => void | Promise<void> = () => undefined) =>
  packCheckpoints(openLogDisk(folder), seals, reach)

test.each([
  [256, 0, 256],
  [257, 1, 1],
  [512, 1, 256],
  [513, 2, 1],
])('of %i checkpoints %i bundles are full, and %i are single: the newest may gain a cosignature', async (...row) => {
  const [seals, ...files] = row
  const folder = singles(seals)
  await pack(folder, seals)
  expect(filesOf(folder)).toEqual(files)
  await expectAll(folder, seals)
})

test('a log of an earlier release is packed in steps of four bundles', async () => {
  const folder = singles(1300)
  await pack(folder, 1300)
  expect(filesOf(folder)).toEqual([4, 1300 - 1024])
  await pack(folder, 1300)
  expect(filesOf(folder)).toEqual([5, 1300 - 1280])
  await expectAll(folder, 1300)
})

test.each(Array.from({ length: sized(2, 100) }, (_, n) => n + 1))(
  'whatever step a writer is killed at, readers find each checkpoint, and the next writer completes it (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const seals = 600
    const folder = singles(seals)
    const disk = openLogDisk(folder)
    const kept = openCheckpoints(disk)
    for (let kills = 0; ; kills++) {
      let left = pick(
        [
          [1, 2],
          [40, 255, 256, 257],
          [1, 2, 40, 200],
        ][kills] ?? [0],
        random,
      )
      const killed = await pack(folder, seals, async () => {
        const ordinal = Math.floor(random() * seals)
        for (const read of [kept, openCheckpoints(disk)]) expect(String(await read(ordinal))).toBe(textOf(ordinal))
        left -= 1
        if (left === 0) throw new Error('killed')
      }).catch((error: Error) => error.message)
      await expectAll(folder, seals)
      if (killed === undefined && kills >= 3) break
      expect([undefined, 'killed']).toContain(killed)
    }
    expect(filesOf(folder)).toEqual([2, 600 - 512])
  },
)

test('a reader between two steps finds the checkpoint whose file was removed last', async () => {
  const folder = singles(300)
  const disk = openLogDisk(folder)
  let steps = 0
  await pack(folder, 300, async () => {
    const removed = Math.max(0, steps++ - 1)
    expect(String(await openCheckpoints(disk)(removed))).toBe(textOf(removed))
  })
  expect(steps).toBe(257)
})

test('a reader finds a checkpoint that is packed between its two looks', async () => {
  const folder = singles(300)
  const disk = openLogDisk(folder)
  const read = async (path: string) => {
    const bytes = await disk.read(path)
    await pack(folder, 300)
    return bytes
  }
  expect(String(await openCheckpoints({ ...disk, read })(5))).toBe(textOf(5))
})

test('a bundle with a missing checkpoint stays single files, and does not stop the next', async () => {
  const folder = singles(600)
  rmSync(join(folder, checkpointPath(7)))
  await pack(folder, 600)
  expect(filesOf(folder)).toEqual([1, 599 - 256])
})

test('a damaged bundle is written again while its files are there, and is named after', async () => {
  const folder = singles(300)
  write(folder, checkpointBundlePath(0), 'damaged')
  await pack(folder, 300)
  await expectAll(folder, 300)
  write(folder, checkpointBundlePath(0), 'damaged')
  await expect(openCheckpoints(openLogDisk(folder))(3)).rejects.toMatchObject({
    code: 'LOG_CORRUPT',
    message: expect.stringContaining(checkpointBundlePath(0)),
  })
})

/** Gives a log as many checkpoints as a release without bundles would have: each several times. */
function stretch(root: string, seals: number): void {
  const folder = join(root, 'log')
  const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as { seals: number }
  const texts = Array.from({ length: state.seals }, (_, n) => readFileSync(join(folder, checkpointPath(n))))
  const sizes = readFileSync(join(folder, 'checkpoint-sizes'))
  const sources = Array.from({ length: seals }, (_, n) => Math.floor((n * state.seals) / seals))
  for (const [n, source] of sources.entries()) write(folder, checkpointPath(n), texts[source]!)
  const stretched = sources.map((n) => sizes.subarray(n * SIZE_BYTES, (n + 1) * SIZE_BYTES))
  write(folder, 'checkpoint-sizes', Buffer.concat(stretched))
  write(folder, 'state.json', JSON.stringify({ ...state, seals }))
}

async function filesOfHead(head: Awaited<ReturnType<typeof readLogHead>>): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const { path, bytes } of logObjects(head!)) files[path] = Buffer.from(bytes).toString('base64')
  return files
}

test('a batch packs the checkpoints before it; proofs, seals and the backup of a head keep their bytes', async () => {
  await withCopy(async (warehouse, root) => {
    await appendAll(warehouse, { rows_max: 60 })
    stretch(root, 600)
    const size = (await openLogReader(root).checkpoint())!.size
    const answers = async () => {
      const reader = openLogReader(root)
      const instants = ['2026-01-01', '2026-02-03', '2026-02-20'].map((day) => toMicros(`${day}T00:00:00Z`))
      return {
        covering: await Promise.all([0, 1, 60, 120, size - 2].map((index) => reader.covering(index))),
        sealing: await Promise.all(instants.map((instant) => reader.sealing([], instant))),
      }
    }
    const head = await readLogHead(root)
    const before = [await answers(), await filesOfHead(head)]
    expect(filesOf(join(root, 'log'))).toEqual([0, 600])
    await appendAll(warehouse)
    expect(filesOf(join(root, 'log'))).toEqual([2, 601 - 512])
    expect([await answers(), await filesOfHead(head)]).toEqual(before)
    const copy = newPath('restored')
    const files = await filesOfHead(head)
    for (const [path, bytes] of Object.entries(files)) write(join(copy, 'log'), path, Buffer.from(bytes, 'base64'))
    expect(filesOf(join(copy, 'log'))).toEqual([2, 600 - 512])
    expect(await filesOfHead(await readLogHead(copy))).toEqual(files)
  })
})
