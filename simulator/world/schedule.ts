import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { WorldOptions } from './options.ts'
import { createRandom } from './random.ts'

/**
 * End of an event within the world: none; a final resolution; a first proposal that is disputed and then overturned or upheld;
 * voided.
 */
export type Fate = 'open' | 'resolved' | 'overturned' | 'upheld' | 'voided'

/** Fates in the order of events: the second one is already disputed; most of many stay open. */
export const FATES: readonly Fate[] = [
  ...(['open', 'overturned', 'resolved', 'open', 'voided', 'open', 'upheld', 'resolved'] as const),
  ...(['open', 'open', 'open', 'resolved', 'open', 'open', 'open', 'open'] as const),
]

/** Transitions of an event; null = not within this world. */
export type EventSchedule = {
  readonly opens_at: Micros
  /** The truth becomes known, and trading follows it. */
  readonly decided_at: Micros | null
  readonly closes_at: Micros | null
  readonly proposed_at: Micros | null
  readonly disputed_at: Micros | null
  readonly final_at: Micros | null
}

const PER_MILLE_OF_DAY = MICROS_PER_DAY / 1_000

/** Returns the schedule of one event, spread over the middle of the world whatever its length. */
export function scheduleOf({ seed, start, days }: WorldOptions, event: number, fate: Fate): EventSchedule {
  const random = createRandom(seed, 'schedule', event)
  const at = (per_mille: number) => {
    const micros = per_mille * days * PER_MILLE_OF_DAY
    return start + micros - (micros % MICROS_PER_SECOND)
  }
  // Every fifth event is listed only after the world has started.
  const opens_at = event % 5 === 4 ? at(random.between(100, 200)) : start - random.between(5, 60) * MICROS_PER_DAY
  if (fate === 'open') {
    return { opens_at, decided_at: null, closes_at: null, proposed_at: null, disputed_at: null, final_at: null }
  }
  const decided = random.between(450, 580)
  const closes = decided + random.between(60, 100)
  const proposed = closes + random.between(15, 25)
  const disputed = fate === 'overturned' || fate === 'upheld' ? proposed + random.between(15, 25) : null
  const final = (disputed ?? proposed) + random.between(60, 90)
  return {
    opens_at,
    decided_at: at(decided),
    closes_at: at(closes),
    proposed_at: at(proposed),
    disputed_at: disputed === null ? null : at(disputed),
    final_at: at(final),
  }
}
