import { type Micros, toMicros } from '../primitives/instants.ts'
import { Thinner } from './thinner.ts'

/** A tick of the data of an impact; null: no value. */
export type ImpactTick = {
  readonly at: Micros
  readonly tick_at: string
  readonly level_before: string | null
  readonly level_after: string | null
  readonly difference: string | null
  readonly basis_points: string | null
  readonly state_before: string | null
  readonly state_after: string | null
}

/** Ticks that a page shows: all, or of many those that keep the extremes. */
export type ImpactTicks = { readonly ticks: readonly ImpactTick[]; readonly thinned: boolean; readonly count: number }

/** Keeps of the lines of the data what a page needs, in bounded memory. */
export class ImpactTickKeeper {
  readonly #thinner = new Thinner<ImpactTick>([
    { of: ({ difference }) => difference, keep: 'both', gaps: true },
    { of: ({ level_before }) => level_before, keep: 'both', gaps: false },
    { of: ({ level_after }) => level_after, keep: 'both', gaps: false },
  ])
  #count = 0

  #has_ticks: boolean | null = null

  /** Adds whole lines of CSV; the first line of all is the header. Data with other columns are left out. */
  add(lines: string): void {
    this.#has_ticks ??= lines.startsWith('tick_at')
    if (!this.#has_ticks) return
    for (const line of lines.split('\n')) {
      if (line === '' || line.startsWith('tick_at')) continue
      this.#count += 1
      this.#thinner.add(tickOf(line))
    }
  }

  result(): ImpactTicks {
    return { ticks: this.#thinner.items(), thinned: this.#thinner.thinned, count: this.#count }
  }
}

function tickOf(line: string): ImpactTick {
  const cells = line.split(',').map((cell) => (cell === '' ? null : cell))
  const [tick_at, level_before, level_after, difference, basis_points, state_before, state_after] = cells
  return {
    at: toMicros(tick_at),
    tick_at: tick_at!,
    level_before: level_before!,
    level_after: level_after!,
    difference: difference!,
    basis_points: basis_points!,
    state_before: state_before!,
    state_after: state_after!,
  }
}
