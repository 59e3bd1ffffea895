import { type Children, html } from '../../html.ts'

type FieldProps = {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
  readonly complaint?: string | undefined
  readonly hint?: Children
  readonly placeholder?: string
  readonly decimal?: boolean
  readonly secret?: boolean
}

/** Text field with its label above and a hint or complaint below. */
export function TextField({ id, label, value, onInput, complaint, hint, placeholder, decimal, secret }: FieldProps) {
  const below = complaint ?? hint
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input id=${id} type=${secret ? 'password' : 'text'} value=${value} autocomplete="off" spellcheck="false" inputmode=${decimal ? 'decimal' : undefined}
      placeholder=${placeholder} aria-invalid=${String(complaint !== undefined)} aria-describedby=${below === undefined ? undefined : `${id}-help`}
      onInput=${(event: Event) => onInput((event.target as HTMLInputElement).value.trim())} />
    ${below !== undefined && html`<p id=${`${id}-help`} class=${complaint === undefined ? 'quiet' : 'complaint'} role=${complaint === undefined ? undefined : 'alert'}>${below}</p>`}
  </div>`
}

type SelectProps = {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
  readonly hint?: Children
}

/** Shows a labeled choice from a list. */
export function SelectField({ id, label, value, options, onChoose, hint }: SelectProps) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} onChange=${(event: Event) => onChoose((event.target as HTMLSelectElement).value)} aria-describedby=${hint === undefined ? undefined : `${id}-help`}>
      ${options.map(([option, text]) => html`<option key=${option} value=${option} selected=${option === value}>${text}</option>`)}
    </select>
    ${hint !== undefined && html`<p id=${`${id}-help`} class="quiet">${hint}</p>`}
  </div>`
}

type CheckProps = {
  readonly label: Children
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly title?: string
}

/** Shows a labeled check box. */
export function CheckField({ label, checked, onChange, title }: CheckProps) {
  return html`<label class="check" title=${title}>
    <input type="checkbox" checked=${checked} onChange=${(event: Event) => onChange((event.target as HTMLInputElement).checked)} />
    <span>${label}</span>
  </label>`
}
