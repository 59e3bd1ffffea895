import { createHash } from 'node:crypto'

/** Repeatable choice of items: the order depends on the seed and each item's key alone, not on the other items. */
export type Sampler = {
  /** All items in seeded order. */
  shuffled<T>(items: readonly T[], key: (item: T) => string): readonly T[]
  /** At most `count` items, taken from each group in turn. */
  spread<T>(items: readonly T[], count: number, key: (item: T) => string, group: (item: T) => string): readonly T[]
}

/** Creates a sampler whose choices depend on the seed and the keys alone. */
export function createSampler(seed: number): Sampler {
  const rank = (key: string) => createHash('sha256').update(`${seed} ${key}`).digest('hex')
  const shuffled = <T>(items: readonly T[], key: (item: T) => string): readonly T[] =>
    items
      .map((item) => ({ item, rank: rank(key(item)) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .map(({ item }) => item)
  return {
    shuffled,
    spread(items, count, key, group) {
      const groups = new Map<string, (typeof items)[number][]>()
      for (const item of shuffled(items, key)) groups.set(group(item), [...(groups.get(group(item)) ?? []), item])
      const names = shuffled([...groups.keys()], (name) => name)
      const rounds = Math.max(0, ...[...groups.values()].map(({ length }) => length))
      const taken = Array.from({ length: rounds }, (_, round) =>
        names.flatMap((name) => groups.get(name)!.slice(round, round + 1)),
      )
      return taken.flat().slice(0, count)
    },
  }
}
