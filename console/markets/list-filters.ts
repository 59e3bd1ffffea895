import { useEffect, useRef, useState } from 'preact/hooks'
import type { Market } from '../../protocol/resources/market.ts'
import { MARKET_STATUSES } from '../../vocabulary/market.ts'
import { RATING_BANDS } from '../../vocabulary/rating.ts'
import { useCell } from '../data/hooks.ts'
import { go, route } from '../data/route.ts'
import { html } from '../html.ts'
import { choiceOf, LIST_FIELDS, type ListField, SEARCH_MIN, searchText, withChoice } from './list-query.ts'

const SORTS = [
  ['', 'Last update'],
  ['title', 'Title'],
  ['closes', 'Closes next'],
  ['volume', 'Volume, 24 h'],
] as const

/** Pause after the last letter before a text is searched for, in milliseconds. */
const TYPED_MS = 350

/** Filters of the list; each is part of the address. `/` goes to the search. */
export function ListFilters({ markets }: { markets: readonly Market[] }) {
  const choice = choiceOf(useCell(route))
  const choose = (field: ListField) => (value: string) => go(withChoice(field, value), true)
  const venues = distinct(markets.map(({ venue_mapping }) => venue_mapping?.venue_id ?? null))
  const categories = distinct(markets.map(({ category }) => category))
  const is_filtered = LIST_FIELDS.some((field) => choice[field] !== null)
  return html`<form class="market-filters" role="search" aria-label="Markets" onSubmit=${(event: Event) => event.preventDefault()}>
    <${TypedField} id="market-search" label="Search titles" value=${choice.q} onType=${choose('q')} is_search=${true}
      hint=${choice.q !== null && searchText(choice.q) === null ? `at least ${SEARCH_MIN} characters` : null} />
    <${TypedField} id="market-venue" label="Venue" value=${choice.venue_id} onType=${choose('venue_id')} options=${venues} />
    <${TypedField} id="market-category" label="Category" value=${choice.category} onType=${choose('category')} options=${categories} />
    <${Selected} id="market-status" label="Status" value=${choice.state} onChoose=${choose('state')} options=${[ANY, ...MARKET_STATUSES.map(same)]} />
    <${Selected} id="market-band" label="Rating" value=${choice.band} onChoose=${choose('band')} options=${[ANY, ...RATING_BANDS.map(same)]} />
    <${Selected} id="market-sort" label="Sort by" value=${choice.sort} onChoose=${choose('sort')} options=${SORTS} />
    ${is_filtered && html`<button type="button" onClick=${() => go(CLEARED)}>Clear</button>`}
  </form>`
}

const ANY = ['', 'any'] as const
const CLEARED = { ...Object.fromEntries(LIST_FIELDS.map((field) => [field, null])), cursor: null }
const same = (value: string) => [value, value] as const

type TypedProps = {
  readonly id: string
  readonly label: string
  readonly value: string | null
  readonly onType: (value: string) => void
  /** Values to choose from; another may be typed. */
  readonly options?: readonly string[]
  readonly hint?: string | null
  readonly is_search?: boolean
}

function TypedField({ id, label, value, onType, options = [], hint = null, is_search = false }: TypedProps) {
  const [text, setText] = useState(value ?? '')
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value ?? '')
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => (is_search ? focusBySlash(input) : undefined), [is_search])
  const onInput = (event: Event) => {
    const typed = (event.target as HTMLInputElement).value
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onType(typed), TYPED_MS)
  }
  return html`<div class="market-filter">
    <label for=${id}>${label}</label>
    <input id=${id} ref=${input} type="text" value=${text} autocomplete="off" spellcheck="false" list=${options.length > 0 ? `${id}-list` : undefined}
      aria-describedby=${hint === null ? undefined : `${id}-hint`} onInput=${onInput} />
    ${options.length > 0 && html`<datalist id=${`${id}-list`}>${options.map((one) => html`<option key=${one} value=${one} />`)}</datalist>`}
    ${hint !== null && html`<span id=${`${id}-hint`} class="quiet small">${hint}</span>`}
  </div>`
}

/** Focuses the search when `/` is pressed outside of a field. */
function focusBySlash(input: { readonly current: HTMLInputElement | null }): () => void {
  const ending = new AbortController()
  const onKeyDown = (event: KeyboardEvent) => {
    const is_field = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
    if (event.key !== '/' || is_field || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    input.current?.focus()
  }
  document.addEventListener('keydown', onKeyDown, { signal: ending.signal })
  return () => ending.abort()
}

type SelectedProps = {
  readonly id: string
  readonly label: string
  readonly value: string | null
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
}

function Selected({ id, label, value, options, onChoose }: SelectedProps) {
  return html`<div class="market-filter">
    <label for=${id}>${label}</label>
    <select id=${id} value=${value ?? ''} onChange=${(event: Event) => onChoose((event.target as HTMLSelectElement).value)}>
      ${options.map(([option, text]) => html`<option key=${option} value=${option} selected=${option === (value ?? '')}>${text}</option>`)}
    </select>
  </div>`
}

function distinct(values: readonly (string | null)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== null))].sort()
}
