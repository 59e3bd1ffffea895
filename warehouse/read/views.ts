import type { Micros } from '../../primitives/instants.ts'
import { EXPLAINED_BY } from '../../vocabulary/index-level.ts'
import { OWN_RULES_VERSION, OWN_VENUE, RULES_TIMEZONES } from '../../vocabulary/venue.ts'
import { quoteText, readSql } from '../sql/read-sql.ts'
import { TABLE_NAMES, type TableName } from '../tables.ts'
import { inForceSql } from './in-force-sql.ts'
import { isConfirmationSql } from './is-confirmation.ts'
import { IS_TRADE } from './is-trade.ts'
import { columnList, currentRelation, instantLiteral, sameChain, visibleRelation } from './table-relations.ts'

/**
 * The public views: names and columns are the interface's. The plain view shows current(T), `<view>_history` every visible
 * revision. Each names the tables it is made from; order matters, a view may read the ones above it.
 */
const VIEWS = {
  market_quote: { tables: ['market_quote'], statement: statements('market_quote') },
  market_observation: {
    tables: ['market_quote'],
    statement: (view, suffix) =>
      readSql(import.meta.url, 'sql/market_observation.sql', { view, quotes: `market_quote${suffix}` }),
  },
  public_trade: {
    tables: ['public_trade'],
    statement: (view, suffix) =>
      readSql(import.meta.url, 'sql/public_trade.sql', {
        view,
        rows: rowsOf('public_trade', suffix),
        reports: visibleRelation('public_trade'),
        is_trade: IS_TRADE,
      }),
  },
  trade_report: { tables: ['public_trade'], statement: asStored('public_trade') },
  order_book: { tables: ['order_book'], statement: statements('order_book') },
  market: {
    tables: ['market', 'market_resolution'],
    history_tables: ['market'],
    statement: currentOnly('market', (view) =>
      readSql(import.meta.url, 'sql/market.sql', {
        view,
        rows: currentRelation('market'),
        resolutions: currentRelation('market_resolution'),
        rules_version: `if(venue_id = ${quoteText(OWN_VENUE)}, ${quoteText(OWN_RULES_VERSION)}, texts_hash)`,
        timezone: caseOf('venue_id', RULES_TIMEZONES, quoteText),
      }),
    ),
  },
  event: {
    tables: ['event', 'market', 'market_resolution'],
    history_tables: ['event'],
    statement: currentOnly('event', (view) =>
      readSql(import.meta.url, 'sql/event.sql', {
        view,
        rows: currentRelation('event'),
      }),
    ),
  },
  market_resolution: { tables: ['market_resolution'], statement: statements('market_resolution') },
  market_mark: { tables: ['market_mark'], statement: asStored('market_mark') },
  market_metric: { tables: ['market_metric'], statement: asStored('market_metric') },
  market_eligibility: { tables: ['market_eligibility'], statement: asStored('market_eligibility') },
  hazard_alert: { tables: ['hazard_alert'], statement: asStored('hazard_alert') },
  venue_payload: { tables: ['venue_payload'], statement: asStored('venue_payload') },
  methodology: { tables: ['methodology'], statement: asStored('methodology') },
  index_definition: {
    tables: ['index_definition', 'index_version'],
    statement: (view, suffix, as_of) =>
      readSql(import.meta.url, 'sql/index_definition.sql', {
        view,
        rows: rowsOf('index_definition', suffix),
        versions: currentRelation('index_version'),
        as_of: instantLiteral(as_of),
      }),
  },
  index_version: {
    tables: ['index_version'],
    statement: (view, suffix) =>
      readSql(import.meta.url, 'sql/index_version.sql', {
        view,
        rows: rowsOf('index_version', suffix),
        versions: currentRelation('index_version'),
      }),
  },
  constituent: {
    tables: ['index_version'],
    statement: (view, suffix) =>
      readSql(import.meta.url, 'sql/constituent.sql', { view, versions: `index_version${suffix}` }),
  },
  rule_change: {
    tables: ['market', 'index_version'],
    statement: (view, suffix) =>
      readSql(import.meta.url, 'sql/rule_change.sql', {
        view,
        revisions: visibleRelation('market'),
        versions: `index_version${suffix}`,
      }),
  },
  index_link: { tables: ['index_link'], statement: asStored('index_link') },
  index_observation: {
    tables: ['index_observation'],
    statement: (view, suffix) =>
      readSql(import.meta.url, 'sql/index_observation.sql', {
        view,
        rows: rowsOf('index_observation', suffix),
        explained_by: caseOf('state', EXPLAINED_BY, textListOf),
      }),
  },
  index_observation_input: {
    tables: ['index_observation'],
    statement: (view, suffix) =>
      readSql(import.meta.url, 'sql/index_observation_input.sql', { view, observations: `index_observation${suffix}` }),
  },
  assessment_methodology: { tables: ['assessment_methodology'], statement: asStored('assessment_methodology') },
  market_rating: { tables: ['market_rating'], statement: inForce('market_rating', 'market_id') },
  severity_assessment: {
    tables: ['severity_assessment'],
    statement: inForce('severity_assessment', 'event_id, assessment_type'),
  },
  severity_index_definition: {
    tables: ['severity_index_definition'],
    statement: asStored('severity_index_definition'),
  },
  severity_index_version: { tables: ['severity_index_version'], statement: asStored('severity_index_version') },
  severity_index_value: { tables: ['severity_index_value'], statement: asStored('severity_index_value') },
  assessment_act: { tables: ['assessment_act'], statement: asStored('assessment_act') },
  refused_act: { tables: ['refused_act'], statement: asStored('refused_act') },
  governance_roster: { tables: ['governance_roster'], statement: asStored('governance_roster') },
  governance_policy: { tables: ['governance_policy'], statement: asStored('governance_policy') },
  governance_proposal: { tables: ['governance_proposal'], statement: asStored('governance_proposal') },
  governance_act: { tables: ['governance_act'], statement: asStored('governance_act') },
  governance_notice: { tables: ['governance_notice'], statement: asStored('governance_notice') },
  governance_complaint: { tables: ['governance_complaint'], statement: asStored('governance_complaint') },
  eligibility_policy: { tables: ['eligibility_policy'], statement: asStored('eligibility_policy') },
  eligibility_decision: { tables: ['eligibility_decision'], statement: asStored('eligibility_decision') },
  index_pro_forma: { tables: ['index_pro_forma'], statement: asStored('index_pro_forma') },
  index_restatement: { tables: ['index_restatement'], statement: asStored('index_restatement') },
  ingest_health: { tables: ['ingest_health'], statement: asStored('ingest_health') },
  backfill_run: { tables: ['backfill_run'], statement: asStored('backfill_run') },
  schedule_act: { tables: ['schedule_act'], statement: asStored('schedule_act') },
} as const satisfies Record<string, View>

type View = {
  readonly tables: readonly TableName[]
  /** Tables of the history form, where it reads fewer. */
  readonly history_tables?: readonly TableName[]
  readonly statement: (view: string, suffix: Suffix, as_of: Micros) => string
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

/** Returns the tables that a statement may read: those of every view and relation whose name occurs in its text. */
export function tablesNamedIn(sql: string): TableName[] {
  const names = new Set(sql.toLowerCase().match(/\w+/g))
  return [...names].flatMap((name) => {
    const table = TABLE_NAMES.find((table) => name === visibleRelation(table) || name === currentRelation(table))
    return table === undefined ? (tablesOfView(name) ?? []) : [table]
  })
}

/** Returns the `create view` statements of every public view over these tables. */
export function viewStatements(tables: readonly TableName[], as_of: Micros): string[] {
  const forms = Object.entries<View>(VIEWS).flatMap(([name, view]) =>
    (['', '_history'] as const).map((suffix) => ({ name, view, suffix })),
  )
  return forms
    .filter(({ view, suffix }) => tablesOf(view, suffix).every((table) => tables.includes(table)))
    .map(({ name, view, suffix }) => view.statement(`${name}${suffix}`, suffix, as_of))
}

function rowsOf(table: TableName, suffix: Suffix): string {
  return suffix === '' ? currentRelation(table) : visibleRelation(table)
}

function asStored(table: TableName): View['statement'] {
  return (view, suffix) => `create view ${view} as select * from ${rowsOf(table, suffix)}`
}

/** Builds a view whose plain form is made by a statement of its own; its history form has every revision as stored. */
function currentOnly(table: TableName, plain: (view: string) => string): View['statement'] {
  return (view, suffix) => (suffix === '' ? plain(view) : asStored(table)(view, suffix, 0))
}

/** Column in which a row that only confirms holds the instant, and the select list that shows it. */
const RECEIPT = {
  confirmed_at: 'received_at',
  shown: '* exclude (confirmed_by), coalesce(confirmed_by, received_at) as confirmed_at',
}
const CONFIRMED = {
  market_quote: {
    confirmed_at: 'confirmed_at',
    shown: '* exclude (confirmed_by) replace (coalesce(confirmed_by, confirmed_at) as confirmed_at)',
  },
  order_book: RECEIPT,
  market_resolution: RECEIPT,
} as const satisfies Partial<Record<TableName, unknown>>

/** Builds a view of current statements: a row that only confirms one moves its `confirmed_at`. */
function statements(table: keyof typeof CONFIRMED): View['statement'] {
  return currentOnly(table, (view) => {
    const { confirmed_at, shown } = CONFIRMED[table]
    return readSql(import.meta.url, 'sql/current_statements.sql', {
      view,
      rows: currentRelation(table),
      every: visibleRelation(table),
      same_chain: sameChain(table, 's', 'c'),
      is_confirmation: isConfirmationSql(),
      is_confirmation_of_c: isConfirmationSql('c.'),
      confirmed_at,
      shown,
    })
  })
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
function inForce(table: TableName, subject: string): View['statement'] {
  return (view, suffix, as_of) =>
    suffix === '_history'
      ? asStored(table)(view, suffix, as_of)
      : `create view ${view} as ${inForceSql({
          columns: columnList(table),
          heads: currentRelation(table),
          subject,
          at: instantLiteral(as_of),
        })}`
}
