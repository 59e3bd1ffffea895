import type { Route } from '../data/address.ts'
import type { Query } from '../data/api-client.ts'

/** Fields of the address that choose and order the list. */
export const LIST_FIELDS = ['q', 'venue_id', 'category', 'state', 'band', 'sort'] as const
export type ListField = (typeof LIST_FIELDS)[number]
export type ListChoice = Readonly<Record<ListField, string | null>>

/** Markets of a page. */
const PAGE_ROWS = 25
/** Shortest text that is searched for. */
export const SEARCH_MIN = 3

/** Name of each field in the API. */
const PARAMETERS = {
  q: 'q',
  venue_id: 'venue_id',
  category: 'category',
  state: 'status',
  band: 'rating_band',
  sort: 'sort',
} as const satisfies Record<ListField, string>

/** Returns the query of a page of the list. A search text that is too short asks for all. */
export function listQuery(choice: ListChoice, cursor: string | null): Query {
  const asked = LIST_FIELDS.flatMap((field): [string, string][] => {
    const value = field === 'q' ? searchText(choice.q) : choice[field]
    return value === null ? [] : [[PARAMETERS[field], value]]
  })
  return { ...Object.fromEntries(asked), limit: PAGE_ROWS, ...(cursor === null ? {} : { cursor }) }
}

/** Returns the text that is searched for; null: none, or too short. */
export function searchText(text: string | null): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed.length < SEARCH_MIN ? null : trimmed
}

/** Returns the choice of an address. */
export function choiceOf(route: Route): ListChoice {
  const { q, venue_id, category, state, band, sort } = route
  return { q, venue_id, category, state, band, sort }
}

/** Returns the change of the address for one field; another choice begins at the first page. */
export function withChoice(field: ListField, value: string): Partial<Route> {
  return { [field]: value === '' ? null : value, cursor: null }
}

/** Returns the row that a key moves the focus to; null: the key moves nowhere. */
export function nextRow(key: string, at: number, rows: number): number | null {
  const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows - 1 }
  const wanted = moves[key]
  return wanted === undefined || rows === 0 ? null : Math.min(Math.max(wanted, 0), rows - 1)
}
