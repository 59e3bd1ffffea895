import { useEffect, useState } from 'preact/hooks'
import type { StatementEntry } from '../../../protocol/resources/statement-entry.ts'
import { STATEMENT_KINDS } from '../../../vocabulary/ledger.ts'
import type { Query } from '../../data/api-client.ts'
import { ApiError } from '../../data/api-error.ts'
import { html } from '../../html.ts'
import { ErrorNote } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { saveFile } from '../../parts/save-file.ts'
import type { Session } from '../account/session.ts'
import { queryOf, type StatementFilter, WHOLE_STATEMENT } from '../data/statement.ts'
import { toSecond } from './account-tables.ts'
import { SelectField } from './fields.ts'
import { Amount, type Markets } from './names.ts'

const PAGE = 50
const COLUMNS: readonly Column[] = [
  ['Booked, UTC', 'instant'],
  ['Cause', 'head'],
  ['Asset or outcome', 'text'],
  ['Part', 'text'],
  ['Amount', 'number'],
  ['Total after', 'number'],
  ['Fee', 'number'],
  ['About', 'text'],
]

type StatementProps = {
  readonly session: Session
  readonly markets: Markets
  readonly assets: readonly string[]
}
type Held = {
  readonly entries: readonly StatementEntry[]
  /** null: all entries are read. */
  readonly next: string | null
  readonly error: ApiError | null
  readonly is_reading: boolean
}
const NOTHING_READ: Held = { entries: [], next: null, error: null, is_reading: true }

/** Entries of the account's ledger with their causes, oldest first; filtered, and saved as CSV. */
export function Statement({ session, markets, assets }: StatementProps) {
  const [filter, setFilter] = useState<StatementFilter>(WHOLE_STATEMENT)
  const [held, hold] = useState<Held>(NOTHING_READ)
  const read = async (before: Held, signal: AbortSignal) => {
    const cursor = before.next === null ? {} : { cursor: before.next }
    const query = { ...queryOf(filter, Date.now()), limit: PAGE, ...cursor }
    const next = await readPage(session, query, before, signal)
    if (!signal.aborted) hold(next)
  }
  useEffect(() => {
    const ending = new AbortController()
    hold(NOTHING_READ)
    void read(NOTHING_READ, ending.signal)
    return () => ending.abort()
  }, [filter])
  const more = () => {
    hold({ ...held, is_reading: true })
    void read(held, new AbortController().signal)
  }
  const choose = (change: Partial<StatementFilter>) => setFilter({ ...filter, ...change })
  const filters = html`<${Filters} filter=${filter} markets=${markets} assets=${assets} choose=${choose} />`
  const beside = html`<${SaveCsv} session=${session} filter=${filter} />`
  return html`<div class="statement">
    <${RecordTable} id="statement" title="Statement" columns=${COLUMNS} rows=${held.entries.map((entry) => rowOf(entry, markets))} empty=${held.is_reading ? 'Loading statement …' : 'No entries'} beside=${beside} above=${filters} />
    ${held.error !== null && html`<${ErrorNote} error=${held.error} what="Statement" />`}
    ${held.next !== null && html`<button type="button" disabled=${held.is_reading} onClick=${more}>Later entries</button>`}
  </div>`
}

async function readPage({ api }: Session, query: Query, before: Held, signal: AbortSignal): Promise<Held> {
  try {
    const { data, page } = await api.get<readonly StatementEntry[]>('/account/statement', query, signal)
    const entries = [...before.entries, ...data]
    return { entries, next: page?.next_cursor ?? null, error: null, is_reading: false }
  } catch (cause) {
    const error = cause instanceof ApiError ? cause : new ApiError('PAGE_FAILED', String(cause), {})
    return { ...before, error, is_reading: false }
  }
}

function rowOf(entry: StatementEntry, markets: Markets) {
  const { entry_id, booked_at, kind, asset_id, bucket, amount, total_after, fee } = entry
  return {
    key: entry_id,
    cells: [
      toSecond(booked_at),
      html`<b>${kind}</b>`,
      nameOf(entry, markets) ?? html`<code>${asset_id}</code>`,
      bucket.replaceAll('_', ' '),
      html`<${Amount} text=${amount} signed />`,
      html`<${Amount} text=${total_after} />`,
      fee === null ? '' : html`<${Amount} text=${fee} />`,
      html`<code class="hash">${entry.fill_id ?? entry.order_id ?? entry.settlement_id ?? entry.transfer_id ?? entry.resolution_id ?? ''}</code>`,
    ],
  }
}

function nameOf({ market_id, asset_id }: StatementEntry, markets: Markets): string | null {
  const market = markets.get(market_id ?? '')
  return market?.outcomes.find(({ outcome_id }) => outcome_id === asset_id)?.label ?? null
}

type FiltersProps = {
  readonly filter: StatementFilter
  readonly markets: Markets
  readonly assets: readonly string[]
  readonly choose: (change: Partial<StatementFilter>) => void
}

function Filters({ filter, markets, assets, choose }: FiltersProps) {
  const kinds = [...STATEMENT_KINDS, 'fee'].map((kind) => [kind, kind === 'fee' ? 'entries with a fee' : kind] as const)
  const titles = [...markets.values()].map(({ market_id, title }) => [market_id, title ?? market_id] as const)
  const periods = [
    ['1', 'last 24 h'],
    ['7', 'last 7 days'],
    ['30', 'last 30 days'],
  ] as const
  const set = (field: keyof StatementFilter) => (value: string) => choose({ [field]: value === '' ? null : value })
  return html`<div class="filters" role="group" aria-label="Filters of the statement">
    <${SelectField} id="statement-kind" label="Cause" value=${filter.kind ?? ''} options=${[['', 'every cause'], ...kinds]} onChoose=${set('kind')} />
    <${SelectField} id="statement-asset" label="Asset" value=${filter.asset_id ?? ''} options=${[['', 'every asset and outcome'], ...assets.map((one) => [one, one])]} onChoose=${set('asset_id')} />
    <${SelectField} id="statement-market" label="Market" value=${filter.market_id ?? ''} options=${[['', 'every market'], ...titles]} onChoose=${set('market_id')} />
    <${SelectField} id="statement-period" label="Period" value=${filter.days ?? ''} options=${[['', 'since the beginning'], ...periods]} onChoose=${set('days')} />
  </div>`
}

/** Saves every entry that the filters leave, as of one instant. */
function SaveCsv({ session, filter }: { session: Session; filter: StatementFilter }) {
  const [said, say] = useState('')
  const save = async () => {
    say('Saving …')
    try {
      saveFile(await session.api.csv('/account/statement', queryOf(filter, Date.now())), 'statement.csv')
      say('Saved')
    } catch (cause) {
      say(cause instanceof ApiError ? `${cause.message} (${cause.code})` : String(cause))
    }
  }
  return html`<span class="line"><button type="button" onClick=${save}>Save as CSV</button> <span class="quiet" role="status">${said}</span></span>`
}
