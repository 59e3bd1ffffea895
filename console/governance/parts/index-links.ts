import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'

/** Links to indexes, as of the same instant. */
export function IndexLinks({ index_ids }: { index_ids: readonly string[] }) {
  const shown = useCell(route)
  if (index_ids.length === 0) return html`<span class="none">none</span>`
  return html`<span class="links">${index_ids.map((index_id) => html`<a key=${index_id} href=${linkTo(shown, { index_id })}>${index_id}</a> `)}</span>`
}
