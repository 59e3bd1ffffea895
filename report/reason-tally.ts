import type { InputReason } from '../pipelines/index/exact/input-reason.ts'
import type { Instant } from '../primitives/instants.ts'

/** One reason of one constituent, over the ticks at which it holds. */
export type ReasonRow = InputReason & {
  readonly ticks: number
  readonly first_tick_at: Instant
  readonly last_tick_at: Instant
}

/** Returns the legs of a row as text; a leg with a reason of its own has its code. */
export function legsText({ legs, reason_code }: InputReason): string {
  return legs.map((leg) => `${legName(leg)}${leg.reason_code === reason_code ? '' : ` ${leg.reason_code}`}`).join(', ')
}

function legName({ venue_id, source_market_id, outcome }: InputReason['legs'][number]): string {
  return `${venue_id}/${source_market_id}/${outcome}`
}

/** Counts the ticks with a reason, by constituent and legs; added in the order of ticks. `known_at` is that of the last entry. */
export class ReasonTally {
  readonly #rows = new Map<string, ReasonRow>()

  add(tick_at: Instant, reason: InputReason): void {
    const legs = reason.legs.map(legName).join()
    const key = [reason.constituent_id, reason.state, reason.reason_code, legs].join('\n')
    const known = this.#rows.get(key)
    this.#rows.set(key, {
      ...reason,
      ticks: (known?.ticks ?? 0) + (known?.last_tick_at === tick_at ? 0 : 1),
      first_tick_at: known?.first_tick_at ?? tick_at,
      last_tick_at: tick_at,
    })
  }

  /** Returns the rows by constituent, each in the order of its first tick. */
  rows(): readonly ReasonRow[] {
    return [...this.#rows.values()].sort((a, b) =>
      a.constituent_id === b.constituent_id ? 0 : a.constituent_id < b.constituent_id ? -1 : 1,
    )
  }
}
