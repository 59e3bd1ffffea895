import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common'

/** What workflows can be found by, beside what Temporal itself knows. Keywords. */
export const SEARCH_ATTRIBUTES = ['venue_id', 'index_id'] as const
export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number]

/** The attributes of a workflow that is about a venue or an index; what is null is left out. */
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
