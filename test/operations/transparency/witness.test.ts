import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWitness } from '../../../operations/transparency/witness.ts'
import { checkpointText, openCheckpoint } from '../../../pipelines/transparency/checkpoint.ts'
import { cosignedAt } from '../../../pipelines/transparency/cosignature.ts'
import { edgeRoot } from '../../../pipelines/transparency/grow-tree.ts'
import { noteOf, parseNote, parseSignatureLine } from '../../../pipelines/transparency/signed-note.ts'
import { witnessRequestText } from '../../../pipelines/transparency/witness-request.ts'
import { cosignedBy, LOG_KEY, signedBy, type TestKey, testKey, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { consistencyOf, type MemoryTree, memoryTree } from '../../support/log/memory-tiles.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let opened = 0
const TIME_S = 1_767_225_600

function newFolder(): string {
  opened += 1
  return `w${opened}`
}

function witnessAt(path = newFolder(), key = WITNESS_KEY) {
  const cosign = (text: string) => cosignedBy(key, text, TIME_S)
  return { path, ...openWitness({ folder: join(folder, path), keys: [LOG_KEY.key], cosign }) }
}

/** Tree whose entries from `fork` on are other ones. */
const forked = (size: number, fork: number): MemoryTree =>
  memoryTree(size, [size], (n) => Buffer.from(n < fork ? `tidemark log vector ${n}` : `other ${n}`))

function checkpointOf({ edge }: MemoryTree, key: TestKey = LOG_KEY, origin = LOG_KEY.key.name): string {
  const text = checkpointText({ origin, size: edge.size, root: edgeRoot(edge) })
  return noteOf({ text, signatures: [signedBy(key, text)] })
}

function requestOf(tree: MemoryTree, old_size: number, checkpoint = checkpointOf(tree)): string {
  const hashes = old_size > tree.edge.size ? [] : consistencyOf(tree, old_size)
  return witnessRequestText({ old_size, hashes, checkpoint })
}

describe('a witness', () => {
  test('cosigns a log that grows, with the time, also after a restart', async () => {
    const { path, addCheckpoint } = witnessAt()
    const first = await addCheckpoint(requestOf(memoryTree(300), 0))
    expect(first.status).toBe(200)
    const { note } = openCheckpoint(checkpointOf(memoryTree(300)), LOG_KEY.key)
    const signatures = [...note.signatures, parseSignatureLine(first.body.trimEnd())]
    expect(cosignedAt({ ...note, signatures }, WITNESS_KEY.key)).toBe(TIME_S)
    const later = await witnessAt(path).addCheckpoint(requestOf(memoryTree(70_000), 300))
    expect(later.status).toBe(200)
    expect(await witnessAt(path).addCheckpoint(requestOf(memoryTree(70_000), 70_000))).toMatchObject({ status: 200 })
  })

  test('refuses a log that was rolled back', async () => {
    const { addCheckpoint } = witnessAt()
    await addCheckpoint(requestOf(memoryTree(300), 0))
    expect(await addCheckpoint(requestOf(memoryTree(200), 0))).toEqual({
      status: 409,
      type: 'text/x.tlog.size',
      body: '300\n',
    })
    expect(await addCheckpoint(requestOf(memoryTree(200), 300))).toMatchObject({ status: 400 })
    expect(await addCheckpoint(requestOf(memoryTree(200), 200))).toMatchObject({ status: 409 })
  })

  test('refuses another head of a size that it cosigned, and a later head of a fork', async () => {
    const { addCheckpoint } = witnessAt()
    await addCheckpoint(requestOf(memoryTree(300), 0))
    expect(await addCheckpoint(requestOf(forked(300, 250), 300))).toMatchObject({ status: 409 })
    expect(await addCheckpoint(requestOf(forked(400, 250), 300))).toMatchObject({ status: 422 })
    expect(await addCheckpoint(requestOf(memoryTree(400), 300))).toMatchObject({ status: 200 })
  })

  test('cosigns one of two heads that arrive at once', async () => {
    const { addCheckpoint } = witnessAt()
    const answers = await Promise.all(
      [memoryTree(300), forked(300, 9)].map((tree) => addCheckpoint(requestOf(tree, 0))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 409])
  })

  test('and another one that were given two heads of a log do not both cosign the next one', async () => {
    const [one, two] = [witnessAt(), witnessAt(undefined, testKey('witness.example/w2', 4))]
    await one.addCheckpoint(requestOf(memoryTree(300), 0))
    await two.addCheckpoint(requestOf(forked(300, 250), 0))
    const next = requestOf(memoryTree(400), 300)
    expect([(await one.addCheckpoint(next)).status, (await two.addCheckpoint(next)).status]).toEqual([200, 422])
  })

  test.each([
    [
      'an unknown origin',
      404,
      () => requestOf(memoryTree(3), 0, checkpointOf(memoryTree(3), LOG_KEY, 'log.example/other')),
    ],
    [
      'another key',
      403,
      () => requestOf(memoryTree(3), 0, checkpointOf(memoryTree(3), testKey('log.example/vectors2'))),
    ],
    ['a body without an old size', 400, () => `\n\n${checkpointOf(memoryTree(3))}`],
    ['a leading zero', 400, () => requestOf(memoryTree(3), 0).replace('old 0', 'old 00')],
    [
      'a proof for the first checkpoint',
      422,
      () => requestOf(memoryTree(3), 0).replace('old 0\n', `old 0\n${'A'.repeat(43)}=\n`),
    ],
    ['no checkpoint', 400, () => 'old 0\n\nnothing'],
  ])('refuses %s with %i', async (_what, status, body) => {
    const { path, addCheckpoint } = witnessAt()
    expect((await addCheckpoint(body())).status).toBe(status)
    expect(() => readdirSync(join(folder, path))).toThrow('ENOENT')
  })

  test('remembers a checkpoint before it answers', async () => {
    const { path, addCheckpoint } = witnessAt()
    await addCheckpoint(requestOf(memoryTree(5), 0))
    const [file] = readdirSync(join(folder, path))
    expect(file).toMatch(/^[0-9a-f]{64}\.checkpoint$/)
    expect(parseNote(checkpointOf(memoryTree(5))).text).toContain('\n5\n')
  })
})
