import { expect, test } from 'vitest'
import { kindsOf, QUEUE_NAMES, servedQueues } from '../../workflows/task-queues.ts'

const queuesOf = (...names: readonly (typeof QUEUE_NAMES)[number][]) =>
  servedQueues(kindsOf(names), ['kalshi', 'usgs']).map(
    ({ name, workflows }) => `${name}${workflows ? ' with workflows' : ''}`,
  )

test('a name of an earlier release stands for kinds of work, and all names for each kind once', () => {
  expect(kindsOf(['live', 'bulk', 'trading'])).toEqual(kindsOf(QUEUE_NAMES).toSorted((a, b) => order(a) - order(b)))
  expect(kindsOf(['publish', 'live'])).toEqual(['publish', 'ingest'])
})

const order = (kind: string) =>
  ['publish', 'ingest', 'compute', 'replay', 'backfill', 'settlement', 'venue'].indexOf(kind)

test('each kind has queues of its own, and the earlier queue of its workflows', () => {
  expect(queuesOf('publish')).toEqual(['tidemark with workflows', 'tidemark-publish'])
  expect(queuesOf('ingest')).toEqual(['tidemark with workflows', 'tidemark-ingest-kalshi', 'tidemark-ingest-usgs'])
  expect(queuesOf('compute')).toEqual(['tidemark-bulk with workflows', 'tidemark-compute'])
  expect(queuesOf('replay')).toEqual(['tidemark-bulk with workflows', 'tidemark-replay'])
  expect(queuesOf('backfill')).toEqual(['tidemark-bulk with workflows', 'tidemark-backfill'])
  expect(queuesOf('trading')).toEqual(['tidemark-settlement with workflows', 'tidemark-own-venue with workflows'])
})

test('no queue is served twice', () => {
  const all = queuesOf(...QUEUE_NAMES)
  expect(new Set(all).size).toBe(all.length)
})
