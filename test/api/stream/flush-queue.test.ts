import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FlushQueue } from '../../../api/stream/flush-queue.ts'
import type { Outbox } from '../../../api/stream/outbox.ts'

const FLUSH_MS = 5

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue and an outbox that says when it was flushed, in milliseconds from the start. */
function flushes() {
  const started = performance.now()
  const at: number[] = []
  const outbox = { flush: () => void at.push(performance.now() - started) } as unknown as Outbox
  return { at, outbox, queue: new FlushQueue(FLUSH_MS, () => undefined) }
}

test('what comes after a pause goes out in its turn, not before the turn is over', async () => {
  const { at, outbox, queue } = flushes()
  queue.add(outbox)
  expect(at).toEqual([])
  await vi.advanceTimersByTimeAsync(0)
  expect(at).toEqual([0])
  await vi.advanceTimersByTimeAsync(FLUSH_MS)
  queue.add(outbox)
  await vi.advanceTimersByTimeAsync(0)
  expect(at).toEqual([0, FLUSH_MS])
})

test('what comes soon after a flush waits until the time is over, all of it together', async () => {
  const { at, outbox, queue } = flushes()
  queue.add(outbox)
  await vi.advanceTimersByTimeAsync(2)
  queue.add(outbox)
  await vi.advanceTimersByTimeAsync(2)
  queue.add(outbox)
  expect(at).toEqual([0])
  await vi.advanceTimersByTimeAsync(1)
  expect(at).toEqual([0, FLUSH_MS, FLUSH_MS])
  await vi.advanceTimersByTimeAsync(10 * FLUSH_MS)
  expect(at).toHaveLength(3)
})

test('what a flush itself asks for waits for the next', async () => {
  const { at, outbox, queue } = flushes()
  queue.add({ flush: () => queue.add(outbox) } as unknown as Outbox)
  await vi.advanceTimersByTimeAsync(FLUSH_MS - 1)
  expect(at).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(at).toEqual([FLUSH_MS])
})
