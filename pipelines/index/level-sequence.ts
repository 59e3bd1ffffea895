import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { ticksIn } from '../../primitives/ranges.ts'
import type { Mismatch } from './rebuild-leg.ts'
import type { IndexVersion } from './version.ts'

/** Ticks of an index that have no level and need one, up to its last level. */
export type LevelGaps = {
  readonly index_id: string
  /** Ticks that the versions' calculation_frequency gives. */
  readonly expected: number
  readonly missing: number
  readonly first_missing: Instant
}

type Inactive = { readonly from: Micros; readonly to: Micros }

type Level = {
  readonly tick_at: string
  readonly revision: number
  readonly observation_id: string
  readonly supersedes_id: string | null
  readonly quality_state: string
}

/** States whose unbroken runs have one level each, at the first tick of the run (methodology index-2, section 12). */
const ONE_A_RUN: readonly string[] = ['stale', 'suspended']

/** Levels of one history, in its order: each revision once, none left out. */
export type LevelSequence = {
  /** Adds a level. @returns how it contradicts the revisions before it; null: it is the next of its tick */
  add(level: Level): Mismatch | null
  /**
   * Returns the ticks without a level; null: there are none.
   * @param versions by effective_from
   * @param inactive spans in which the index was suspended or archived, so that no tick needs a level
   */
  gaps(index_id: string, versions: readonly IndexVersion[], inactive?: readonly Inactive[]): LevelGaps | null
}

/** Creates the sequence of a history that begins. */
export function createLevelSequence(): LevelSequence {
  const newest = new Map<Micros, Pick<Level, 'revision' | 'observation_id' | 'quality_state'>>()
  return {
    add({ tick_at, revision, observation_id, supersedes_id, quality_state }) {
      const tick = toMicros(tick_at, 'tick_at')
      const before = newest.get(tick)
      newest.set(tick, { revision, observation_id, quality_state })
      const next = (before?.revision ?? 0) + 1
      if (revision !== next) return { step: 'list: revision', expected: String(revision), actual: String(next) }
      const superseded = before?.observation_id ?? null
      if (supersedes_id === superseded) return null
      return { step: 'list: supersedes_id', expected: String(supersedes_id), actual: String(superseded) }
    },
    gaps(index_id, versions, inactive = []) {
      const last = [...newest.keys()].reduce((latest, tick) => Math.max(latest, tick), Number.NEGATIVE_INFINITY)
      const isActive = (tick: Micros) => !inactive.some(({ from, to }) => from <= tick && tick < to)
      const expected = versions.flatMap((version) => ticksOf(version, last)).filter(isActive)
      let state = ''
      const missing = expected.filter((tick) => {
        const level = newest.get(tick)
        state = level?.quality_state ?? state
        return level === undefined && !ONE_A_RUN.includes(state)
      })
      const [first] = missing
      if (first === undefined) return null
      return { index_id, expected: expected.length, missing: missing.length, first_missing: formatMicros(first) }
    },
  }
}

function ticksOf({ effective_from, effective_to, frequency }: IndexVersion, last: Micros): Micros[] {
  const to = Math.min(effective_to ?? Number.POSITIVE_INFINITY, last + 1)
  return [...ticksIn({ from: effective_from, to }, frequency)]
}
