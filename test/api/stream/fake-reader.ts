import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { AssessmentRows } from '../../../warehouse/reader/assessment-rows.ts'
import type { AssessmentTableName } from '../../../warehouse/reader/followed-tables.ts'
import { NewestRows } from '../../../warehouse/reader/newest-rows.ts'
import type {
  Catalog,
  FeedCommit,
  FeedRow,
  Latest,
  Placed,
  Reader,
  ReaderStatus,
} from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'

/** A table's commits as they lie in a log, without files: what several readers take in, each in its own time. */
export class FakeLog {
  readonly commits: { readonly table: TableName; readonly version: number; readonly rows: readonly Row[] }[] = []
  private readonly versions = new Map<TableName, number>()
  private stamp: Micros = toMicros('2026-01-01T00:00:00Z')

  append(table: TableName, rows: readonly Row[]): void {
    const version = (this.versions.get(table) ?? 0) + 1
    this.versions.set(table, version)
    this.stamp += 1_000_000
    const published_at = formatMicros(this.stamp)
    const stamped = rows.map((row, row_ordinal) => ({ ...row, published_at, row_ordinal }))
    this.commits.push({ table, version, rows: stamped })
  }
}

export type FakeReader = Pick<
  Reader,
  'status' | 'instant' | 'catalog' | 'indexAsOf' | 'latest' | 'feed' | 'assessments'
> & {
  /** Takes in what the log has, commit by commit. */
  catchUp(): void
  /** Forgets all but the newest commits of each table. */
  forget(kept: number): void
  phase: ReaderStatus['phase']
}

export type FakeCatalog = {
  readonly indexes: readonly Row[]
  readonly versions: readonly Row[]
  readonly markets: readonly Row[]
}

const KEYS: Partial<Record<TableName, readonly string[]>> = {
  index_observation: ['index_id'],
  index_version: ['index_id'],
  market_quote: ['market_id'],
  public_trade: ['market_id'],
  order_book: ['market_id', 'outcome_id'],
  market_rating: ['market_id'],
  severity_assessment: ['event_id'],
  severity_index_value: ['severity_index_id'],
}

/** A reader over a FakeLog and a fixed catalogue, with the numbering and the rules of the newest rows of the real one. */
export function fakeReader(log: FakeLog, reference: FakeCatalog, epochs = 'epoch-1'): FakeReader {
  const newest = {
    index_observation: new NewestRows('index_observation'),
    market_quote: new NewestRows('market_quote'),
    market_mark: new NewestRows('market_mark'),
    order_book: new NewestRows('order_book'),
    severity_index_value: new NewestRows('severity_index_value'),
  }
  const assessed = {
    market_rating: new AssessmentRows('market_rating'),
    severity_assessment: new AssessmentRows('severity_assessment'),
  }
  const recent: FeedCommit[] = []
  const last_of = new Map<string, number>()
  const heads = new Map<TableName, number>()
  const listeners = new Set<(commit: FeedCommit) => void>()
  let taken = 0
  const take = ({ table, version, rows }: FakeLog['commits'][number]): FeedCommit => {
    const feed_rows = rows.map((row, ordinal): FeedRow => {
      const seq = version * 2 ** 20 + ordinal
      const key = JSON.stringify([table, ...(KEYS[table] ?? []).map((column) => row[column])])
      const prev_seq = last_of.get(key) ?? 0
      last_of.set(key, seq)
      if (table in assessed) assessed[table as keyof typeof assessed].add(row, seq)
      const previous = table in newest ? newest[table as keyof typeof newest].add(row, seq) : null
      return { row, seq, prev_seq, previous }
    })
    heads.set(table, feed_rows.at(-1)!.seq)
    return { table, version, epoch: `${epochs}-${table}`, rows: feed_rows }
  }
  const get = (rows: NewestRows, values: Row): Placed | null => rows.get(values)
  const latest: Latest = {
    observation: (index_id) => get(newest.index_observation, { index_id }),
    quotes: (market_id) => newest.market_quote.group(market_id),
    lastTrades: () => [],
    marks: (market_id) => newest.market_mark.group(market_id),
    book: (market_id, outcome_id) => get(newest.order_book, { market_id, outcome_id }),
    severityValue: (severity_index_id) => get(newest.severity_index_value, { severity_index_id }),
  }
  const reader: FakeReader = {
    phase: 'ready',
    instant: () => null,
    status: () => ({ phase: reader.phase, stale_since: null, reason: null, unread: [], versions: {} }),
    catalog: () => fakeCatalog(reference),
    indexAsOf: (index_id) => fakeCatalog(reference).index(index_id),
    latest,
    assessments: fakeAssessments(assessed),
    feed: {
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      recent: (table) => recent.filter((commit) => commit.table === table),
      epoch: (table) => `${epochs}-${table}`,
      head: (table) => heads.get(table) ?? 0,
      last: (table, values) => {
        const columns = KEYS[table] ?? []
        if (columns.length !== Object.keys(values).length) return null
        return last_of.get(JSON.stringify([table, ...columns.map((column) => values[column])])) ?? 0
      },
      onStatus: () => () => undefined,
    },
    catchUp() {
      for (; taken < log.commits.length; taken += 1) {
        const commit = take(log.commits[taken]!)
        recent.push(commit)
        for (const listener of listeners) listener(commit)
      }
    },
    forget(kept) {
      const tables = new Set(recent.map(({ table }) => table))
      const last = [...tables].flatMap((table) => reader.feed.recent(table).slice(-kept))
      recent.splice(0, recent.length, ...recent.filter((commit) => last.includes(commit)))
    },
  }
  reader.catchUp()
  return reader
}

function fakeAssessments(of: Readonly<Record<AssessmentTableName, AssessmentRows>>): Reader['assessments'] {
  const all = { kind: null, methodology_id: null }
  const current = (rows: AssessmentRows, key: Row) => rows.current(key, all, Date.now() * 1000)!
  return {
    current: ({ table, key }) => current(of[table], key),
    allCurrent: (table) => of[table].keys().map((key) => ({ ...current(of[table], key), key })),
    inForce: async () => ({ row: null, waits: false }),
    records: async () => [],
    record: async () => null,
    isAssessed: (event_id) =>
      of.severity_assessment.isKnown({ event_id, assessment_type: 'observed' }, Date.now() * 1000),
  }
}

function fakeCatalog({ indexes, versions, markets }: FakeCatalog): Catalog {
  const none = () => null
  return {
    state: { at: 0, known: [] },
    indexes: () => indexes,
    index: (index_id) => indexes.find((row) => row.index_id === index_id) ?? null,
    versions: (index_id) => versions.filter((row) => row.index_id === index_id),
    version: (id) => versions.find((row) => row.index_version_id === id) ?? null,
    methodology: none,
    methodologies: () => [],
    allResolutions: () => [],
    assessmentMethodologies: () => [],
    events: () => [],
    event: none,
    markets: () => markets,
    market: (market_id) => markets.find((row) => row.market_id === market_id) ?? null,
    resolution: none,
    resolutions: () => [],
    resolutionHistory: () => [],
    assessmentMethodology: none,
    severityIndexes: () => [],
    severityIndex: none,
    severityIndexVersion: none,
    rosters: () => [],
    policies: () => [],
    proposals: () => [],
    proposal: none,
    governanceActs: () => [],
    notices: () => [],
    notice: () => null,
    complaints: () => [],
    complaint: () => null,
    restatements: () => [],
    restatement: none,
    marketRevisions: () => [],
    eligibilityPolicies: () => [],
    eligibilityDecision: () => null,
    proFormas: () => [],
  }
}
