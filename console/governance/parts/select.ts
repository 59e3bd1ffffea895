import { html } from '../../html.ts'

type SelectProps = {
  readonly id: string
  readonly label: string
  readonly value: string | null
  readonly options: readonly (readonly [value: string, label: string])[]
  /** Name of the first choice, which is null; default: all. */
  readonly none?: string
  readonly onChoose: (value: string | null) => void
}

/** Filter of a list; its first choice is none of the options. */
export function Select({ id, label, value, options, none = 'all', onChoose }: SelectProps) {
  const known = value === null || options.some(([option]) => option === value)
  const all = known ? options : [...options, [value, `${value} (none)`] as const]
  return html`<span class="filter">
    <label for=${id}>${label}</label>
    <select id=${id} onChange=${(event: Event) => onChoose((event.target as HTMLSelectElement).value || null)}>
      <option value="" selected=${value === null}>${none}</option>
      ${all.map(([option, name]) => html`<option key=${option} value=${option} selected=${option === value}>${name}</option>`)}
    </select>
  </span>`
}
