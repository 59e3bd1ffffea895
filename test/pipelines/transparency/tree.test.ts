import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY_EDGE, edgeRoot, growTree } from '../../../pipelines/transparency/grow-tree.ts'
import { rangeHash, tilesOfRanges, tilesOfRoot } from '../../../pipelines/transparency/tile-hashes.ts'
import { edgeTiles, parseTilePath, TILE_WIDTH, tilePath, widthIn } from '../../../pipelines/transparency/tiles.ts'
import { EMPTY_ROOT, hashText, leafHash, parseHash } from '../../../pipelines/transparency/tree-hash.ts'
import { consistencyRanges, inclusionRanges } from '../../../pipelines/transparency/tree-ranges.ts'
import { isConsistent, rootOfInclusion } from '../../../pipelines/transparency/verify-tree.ts'
import { consistencyOf, inclusionOf, memoryTree, vectorEntry } from '../../support/log/memory-tiles.ts'
import { naiveConsistency, naiveInclusion, naiveLeaf, naiveRoot } from '../../support/log/naive-tree.ts'

/** Checks a property of two values; what it returns is nothing. */
function property<A, B>(a: Arbitrary<A>, b: Arbitrary<B>, holds: (a: A, b: B) => void): void {
  fc.assert(
    fc.property(a, b, (one, other) => {
      holds(one, other)
    }),
  )
}

const leavesOf = (size: number) => Array.from({ length: size }, (_, n) => naiveLeaf(vectorEntry(n)))
const texts = (hashes: readonly Uint8Array[]) => hashes.map(hashText)
const SIZE = fc.oneof(fc.nat(600), fc.constantFrom(0, 1, 2, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025))
const BATCHES = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 })

describe('tree', () => {
  test('the root from the edge and from tiles is that of the recursive definition, however the tree was appended to', () => {
    property(SIZE, BATCHES, (size, batches) => {
      const tree = memoryTree(size, batches)
      const root = hashText(naiveRoot(leavesOf(size)))
      expect(hashText(edgeRoot(tree.edge))).toBe(root)
      expect(hashText(rangeHash({ start: 0, end: size }, size, tree.tiles))).toBe(root)
    })
  })

  test('inclusion proofs are those of the recursive definition, and verify', () => {
    property(
      SIZE.filter((size) => size > 0),
      fc.nat(),
      (size, at) => {
        const index = at % size
        const tree = memoryTree(size)
        const proof = inclusionOf(tree, index)
        expect(texts(proof)).toEqual(texts(naiveInclusion(index, leavesOf(size))))
        const leaf = leafHash(vectorEntry(index))
        expect(hashText(rootOfInclusion(leaf, { index, size }, proof)!)).toBe(hashText(edgeRoot(tree.edge)))
        expect(rootOfInclusion(leaf, { index, size }, [...proof, leaf])).toBeNull()
        if (proof.length > 0) expect(rootOfInclusion(leaf, { index, size }, proof.slice(1))).toBeNull()
      },
    )
  })

  test('consistency proofs are those of the recursive definition, and verify for that pair of roots alone', () => {
    property(SIZE, fc.nat(), (size, at) => {
      const old_size = at % (size + 1)
      const tree = memoryTree(size)
      const proof = consistencyOf(tree, old_size)
      expect(texts(proof)).toEqual(texts(naiveConsistency(old_size, leavesOf(size))))
      const old = { size: old_size, root: naiveRoot(leavesOf(old_size)) }
      const now = { size, root: edgeRoot(tree.edge) }
      expect(isConsistent(old, now, proof)).toBe(true)
      const fork = { size: old_size, root: leafHash(Buffer.from('fork')) }
      if (old_size > 0) expect(isConsistent(fork, now, proof)).toBe(false)
      if (old_size < size) expect(isConsistent(now, old, proof)).toBe(false)
      expect(isConsistent(old, now, [...proof, now.root])).toBe(false)
    })
  })

  test('a proof of a tree of 70,000 reads at most two tiles a level', () => {
    for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
      expect(tilesOfRanges(inclusionRanges(index, 70_000), 70_000).length).toBeLessThanOrEqual(6)
    }
    expect(tilesOfRoot(70_000).map(tilePath)).toEqual(['tile/2/000.p/1', 'tile/1/001.p/17', 'tile/0/273.p/112'])
    expect(consistencyRanges(0, 70_000)).toEqual([])
  })

  test('an empty tree has the root of nothing', () => {
    expect(edgeRoot(EMPTY_EDGE)).toEqual(EMPTY_ROOT)
    expect(Buffer.from(EMPTY_ROOT).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    expect(growTree(EMPTY_EDGE, [])).toEqual({ edge: EMPTY_EDGE, tiles: [] })
  })
})

describe('tiles', () => {
  test('a path is read as the address it was made of, and another spelling is none', () => {
    const address = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.nat(63)),
      index: fc.oneof(fc.nat(3000), fc.integer({ min: 0, max: 2 ** 48 })),
      width: fc.integer({ min: 1, max: TILE_WIDTH }),
    })
    property(address, fc.constant(null), (made) => expect(parseTilePath(tilePath(made))).toEqual(made))
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067')
  })

  test.each([
    'tile/64/000',
    'tile/00/000',
    'tile/0/x000/001',
    'tile/0/1',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/../checkpoint',
    'tile/entries/000/',
    'tile/-1/000',
    'key',
  ])('%s is no address', (path) => expect(parseTilePath(path)).toBeNull())

  test('the tiles of a size are as wide as the specification says', () => {
    const widths = (size: number) => edgeTiles(size).map(({ level, index, width }) => `${level}/${index}:${width}`)
    expect(widths(0)).toEqual([])
    expect(widths(256)).toEqual(['entries/0:256', '0/0:256', '1/0:1'])
    expect(widths(70_000)).toEqual(['entries/273:112', '0/273:112', '1/1:17', '2/0:1'])
    expect(widthIn(70_000, { level: 0, index: 272 })).toBe(256)
    expect(widthIn(70_000, { level: 0, index: 274 })).toBe(0)
  })

  test('a hash text is base64 of 32 bytes in its one spelling', () => {
    const text = hashText(EMPTY_ROOT)
    expect(parseHash(text)).toEqual(EMPTY_ROOT)
    for (const other of [text.slice(1), `${text}=`, text.replace('=', ''), text.replace(/.=$/, 'V=')]) {
      expect(parseHash(other)).toBeNull()
    }
  })
})
