import { html } from '../html.ts'

type ChoiceProps = {
  readonly legend: string
  readonly name: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
}

/** Radio buttons side by side. */
export function Choice({ legend, name, value, options, onChoose }: ChoiceProps) {
  return html`<fieldset class="choice">
    <legend class="sr">${legend}</legend>
    ${options.map(
      ([option, label]) => html`<label key=${option}>
        <input type="radio" name=${name} value=${option} checked=${option === value} onChange=${() => onChoose(option)} /><span>${label}</span>
      </label>`,
    )}
  </fieldset>`
}
