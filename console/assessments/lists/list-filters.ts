import { go } from '../../data/route.ts'
import { Select } from '../../governance/parts/select.ts'
import { html } from '../../html.ts'
import { spoken } from '../words.ts'

type FilterProps = {
  /** Bands or levels; null: the list mixes both. */
  readonly grades: readonly string[] | null
  /** null: the list has states of its own. */
  readonly states: readonly string[] | null
  readonly q: string | null
  readonly grade: string | null
  readonly state: string | null
}

/** Search and filters of a list, kept in the address. */
export function ListFilters({ grades, states, q, grade, state }: FilterProps) {
  const search = (event: Event) => go({ q: (event.target as HTMLInputElement).value.trim() || null }, true)
  const same = (values: readonly string[]) => values.map((one) => [one, spoken(one)] as const)
  return html`<form class="filters" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
    <span class="filter"><label for="assessment-q">Search</label>
      <input id="assessment-q" type="search" value=${q ?? ''} placeholder="title, id, issuer or reason" autocomplete="off" onInput=${search} /></span>
    ${grades !== null && html`<${Select} id="grade" label="Grade" value=${grade} options=${same(grades)} onChoose=${(band: string | null) => go({ band }, true)} />`}
    ${states !== null && html`<${Select} id="state" label="State" value=${state} options=${same(states)} none="published" onChoose=${(next: string | null) => go({ state: next }, true)} />`}
  </form>`
}
