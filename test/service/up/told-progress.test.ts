import { afterEach, expect, test, vi } from 'vitest'
import { toldProgress } from '../../../service/up/told-progress.ts'

afterEach(() => vi.useRealTimers())

test('long work tells its steps, and every half a minute without one that it still runs, until it has ended', () => {
  vi.useFakeTimers()
  const notes: string[] = []
  const { on_step, end } = toldProgress((text) => notes.push(text), 'the API answers 503')
  vi.advanceTimersByTime(20_000)
  on_step('importing')
  vi.advanceTimersByTime(29_000)
  expect(notes).toEqual(['… importing'])
  vi.advanceTimersByTime(31_000)
  end()
  vi.advanceTimersByTime(90_000)
  expect(notes).toEqual([
    '… importing',
    '… still importing, 50 s since the start; the API answers 503',
    '… still importing, 80 s since the start; the API answers 503',
  ])
})
