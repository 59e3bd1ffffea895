/** State of the page, completely in its address, so links can be shared. */
export type Route = {
  readonly index_id: string | null
  readonly market_id: string | null
  readonly event_id: string | null
  /** null: now, with live updates. */
  readonly as_of: string | null
  /** Selected level; null: the latest. */
  readonly observation_id: string | null
  /** Range of a chart, or the feed of events. */
  readonly range: string | null
  /** Bucket length of candles; null: a line of levels. */
  readonly candles: string | null
  /**
   * `trade`: trading; `markets`: list of markets; `events`: events with severity; `ratings`, `severity`, `review`: lists of
   * assessments; `ingest`: state of the venue feeds; `debug`: signature debugger; `knowledge`: diff of two instants;
   * `chart`, `lineage`, `factsheet`: more of an index; null: indexes; else a view of governance.
   */
  readonly view: string | null
  readonly proposal_id: string | null
  readonly complaint_id: string | null
  readonly notice_id: string | null
  /** Eligibility policy; null: the one that decides by the terms of a source. */
  readonly policy_id: string | null
  /** Version of a roster or policy; null: the one in force. */
  readonly version: string | null
  /** Filters of a list; null: all. */
  readonly kind: string | null
  readonly state: string | null
  /** Index whose levels are drawn beside those of another one; null: none. */
  readonly beside: string | null
  /** `rebased`: both begin at 100; null: as published. */
  readonly scale: string | null
  /** Record of a lineage, and the hash of a payload that it was read from; null: none is opened. */
  readonly record_id: string | null
  readonly content_hash: string | null
  /** Further section of a page: `robustness` of a level, `previews` of a market; null: none. */
  readonly panel: string | null
  /** Choice of a list; null: all. */
  readonly q: string | null
  readonly venue_id: string | null
  readonly category: string | null
  readonly band: string | null
  readonly sort: string | null
  /** Page of a list; null: the first. */
  readonly cursor: string | null
  /** Outcome and field that a chart of a market shows; null: the first outcome, its mark. */
  readonly outcome_id: string | null
  readonly field: string | null
  /** Instants of knowledge that are compared. */
  readonly from: string | null
  readonly to: string | null
}

const NAMES = {
  index_id: 'index',
  market_id: 'market',
  event_id: 'event',
  as_of: 'as_of',
  observation_id: 'level',
  range: 'range',
  candles: 'candles',
  view: 'view',
  proposal_id: 'proposal',
  complaint_id: 'complaint',
  notice_id: 'notice',
  policy_id: 'policy',
  version: 'version',
  kind: 'kind',
  state: 'state',
  beside: 'beside',
  scale: 'scale',
  record_id: 'record',
  content_hash: 'payload',
  panel: 'panel',
  q: 'q',
  venue_id: 'venue',
  category: 'category',
  band: 'band',
  sort: 'sort',
  cursor: 'cursor',
  outcome_id: 'outcome',
  field: 'field',
  from: 'from',
  to: 'to',
} as const satisfies Record<keyof Route, string>
const FIELDS = Object.keys(NAMES) as (keyof Route)[]

/** Parses the query of an address; unknown names are ignored. */
export function readRoute(search: string): Route {
  const parameters = new URLSearchParams(search)
  const entries = FIELDS.map((field) => [field, parameters.get(NAMES[field]) || null])
  return Object.fromEntries(entries) as Route
}

/** Returns the address of a route, with readable instants. */
export function writeRoute(route: Route): string {
  const parameters = new URLSearchParams()
  for (const field of FIELDS) if (route[field] !== null) parameters.set(NAMES[field], route[field])
  const text = parameters.toString().replaceAll('%3A', ':')
  return text === '' ? '/' : `/?${text}`
}

/** Returns the address of another view as of the same instant. */
export function linkTo(route: Route, change: Partial<Omit<Route, 'as_of' | 'range' | 'candles'>>): string {
  const { as_of, range, candles } = route
  const blank: Route = { ...readRoute(''), as_of }
  const stays = change.index_id !== undefined && change.index_id === route.index_id
  return writeRoute({ ...blank, ...(stays ? { range, candles } : {}), ...change })
}
