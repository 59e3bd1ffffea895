import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listenForStop, SAME_SIGNAL_MS, STOP_GRACE_MS } from '../../service/shutdown.ts'
import { tidemark } from '../support/run-cli.ts'

class FakeProcess extends EventEmitter {
  readonly exits: number[] = []
  text = ''
  readonly stderr = {
    write: (text: string) => {
      this.text += text
    },
  }
  exit(code: number): void {
    this.exits.push(code)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the first signal', () => {
  test.each([['SIGINT', 130] as const, ['SIGTERM', 143] as const])(
    '%s asks the work to stop; exit code %i',
    (name, code) => {
      const source = new FakeProcess()
      const stop = listenForStop(source)
      expect([stop.signal.aborted, stop.exitCode()]).toEqual([false, null])
      source.emit(name)
      expect([stop.signal.aborted, stop.exitCode(), source.exits]).toEqual([true, code, []])
    },
  )

  test('gives the work a grace, then leaves', async () => {
    const source = new FakeProcess()
    const stop = listenForStop(source)
    let left: number | null = null
    void stop.overdue.then((code) => {
      left = code
    })
    source.emit('SIGTERM')
    await vi.advanceTimersByTimeAsync(STOP_GRACE_MS - 1)
    expect(left).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(left).toBe(143)
  })
})

test('the second signal ends the process at once', async () => {
  const source = new FakeProcess()
  listenForStop(source)
  source.emit('SIGINT')
  expect(source.text).toContain('press Ctrl-C again')
  await vi.advanceTimersByTimeAsync(SAME_SIGNAL_MS)
  source.emit('SIGINT')
  expect(source.exits).toEqual([130])
})

test('what a terminal and npm both hand on is one signal', async () => {
  const source = new FakeProcess()
  listenForStop(source)
  source.emit('SIGINT')
  source.emit('SIGINT')
  await vi.advanceTimersByTimeAsync(SAME_SIGNAL_MS - 1)
  source.emit('SIGINT')
  expect(source.exits).toEqual([])
})

test('a run that was stopped ends with the signal’s exit code', async () => {
  const source = new FakeProcess()
  const stop = listenForStop(source)
  source.emit('SIGINT')
  expect((await tidemark(['config'], { stop })).exit_code).toBe(130)
})
