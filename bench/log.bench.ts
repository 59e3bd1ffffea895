/**
 * Measures the log: an append of 10,000 leaves with its tiles, a checkpoint of a log of 10 million, and an inclusion proof from tiles.
 * Beside the append, in turns, the naive tree of RFC 6962 by its recursive definition over the same leaves.
 * Goals: append under 1 s, checkpoint under 100 ms, proof under 5 ms.
 */

import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkpointText } from '../pipelines/transparency/checkpoint.ts'
import { encodeBundle } from '../pipelines/transparency/entry-bundle.ts'
import { EMPTY_EDGE, edgeRoot, growTree, type TreeEdge } from '../pipelines/transparency/grow-tree.ts'
import { rangeHash, tilesOfRanges, tilesOfRoot } from '../pipelines/transparency/tile-hashes.ts'
import { TILE_WIDTH, type TileAddress, tilePath } from '../pipelines/transparency/tiles.ts'
import { leafHash } from '../pipelines/transparency/tree-hash.ts'
import { inclusionRanges, type LeafRange } from '../pipelines/transparency/tree-ranges.ts'
import { LOG_KEY, signedBy } from '../test/support/log/log-keys.ts'
import { naiveLeaf, naiveRoot } from '../test/support/log/naive-tree.ts'
import { type LogDisk, openLogDisk, readTile, writeTiles } from '../warehouse/transparency/log-disk.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'

const LEAVES = 10_000
const SIZE = 10_000_000
const ROUNDS = 5
const PROOFS = 500
const ENTRY = 'x'.repeat(230)

const entryOf = (n: number): Buffer => Buffer.from(`${ENTRY}${n}`)

export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-log-'))
  try {
    const disk = openLogDisk(folder)
    const appends = await measureAppends(disk)
    const edge = fill(join(folder, 'large'))
    return [...appends, ...(await measureReads(openLogDisk(join(folder, 'large')), edge))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureAppends(disk: LogDisk): Promise<BenchRow[]> {
  const ours: number[] = []
  const naive: number[] = []
  let edge = EMPTY_EDGE
  for (let round = 0; round < ROUNDS; round += 1) {
    const entries = Array.from({ length: LEAVES }, (_, n) => entryOf(edge.size + n))
    ours.push(
      await secondsOf(async () => {
        edge = await append(disk, edge, entries)
      }),
    )
    naive.push(await secondsOf(async () => void naiveRoot(entries.map(naiveLeaf))))
  }
  return [
    {
      figure: 'log.append.seconds',
      value: rounded(median(ours)),
      unit: 's',
      goal: { at_most: 1 },
      details: { leaves: LEAVES, rounds: ours },
    },
    {
      figure: 'log.append.naive.seconds',
      value: rounded(median(naive)),
      unit: 's',
      goal: null,
      details: { leaves: LEAVES, rounds: naive },
    },
  ]
}

/** Appends entries, durably. */
async function append(disk: LogDisk, edge: TreeEdge, entries: readonly Buffer[]): Promise<TreeEdge> {
  const grown = growTree(edge, entries.map(leafHash))
  const bundles = Array.from({ length: Math.ceil(entries.length / TILE_WIDTH) }, (_, n) => {
    const bundle = entries.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH)
    const index = Math.floor(edge.size / TILE_WIDTH) + n
    return { address: { level: 'entries', index, width: bundle.length }, bytes: encodeBundle(bundle) } as const
  })
  await writeTiles(disk, [...bundles, ...grown.tiles])
  await disk.flush()
  return grown.edge
}

/** Writes the tiles of a large log, without its entries. */
function fill(folder: string): TreeEdge {
  let edge = EMPTY_EDGE
  const leaf = leafHash(entryOf(0))
  while (edge.size < SIZE) {
    const grown = growTree(
      edge,
      Array.from({ length: Math.min(TILE_WIDTH * 1000, SIZE - edge.size) }, () => leaf),
    )
    for (const { address, bytes } of grown.tiles) writeUnflushed(join(folder, tilePath(address)), bytes)
    edge = grown.edge
  }
  return edge
}

/** Flushing 40,000 files would take longer than everything that is measured. */
function writeUnflushed(file: string, bytes: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

async function measureReads(disk: LogDisk, edge: TreeEdge): Promise<BenchRow[]> {
  const checkpoints: number[] = []
  const proofs: number[] = []
  for (let n = 0; n < PROOFS; n += 1) {
    const index = randomInt(SIZE)
    proofs.push(await millisOf(async () => void (await hashesOf(disk, inclusionRanges(index, SIZE)))))
  }
  for (let n = 0; n < 50; n += 1) {
    checkpoints.push(
      await millisOf(async () => {
        const tiles = await read(disk, tilesOfRoot(SIZE))
        const root = rangeHash({ start: 0, end: SIZE }, SIZE, tiles)
        signedBy(
          LOG_KEY,
          checkpointText({ origin: LOG_KEY.key.name, size: SIZE, root: root.length === 32 ? root : edgeRoot(edge) }),
        )
      }),
    )
  }
  return [
    {
      figure: 'log.checkpoint.ms',
      value: rounded(median(checkpoints)),
      unit: 'ms',
      goal: { at_most: 100 },
      details: { size: SIZE },
    },
    {
      figure: 'log.proof.ms',
      value: rounded(median(proofs)),
      unit: 'ms',
      goal: { at_most: 5 },
      details: { size: SIZE, proofs: PROOFS, p99: rounded(p99(proofs)) },
    },
  ]
}

async function hashesOf(disk: LogDisk, ranges: readonly LeafRange[]): Promise<readonly Uint8Array[]> {
  const tiles = await read(disk, tilesOfRanges(ranges, SIZE))
  return ranges.map((range) => rangeHash(range, SIZE, tiles))
}

async function read(disk: LogDisk, addresses: readonly TileAddress[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const tiles = new Map<string, Uint8Array>()
  for (const address of addresses) tiles.set(tilePath(address), await readTile(disk, address))
  return tiles
}

async function millisOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  return (await millisOf(work)) / 1000
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!
}
