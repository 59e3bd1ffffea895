import type { BooksAtTick } from '../../pipelines/robustness/constituent-depth.ts'
import type { MissingRules, PublishedLevel } from '../../pipelines/robustness/published-level.ts'
import type { PreviewedLevel } from '../../pipelines/robustness/resolution-preview.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { indexObservationWithInputs } from './index-observation.ts'
import { fieldsOf } from './pick.ts'

/** Default of `quality.usable_min`, for methodologies without the parameter. */
const USABLE_MIN = '0.50'

/** Returns a stored level with its inputs, as its endpoint shows them. */
export function publishedLevelOf(row: Row): PublishedLevel {
  return indexObservationWithInputs(row) as unknown as PublishedLevel
}

/** Returns a stored level with the freshness and times of its legs. */
export function previewedLevelOf(row: Row): PreviewedLevel {
  return indexObservationWithInputs(row) as unknown as PreviewedLevel
}

/** Returns the rules by which inputs of a level may be missing. */
export function missingRulesOf(catalog: Catalog, row: Row): MissingRules {
  const version = catalog.version(String(row.index_version_id))
  const methodology = catalog.methodology(String(row.methodology_id), String(row.methodology_version))
  const parameters = JSON.parse(String(methodology?.parameters ?? '{}')) as Record<string, string | null>
  return {
    minimum_coverage_ratio: String(version?.minimum_coverage_ratio ?? '0'),
    usable_min: parameters['quality.usable_min'] ?? USABLE_MIN,
  }
}

/** Returns the outcomes whose books a level's depths come from, with their markets. */
export function outcomesWithDepth({ inputs }: PublishedLevel): readonly { market_id: string; outcome_id: string }[] {
  const single = inputs.filter(({ legs }) => legs.length === 1)
  return single.map(({ legs: [leg] }) => ({ market_id: leg!.market_id, outcome_id: leg!.outcome_id }))
}

/** Returns stored books by outcome. */
export function booksByOutcome(books: readonly Row[]): BooksAtTick {
  return new Map(
    books.map((book) => [String(book.outcome_id), book as unknown as NonNullable<ReturnType<BooksAtTick['get']>>]),
  )
}

const LEVEL_FIELDS = [
  'index_id',
  'observation_id',
  'index_version_id',
  'methodology_id',
  'methodology_version',
  'tick_at',
  'published_at',
  'level',
  'quality_state',
] as const
const BOOK_FIELDS = ['market_id', 'outcome_id', 'price_unit', 'source_at', 'published_at'] as const

/** Returns the fields that name the level which something is of, and the books behind it. */
export function ofLevel(row: Row, is_priced: boolean, books: readonly Row[]) {
  return {
    ...fieldsOf(row, LEVEL_FIELDS),
    reason: is_priced ? null : 'NO_LEVEL',
    books: books.map((book) => fieldsOf(book, BOOK_FIELDS)),
  }
}
