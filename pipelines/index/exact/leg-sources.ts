import type { Micros } from '../../../primitives/instants.ts'
import type { SettleFrom } from '../../../vocabulary/index-level.ts'
import type { LegData } from '../admission.ts'
import type { Leg } from '../version.ts'
import { type LegSource, legSource } from './leg-source.ts'
import { legReach } from './reach.ts'
import { type TightBooks, tightBooks } from './tight-books.ts'

/**
 * Records of legs, each prepared once and shared by every composition, version and replay that reads them.
 */
export class LegSources {
  readonly #load: (leg: Leg) => LegData
  readonly #data = new Map<string, LegData>()
  readonly #sources = new Map<string, LegSource>()
  readonly #reaches = new Map<string, number>()
  readonly #books = new Map<LegSource, Map<number, TightBooks>>()

  /** @param load returns all records of a leg, before admission */
  constructor(load: (leg: Leg) => LegData) {
    this.#load = load
  }

  /** Returns a leg's records as loaded. */
  dataOf(leg: Leg): LegData {
    return remembered(this.#data, leg.key, () => this.#load(leg))
  }

  /** Returns a leg's records under a grace and a rule of settlement. */
  sourceOf(leg: Leg, grace: Micros, settle_from: SettleFrom): LegSource {
    const key = `${grace}\u001f${settle_from}\u001f${leg.key}`
    return remembered(this.#sources, key, () => legSource(this.dataOf(leg), grace, settle_from))
  }

  /** Returns the largest distance of a leg's marks from one half. */
  reachOf(leg: Leg, fixing: boolean): number {
    return remembered(this.#reaches, `${fixing}\u001f${leg.key}`, () => legReach(this.dataOf(leg), fixing))
  }

  /** Returns the columns that the bulk replay reads from a leg's own quotes. */
  booksOf(source: LegSource, s_tight: number): TightBooks {
    const bySpread = remembered(this.#books, source, () => new Map<number, TightBooks>())
    return remembered(bySpread, s_tight, () => tightBooks(source.own, s_tight))
  }
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
