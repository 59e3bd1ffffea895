import { describe, expect, test } from 'vitest'
import { createLevelSequence } from '../../../pipelines/index/level-sequence.ts'
import type { IndexVersion } from '../../../pipelines/index/version.ts'
import { toMicros } from '../../../primitives/instants.ts'

const HOUR = 3_600_000_000
const at = (hour: number) => `2026-01-01T0${hour}:00:00Z`
const VERSION = { effective_from: toMicros(at(0)), effective_to: null, frequency: HOUR } as IndexVersion

/** Levels by the letter of their state at each hour; `-` is a tick without one. */
function gapsOf(states: string) {
  const NAMES: Record<string, string> = { v: 'valid', d: 'degraded', i: 'indicative', s: 'stale', x: 'suspended' }
  const sequence = createLevelSequence()
  for (const [hour, letter] of [...states].entries()) {
    const level = { tick_at: at(hour), revision: 1, observation_id: `iob_${hour}`, supersedes_id: null }
    if (letter !== '-') sequence.add({ ...level, quality_state: NAMES[letter]! })
  }
  return sequence.gaps('idx_a', [VERSION])
}

describe('a tick without a level', () => {
  test.each(['vvvv', 'vs--v', 'vx-sv', '', 'v'])('is none in %s', (states) => expect(gapsOf(states)).toBeNull())

  test.each([
    ['v-v', 1, 1],
    ['-v', 1, 0],
    ['vs--v-d', 1, 5],
    ['d-i-v', 2, 1],
  ])('is noted in %s', (states, missing, first) => {
    expect(gapsOf(states)).toMatchObject({ missing, expected: states.length, first_missing: at(first) })
  })
})
