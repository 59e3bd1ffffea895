import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../primitives/errors.ts'
import { inclusionProof, leafHash, nodeHash, treeRoot, verifyInclusion } from './hash-tree.ts'

/** The leaves and roots of the test vectors published with Certificate Transparency's reference implementation. */
const VECTOR_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const VECTOR_ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const leaves = VECTOR_LEAVES.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))

describe('RFC 6962 test vectors', () => {
  test('the empty tree is the hash of nothing', () => {
    expect(treeRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  test.each(VECTOR_ROOTS.map((root, i) => [i + 1, root] as const))('root of %i leaves', (count, root) => {
    expect(treeRoot(leaves.slice(0, count))).toBe(root)
  })
})

test('a leaf is text in UTF-8 or its bytes', () => {
  expect(leafHash('Gezeiten ü')).toBe(leafHash(new TextEncoder().encode('Gezeiten ü')))
})

test('a node cannot pass for a leaf', () => {
  const [left, right] = [leafHash('a'), leafHash('b')]
  expect(leafHash(Buffer.from(left + right, 'hex'))).not.toBe(nodeHash(left, right))
  expect(treeRoot(['a', 'b'])).toBe(nodeHash(left, right))
})

const texts = fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 40 })

test('every leaf of every tree has a proof that leads to the root', () => {
  fc.assert(
    fc.property(texts, (data) => {
      const root = treeRoot(data)
      return data.every((leaf, i) => verifyInclusion(leaf, i, data.length, inclusionProof(data, i), root))
    }),
  )
})

test('a proof shows nothing else: not another leaf, place, size, root or sibling', () => {
  const data = fc.uniqueArray(fc.string({ maxLength: 6 }), { minLength: 2, maxLength: 40 })
  fc.assert(
    fc.property(data, fc.nat(), fc.nat(), (list, a, b) => {
      const i = a % list.length
      const j = b % list.length
      const root = treeRoot(list)
      const proof = inclusionProof(list, i)
      if (i !== j) {
        expect(verifyInclusion(list[j]!, i, list.length, proof, root)).toBe(false)
        expect(verifyInclusion(list[i]!, j, list.length, proof, root)).toBe(false)
      }
      expect(verifyInclusion(list[i]!, i, list.length, proof.slice(1), root)).toBe(false)
      expect(verifyInclusion(list[i]!, i, list.length, [...proof, proof[0]!], root)).toBe(false)
      expect(verifyInclusion(list[i]!, i, list.length, [leafHash('no sibling'), ...proof.slice(1)], root)).toBe(false)
      expect(verifyInclusion(list[i]!, i, list.length, proof, leafHash('no root'))).toBe(false)
      expect(verifyInclusion(list[i]!, list.length, list.length, proof, root)).toBe(false)
    }),
  )
})

test('a proof is as long as the tree is high', () => {
  expect(inclusionProof(['a'], 0)).toEqual([])
  const many = Array.from({ length: 1000 }, (_, i) => String(i))
  expect(inclusionProof(many, 0)).toHaveLength(10)
})

test.each([-1, 3, 0.5])('a place that is no leaf is a bug: %d', (index) => {
  expect(() => inclusionProof(['a', 'b', 'c'], index)).toThrow(InvariantError)
})
