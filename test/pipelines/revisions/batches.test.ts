import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchesOf, recordsDigest, WALL_BATCH_ROWS } from '../../../pipelines/revisions/batches.ts'

const records = (instants: readonly number[]) => instants.map((received_at) => ({ received_at }))

test('recorded clock: one commit per distinct received_at', () => {
  expect(batchesOf(records([5, 5, 7, 9, 9, 9]), 'recorded')).toEqual([
    { sequence: 1, from: 0, to: 2, turn: 5 },
    { sequence: 2, from: 2, to: 3, turn: 7 },
    { sequence: 3, from: 3, to: 6, turn: 9 },
  ])
})

test('recorded clock: an instant with more rows than a wall commit is still one commit', () => {
  const many = records(new Array<number>(WALL_BATCH_ROWS + 1).fill(3))
  expect(batchesOf(many, 'recorded')).toHaveLength(1)
  expect(batchesOf(many, 'wall').map(({ from, to }) => to - from)).toEqual([WALL_BATCH_ROWS, 1])
})

test('batches cover every place once, in order, under both clocks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 5 })),
      fc.constantFrom('wall' as const, 'recorded' as const),
      (instants, clock) => {
        const sorted = records(instants.toSorted((a, b) => a - b))
        const batches = batchesOf(sorted, clock)
        expect(batches.map((b) => b.sequence)).toEqual(batches.map((_, n) => n + 1))
        expect(batches.flatMap(({ from, to }) => sorted.slice(from, to))).toEqual(sorted)
      },
    ),
  )
})

test('a digest names the records, their chains and their order', () => {
  const digest = (rows: readonly (readonly [string, number, string])[]) =>
    recordsDigest(
      rows.map(([, received_at, content]) => ({ received_at, content })),
      rows.map(([key]) => key),
      ({ content }) => ({ kind: 'open', content }),
    )
  const whole = digest([
    ['a', 1, 'x'],
    ['b', 2, 'y'],
  ])
  expect(
    digest([
      ['a', 1, 'x'],
      ['b', 2, 'y'],
    ]),
  ).toBe(whole)
  const others = [
    digest([
      ['b', 2, 'y'],
      ['a', 1, 'x'],
    ]),
    digest([
      ['a', 1, 'x'],
      ['b', 2, 'z'],
    ]),
    digest([['a', 1, 'x']]),
  ]
  expect(new Set([whole, ...others]).size).toBe(4)
})
