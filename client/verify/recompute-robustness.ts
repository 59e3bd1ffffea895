import type { BooksAtTick } from '../../pipelines/robustness/constituent-depth.ts'
import { bandOfLevel, robustnessOfLevel } from '../../pipelines/robustness/level-robustness.ts'
import type { MissingRules, PublishedLevel } from '../../pipelines/robustness/published-level.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { BOOK_DEPTH } from '../../protocol/limits.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import type { Methodology } from '../../protocol/resources/methodology.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { ExecutableBand, LevelRobustness } from '../../protocol/resources/robustness.ts'
import type { PublicApi } from '../http/public-api.ts'

/** Answer of a service with its recomputation from the public records that it names. */
export type Recomputed<T> = { readonly stated: T; readonly found: unknown; readonly agrees: boolean }

type OfLevel = {
  readonly index_id: string
  /** Left out: the latest level. */
  readonly observation_id?: string
}

/** Asks for the bound and cost of a level, and computes both again from the level, its version, its methodology and the books. */
export async function recomputeRobustness(
  api: PublicApi,
  { basis_points, ...level }: OfLevel & { readonly basis_points?: number },
): Promise<Recomputed<LevelRobustness>> {
  const query = { observation_id: level.observation_id, basis_points }
  const stated = await api.read<LevelRobustness>(`/indexes/${level.index_id}/robustness`, query)
  const { record, rules, books } = await fetchLevel(api, stated)
  const moved_by = stated.manipulation_cost?.basis_points ?? 1
  const found = robustnessOfLevel(record, rules, books, moved_by)
  const { missing_input, manipulation_cost } = stated
  const shown = missing_input === null ? null : { missing_input, manipulation_cost }
  return { stated, found, agrees: isSame(shown, found) }
}

/** Asks for the executable band of a level, and computes it again. */
export async function recomputeBand(
  api: PublicApi,
  { notional, ...level }: OfLevel & { readonly notional: string },
): Promise<Recomputed<ExecutableBand>> {
  const query = { observation_id: level.observation_id, notional }
  const stated = await api.read<ExecutableBand>(`/indexes/${level.index_id}/executable-band`, query)
  const { record, rules, books } = await fetchLevel(api, stated)
  const found = bandOfLevel(record, rules, books, notional)
  const { bid, ask } = stated
  return { stated, found, agrees: isSame(bid === null ? null : { notional: stated.notional, bid, ask }, found) }
}

function isSame(stated: unknown, found: unknown): boolean {
  return canonicalJson(stated) === canonicalJson(found)
}

/** Fetches the public records of a level: with its inputs, the rules for missing ones, and the books. */
async function fetchLevel(api: PublicApi, { index_id, observation_id, books }: LevelRobustness | ExecutableBand) {
  const record = await api.read<PublishedLevel & { readonly index_version_id: string }>(
    `/indexes/${index_id}/prices/${observation_id}`,
    { expand: 'inputs' },
  )
  const version = await api.read<IndexVersion>(`/indexes/${index_id}/versions/${record.index_version_id}`)
  const { methodology_id, methodology_version, minimum_coverage_ratio } = version
  const { parameters } = await api.read<Methodology>(`/methodologies/${methodology_id}/versions/${methodology_version}`)
  const usable_min = (parameters as Readonly<Record<string, string>>)['quality.usable_min']!
  const rules: MissingRules = { minimum_coverage_ratio, usable_min }
  return { record, rules, books: await fetchBooks(api, books) }
}

/** Fetches each book as of its publication: then it was the newest. */
async function fetchBooks(api: PublicApi, named: LevelRobustness['books']): Promise<BooksAtTick> {
  const entries = named.map(async ({ market_id, outcome_id, published_at, source_at, price_unit }) => {
    const query = { outcome_id, depth: BOOK_DEPTH.max, as_of: published_at }
    const book = await api.read<OrderBook>(`/markets/${market_id}/orderbook`, query)
    return book.source_at === source_at ? [[outcome_id, { ...book, price_unit }] as const] : []
  })
  return new Map((await Promise.all(entries)).flat())
}
