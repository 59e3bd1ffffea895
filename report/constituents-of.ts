import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import type { TickInput } from '../pipelines/index/exact/tick-inputs.ts'
import type { Constituent } from '../pipelines/index/version.ts'
import type { KeptTick } from './replay-summary.ts'

/** A kept tick with its constituents worked out. */
export type TickWithInputs = KeptTick & { readonly parts: readonly TickInput[] }

/** Every constituent of the versions in the range, as its last version has it, by id. */
export function constituentsOf({ versions }: ReplaySubject): readonly Constituent[] {
  const all = new Map(versions.flatMap(({ constituents }) => constituents.map((c) => [c.constituent_id, c] as const)))
  return [...all.values()].sort((a, b) => (a.constituent_id < b.constituent_id ? -1 : 1))
}

/** Inputs by constituent. */
export function byId(inputs: readonly TickInput[]): ReadonlyMap<string, TickInput> {
  return new Map(inputs.map((input) => [input.constituent_id, input]))
}
