import { groupDigits, pixelNumber } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'
import { spoken } from '../words.ts'

type Definition = {
  readonly name: string
  readonly weight: string
  readonly higher_is_better?: boolean
  readonly required?: boolean
}
type ComponentBarsProps = {
  readonly caption: string
  /** In the order of the resource; null: missing, never 0. */
  readonly scores: Readonly<Record<string, string | null>>
  /** Definitions of the methodology; null: not read. */
  readonly definitions: readonly Definition[] | null
}

/** Components of a score, each 0 to 100, with weights; a missing one has no bar. */
export function ComponentBars({ caption, scores, definitions }: ComponentBarsProps) {
  return html`<table class="components">
    <caption class="sr">${caption}</caption>
    <thead><tr><th scope="col">Component</th><th scope="col" class="number">Score</th><th scope="col"><span class="sr">Score as a bar from 0 to 100</span></th><th scope="col" class="number">Weight</th></tr></thead>
    <tbody>${Object.entries(scores).map(([name, score]) => {
      const definition = definitions?.find((one) => one.name === name)
      return html`<tr key=${name}>
        <th scope="row">${spoken(name)}${definition?.higher_is_better === false && html` <span class="quiet">lower is better</span>`}</th>
        <td class="number">${score === null ? html`<span class="none">unknown</span>` : groupDigits(score)}</td>
        <td class="share">${score !== null && html`<svg viewBox="0 0 100 8" width="100" height="8" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="8" /><rect width=${pixelNumber(score)} height="8" /></svg>`}</td>
        <td class="number quiet">${definition?.weight ?? '–'}${definition?.required === true && html` <span class="required">required</span>`}</td>
      </tr>`
    })}</tbody>
  </table>`
}
