import MiniSearch from 'minisearch'
import { element } from './elements.ts'
import { firstWords } from './first-words.ts'

type Entry = {
  readonly kind: string
  readonly url: string
  readonly title: string
  readonly page: string
  readonly text: string
}

/** Most results that are shown. */
const RESULTS_MAX = 12
/** Pause in typing after which the search begins. */
const PAUSE_MS = 80

/** Starts the search of the page: it is reached by `/`, walked by arrow keys, and its index is fetched when it is first used. */
export function startSearch(): void {
  const input = document.getElementById('search') as HTMLInputElement | null
  const list = document.getElementById('found')
  if (input === null || list === null) return
  let index: Promise<MiniSearch<Entry>> | null = null
  const loaded = () => {
    index ??= loadIndex()
    return index
  }
  const search = async (): Promise<void> => {
    const asked = input.value
    if (asked.trim() === '') return show(input, list, [])
    const found = (await loaded()).search(firstWords(asked)).slice(0, RESULTS_MAX) as unknown as readonly Entry[]
    // A later letter may have been answered before.
    if (input.value === asked) show(input, list, found)
  }
  input.addEventListener('focus', () => void loaded())
  let pause: number | undefined
  input.addEventListener('input', () => {
    clearTimeout(pause)
    pause = window.setTimeout(() => void search(), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => onKey(event, input, list))
  input.form?.addEventListener('submit', (event) => event.preventDefault())
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey } = event
    const is_typing = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
    if (key !== '/' || is_typing || ctrlKey || metaKey) return
    event.preventDefault()
    input.focus()
  })
  document.addEventListener('click', ({ target }) => {
    if (!input.form?.contains(target as Node)) show(input, list, [])
  })
}

async function loadIndex(): Promise<MiniSearch<Entry>> {
  const entries = (await (await fetch('/docs/search.json')).json()) as readonly Entry[]
  const index = new MiniSearch<Entry>({
    idField: 'url',
    fields: ['title', 'page', 'text'],
    storeFields: ['kind', 'url', 'title', 'page'],
    searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  index.addAll(entries)
  return index
}

function show(input: HTMLInputElement, list: HTMLElement, found: readonly Entry[]): void {
  list.replaceChildren(...found.map(optionOf))
  list.hidden = found.length === 0
  input.setAttribute('aria-expanded', String(found.length > 0))
  input.removeAttribute('aria-activedescendant')
}

function optionOf({ kind, url, title, page }: Entry, ordinal: number): HTMLElement {
  const option = element('a', '', {
    href: url,
    role: 'option',
    id: `found-${ordinal}`,
    'aria-selected': 'false',
    tabindex: '-1',
  })
  option.append(element('strong', title), element('span', page === '' ? kind : `${kind} · ${page}`))
  return option
}

function onKey(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const options = [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  if (event.key === 'Escape') show(input, list, [])
  else if (event.key === 'ArrowDown') select(input, options, at + 1)
  else if (event.key === 'ArrowUp') select(input, options, at <= 0 ? options.length - 1 : at - 1)
  else if (event.key === 'Enter') (options[at] ?? options[0])?.click()
  else return
  event.preventDefault()
}

function select(input: HTMLInputElement, options: readonly HTMLAnchorElement[], wanted: number): void {
  const selected = options[wanted % Math.max(1, options.length)]
  if (selected === undefined) return
  for (const option of options) option.setAttribute('aria-selected', String(option === selected))
  selected.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', selected.id)
}
