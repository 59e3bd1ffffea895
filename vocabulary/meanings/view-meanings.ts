import { ASSESSMENT_VIEWS } from './assessment-views.ts'
import { COLUMN_MEANINGS } from './column-meanings.ts'
import { INDEX_VIEWS } from './index-views.ts'
import { MARKET_VIEWS } from './market-views.ts'
import type { ViewMeaning } from './view-meaning.ts'

/** The one description of the views: `tidemark describe`, the shell, docs/views.md and the contract show it. */
export const VIEW_MEANINGS: Readonly<Record<string, ViewMeaning>> = {
  ...MARKET_VIEWS,
  ...INDEX_VIEWS,
  ...ASSESSMENT_VIEWS,
}

/** Returns the meaning of a column of a view; null: the view has none of that name, and no view has. */
export function columnMeaning(view: string, column: string): string | null {
  return VIEW_MEANINGS[view]?.columns[column] ?? COLUMN_MEANINGS[column] ?? null
}
