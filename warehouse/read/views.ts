import type { Micros } from '../../primitives/instants.ts'
import { EXPLAINED_BY } from '../../vocabulary/index-level.ts'
import { OWN_RULES_VERSION, OWN_VENUE, RULES_TIMEZONES } from '../../vocabulary/venue.ts'
import { quoteText, readSql } from '../sql/read-sql.ts'
import type { TableName } from '../tables.ts'
import { inForceSql } from './in-force-sql.ts'
import { isConfirmationSql } from './is-confirmation.ts'
import { IS_TRADE } from './is-trade.ts'
import {
  columnList,
  currentRelation,
  currentRows,
  instantLiteral,
  sameChain,
  visibleRelation,
  visibleRows,
} from './table-relations.ts'
import type { TableSource } from './table-source.ts'

/**
 * The public views: names and columns are the interface's. The plain view shows current(T), `<view>_history` every visible
 * revision. Each names the tables it is made from, and the view above it that it reads.
 */
const VIEWS = {
  market_quote: { tables: ['market_quote'], query: statements('market_quote') },
  market_observation: {
    tables: ['market_quote'],
    reads: 'market_quote',
    query: (suffix) => readSql(import.meta.url, 'sql/market_observation.sql', { quotes: `market_quote${suffix}` }),
  },
  public_trade: {
    tables: ['public_trade'],
    query: (suffix, tables) =>
      readSql(import.meta.url, 'sql/public_trade.sql', {
        rows: rowsOf(tables, 'public_trade', suffix),
        reports: tables.visible('public_trade'),
        is_trade: IS_TRADE,
      }),
  },
  trade_report: { tables: ['public_trade'], query: asStored('public_trade') },
  order_book: { tables: ['order_book'], query: statements('order_book') },
  market: {
    tables: ['market', 'market_resolution'],
    history_tables: ['market'],
    query: currentOnly('market', ({ current }) =>
      readSql(import.meta.url, 'sql/market.sql', {
        rows: current('market'),
        resolutions: current('market_resolution'),
        rules_version: `if(venue_id = ${quoteText(OWN_VENUE)}, ${quoteText(OWN_RULES_VERSION)}, texts_hash)`,
        timezone: caseOf('venue_id', RULES_TIMEZONES, quoteText),
      }),
    ),
  },
  event: {
    tables: ['event', 'market', 'market_resolution'],
    history_tables: ['event'],
    reads: 'market',
    query: currentOnly('event', ({ current }) => readSql(import.meta.url, 'sql/event.sql', { rows: current('event') })),
  },
  market_resolution: { tables: ['market_resolution'], query: statements('market_resolution') },
  market_mark: { tables: ['market_mark'], query: asStored('market_mark') },
  market_metric: { tables: ['market_metric'], query: asStored('market_metric') },
  market_eligibility: { tables: ['market_eligibility'], query: asStored('market_eligibility') },
  hazard_alert: { tables: ['hazard_alert'], query: asStored('hazard_alert') },
  venue_payload: { tables: ['venue_payload'], query: asStored('venue_payload') },
  methodology: { tables: ['methodology'], query: asStored('methodology') },
  index_definition: {
    tables: ['index_definition', 'index_version'],
    query: (suffix, tables) =>
      readSql(import.meta.url, 'sql/index_definition.sql', {
        rows: rowsOf(tables, 'index_definition', suffix),
        versions: tables.current('index_version'),
        as_of: tables.at,
      }),
  },
  index_version: {
    tables: ['index_version'],
    query: (suffix, { current, visible }) => {
      const versions = readSql(import.meta.url, 'sql/index_version.sql', { rows: current('index_version') })
      if (suffix === '') return versions
      const rows = visible('index_version')
      return readSql(import.meta.url, 'sql/index_version_history.sql', { rows, versions: `(${versions})` })
    },
  },
  constituent: {
    tables: ['index_version'],
    reads: 'index_version',
    query: (suffix) => readSql(import.meta.url, 'sql/constituent.sql', { versions: `index_version${suffix}` }),
  },
  rule_change: {
    tables: ['market', 'index_version'],
    reads: 'index_version',
    query: (suffix, { visible }) =>
      readSql(import.meta.url, 'sql/rule_change.sql', {
        revisions: visible('market'),
        versions: `index_version${suffix}`,
      }),
  },
  index_link: { tables: ['index_link'], query: asStored('index_link') },
  index_observation: {
    tables: ['index_observation'],
    query: (suffix, tables) =>
      readSql(import.meta.url, 'sql/index_observation.sql', {
        rows: rowsOf(tables, 'index_observation', suffix),
        explained_by: caseOf('state', EXPLAINED_BY, textListOf),
      }),
  },
  index_observation_input: {
    tables: ['index_observation'],
    reads: 'index_observation',
    query: (suffix) =>
      readSql(import.meta.url, 'sql/index_observation_input.sql', { observations: `index_observation${suffix}` }),
  },
  assessment_methodology: { tables: ['assessment_methodology'], query: asStored('assessment_methodology') },
  market_rating: { tables: ['market_rating'], query: inForce('market_rating', 'market_id') },
  severity_assessment: {
    tables: ['severity_assessment'],
    query: inForce('severity_assessment', 'event_id, assessment_type'),
  },
  severity_index_definition: {
    tables: ['severity_index_definition'],
    query: asStored('severity_index_definition'),
  },
  severity_index_version: { tables: ['severity_index_version'], query: asStored('severity_index_version') },
  severity_index_value: { tables: ['severity_index_value'], query: asStored('severity_index_value') },
  assessment_act: { tables: ['assessment_act'], query: asStored('assessment_act') },
  refused_act: { tables: ['refused_act'], query: asStored('refused_act') },
  governance_roster: { tables: ['governance_roster'], query: asStored('governance_roster') },
  governance_policy: { tables: ['governance_policy'], query: asStored('governance_policy') },
  governance_proposal: { tables: ['governance_proposal'], query: asStored('governance_proposal') },
  governance_act: { tables: ['governance_act'], query: asStored('governance_act') },
  governance_notice: { tables: ['governance_notice'], query: asStored('governance_notice') },
  governance_complaint: { tables: ['governance_complaint'], query: asStored('governance_complaint') },
  eligibility_policy: { tables: ['eligibility_policy'], query: asStored('eligibility_policy') },
  eligibility_decision: { tables: ['eligibility_decision'], query: asStored('eligibility_decision') },
  index_pro_forma: { tables: ['index_pro_forma'], query: asStored('index_pro_forma') },
  index_restatement: { tables: ['index_restatement'], query: asStored('index_restatement') },
  ingest_health: { tables: ['ingest_health'], query: asStored('ingest_health') },
  backfill_run: { tables: ['backfill_run'], query: asStored('backfill_run') },
  schedule_act: { tables: ['schedule_act'], query: asStored('schedule_act') },
} as const satisfies Record<string, View>

type View = {
  readonly tables: readonly TableName[]
  /** Tables of the history form, where it reads fewer. */
  readonly history_tables?: readonly TableName[]
  /** View that this one reads, in the same form. */
  readonly reads?: string
  readonly query: (suffix: Suffix, tables: TableRows) => string
}
/** Rows of tables as of an instant, each as a subquery. */
export type TableRows = {
  /** The instant as SQL. */
  readonly at: string
  readonly visible: (table: TableName) => string
  readonly current: (table: TableName) => string
}
type Suffix = '' | '_history'

/** Every public view with its history form, in order of creation. */
export const VIEW_NAMES: readonly string[] = Object.keys(VIEWS).flatMap((view) => [view, `${view}_history`])

/** Returns the tables a public view reads; null if no view has that name. */
export function tablesOfView(name: string): readonly TableName[] | null {
  const base = name.replace(/_history$/, '')
  if (!Object.hasOwn(VIEWS, base)) return null
  return tablesOf(VIEWS[base as keyof typeof VIEWS], base === name ? '' : '_history')
}

function tablesOf({ tables, history_tables }: View, suffix: Suffix): readonly TableName[] {
  return suffix === '' ? tables : (history_tables ?? tables)
}

/** A relation or view: its query, and the view that the query reads. */
type NamedQuery = { readonly query: () => string; readonly reads: string | null }

/**
 * Returns the query of each relation and public view over these sources, by name. Views have the rows of their tables as subqueries, not
 * as relations, because DuckDB plans each relation and view when it is created, and again with every view that reads it.
 */
export function queriesOver(sources: readonly TableSource[], as_of: Micros): ReadonlyMap<string, NamedQuery> {
  const rows = tableRows(sources, as_of)
  const tables = new Set(sources.map(({ table }) => table))
  const queries = viewQueries(rows, tables)
  for (const table of tables) {
    queries.set(visibleRelation(table), { query: () => `from ${rows.visible(table)}`, reads: null })
    queries.set(currentRelation(table), { query: () => `from ${rows.current(table)}`, reads: null })
  }
  return queries
}

/** Returns the query of each public view whose tables are among these. */
export function viewQueries(rows: TableRows, tables: ReadonlySet<TableName>): Map<string, NamedQuery> {
  const queries = new Map<string, NamedQuery>()
  for (const [base, view] of Object.entries<View>(VIEWS)) {
    for (const suffix of ['', '_history'] as const) {
      if (!tablesOf(view, suffix).every((table) => tables.has(table))) continue
      const reads = view.reads === undefined ? null : `${view.reads}${suffix}`
      queries.set(`${base}${suffix}`, { query: () => view.query(suffix, rows), reads })
    }
  }
  return queries
}

/** Returns the rows of the tables, each written once. */
function tableRows(sources: readonly TableSource[], as_of: Micros): TableRows {
  const by_table = new Map(sources.map((source) => [source.table, source]))
  const once = (write: (source: TableSource, as_of: Micros) => string) => {
    const written = new Map<TableName, string>()
    return (table: TableName) => {
      const text = written.get(table) ?? write(by_table.get(table)!, as_of)
      written.set(table, text)
      return text
    }
  }
  return { at: instantLiteral(as_of), visible: once(visibleRows), current: once(currentRows) }
}

function rowsOf({ current, visible }: TableRows, table: TableName, suffix: Suffix): string {
  return suffix === '' ? current(table) : visible(table)
}

function asStored(table: TableName): View['query'] {
  return (suffix, tables) => `from ${rowsOf(tables, table, suffix)}`
}

/** Builds a view whose plain form has a query of its own; its history form has every revision as stored. */
function currentOnly(table: TableName, plain: (tables: TableRows) => string): View['query'] {
  return (suffix, tables) => (suffix === '' ? plain(tables) : asStored(table)(suffix, tables))
}

/** Column in which a row that only confirms holds the instant, and the select list that shows it; a join for it, given every visible row. */
const CONFIRMED = {
  market_quote: {
    confirmed_at: 'confirmed_at',
    shown: '* exclude (confirmed_by) replace (coalesce(confirmed_by, confirmed_at) as confirmed_at)',
    joined: () => '',
  },
  order_book: {
    confirmed_at: 'received_at',
    shown: '* exclude (confirmed_by), coalesce(confirmed_by, received_at) as confirmed_at',
    joined: () => '',
  },
  market_resolution: {
    confirmed_at: 'received_at',
    shown:
      'shown.* exclude (confirmed_by) replace (coalesce(stated_id, supersedes_id) as supersedes_id), coalesce(confirmed_by, received_at) as confirmed_at',
    joined: joinStated,
  },
} as const satisfies Partial<Record<TableName, unknown>>

/** Builds a view of current statements: a row that only confirms one moves its `confirmed_at`. */
function statements(table: keyof typeof CONFIRMED): View['query'] {
  return currentOnly(table, ({ current, visible }) => {
    const { confirmed_at, shown, joined } = CONFIRMED[table]
    return readSql(import.meta.url, 'sql/current_statements.sql', {
      rows: current(table),
      every: visible(table),
      same_chain: sameChain(table, 's', 'c'),
      is_confirmation: isConfirmationSql(),
      is_confirmation_of_c: isConfirmationSql('c.'),
      confirmed_at,
      shown,
      joined: joined(visible(table)),
    })
  })
}

/** Joins what a resolution supersedes, as the API says it: of a row that only confirms, the statement that it confirms. */
function joinStated(every: string): string {
  return `left join (
    select named.resolution_id as named_id, max_by(stated.resolution_id, stated.revision) as stated_id
    from statement as stated
    join (select * from ${every}) as named on ${sameChain('market_resolution', 'stated', 'named')} and stated.revision <= named.revision
    group by named.resolution_id
  ) as replaced on named_id = shown.supersedes_id`
}

function textList(texts: readonly (string | null)[]): string {
  return texts.map((text) => quoteText(String(text))).join(', ')
}

const textListOf = (texts: readonly string[] | null): string => `[${textList(texts ?? [])}]`

/** Returns an expression that maps the values of a column. */
function caseOf<V>(column: string, values: Readonly<Record<string, V>>, sqlOf: (value: V) => string): string {
  const cases = Object.entries(values).map(([key, value]) => `when ${quoteText(key)} then ${sqlOf(value)}`)
  return `case ${column} ${cases.join(' ')} end`
}

/** Builds a view of each subject's assessment in force; its history form has every revision of all assessments. */
function inForce(table: TableName, subject: string): View['query'] {
  return (suffix, tables) =>
    suffix === '_history'
      ? asStored(table)(suffix, tables)
      : inForceSql({
          columns: columnList(table),
          heads: tables.current(table),
          subject,
          at: tables.at,
        })
}
