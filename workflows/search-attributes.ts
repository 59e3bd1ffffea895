import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common'

/** Custom search attributes of workflows, all keywords. */
export const SEARCH_ATTRIBUTES = ['venue_id', 'index_id'] as const
export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number]

/** Returns the search attributes of a workflow for a venue or an index, without nulls. */
export function searchAttributes(
  values: {
    readonly [name in SearchAttributeName]?: string | null
  },
): SearchAttributePair[] {
  return SEARCH_ATTRIBUTES.flatMap((name) => {
    const value = values[name] ?? null
    return value === null ? [] : [{ key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD), value }]
  })
}
