import { describe, expect, test } from 'vitest'
import type { Experience } from '../../../tools/reliability/hostile/bystanders.ts'
import { PROMISED, rowOf } from '../../../tools/reliability/hostile/run-hostile.ts'

/** Verdicts of the lane; test/service/one-home/attack-tests.ts attacks a service. */
const STILL = { files: 0, memory_mib: 0, descriptors: 0 }
const USUAL = { files: 500, memory_mib: 50, descriptors: 2 }
const SERVED: Experience = { order_ms: [10], read_ms: [10], level_ms: [1000], failures: [] }
const violationsOf = (changes: Partial<Experience>, grown = STILL, usual: typeof STILL | null = USUAL) =>
  rowOf({ attack: 'x', seconds: 60 }, { ...SERVED, ...changes }, { grown, usual }, {}).violations

describe('a row has a violation where', () => {
  test.each([
    ['orders are slow', { order_ms: [PROMISED.order_p99_ms + 1] }, 'x: order p99 is 251; promised: at most 250 ms'],
    ['reads are slow', { read_ms: [PROMISED.read_p99_ms + 1] }, 'x: read p99 is 501; promised: at most 500 ms'],
    ['a level is late', { level_ms: [6001] }, 'x: level after its tick is 6001; promised: at most 6000 ms'],
    ['somebody is refused', { failures: ['read: 503'] }, 'x: read: 503'],
    ['nobody is served', { read_ms: [] }, 'x: nobody else was served'],
  ])('%s', (_, changes, violation) => {
    expect(violationsOf(changes)).toEqual([violation])
  })

  test('files, memory or connections grow by more than they do without an attack', () => {
    expect(violationsOf({}, { files: 601, memory_mib: 251, descriptors: 403 })).toHaveLength(3)
    expect(violationsOf({}, { files: 600, memory_mib: 250, descriptors: 402 })).toEqual([])
    expect(violationsOf({}, { files: 9_000, memory_mib: 900, descriptors: 9_000 }, null)).toEqual([])
  })
})
