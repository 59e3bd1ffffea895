import type { FunctionComponent } from 'preact'
import { useCell } from '../data/hooks.ts'
import { go, route } from '../data/route.ts'
import { html } from '../html.ts'
import { LoadedView } from '../views/loaded-view.ts'

type PanelProps<P extends object> = {
  /** Name in the address. */
  readonly name: 'robustness' | 'previews'
  readonly title: string
  readonly load: () => Promise<{ default: FunctionComponent<P> }>
  readonly view: P
}

/** Section that costs the service a computation: it is loaded when it is opened, and open in the address. */
export function Panel<P extends object>({ name, title, load, view }: PanelProps<P>) {
  const is_open = useCell(route).panel === name
  return html`<section aria-labelledby=${`${name}-title`}>
    <div class="section-head">
      <h2 id=${`${name}-title`}>${title}</h2>
      <button type="button" aria-expanded=${String(is_open)} onClick=${() => go({ panel: is_open ? null : name }, true)}>
        ${is_open ? 'Hide' : 'Compute'}<span class="sr"> ${title.toLowerCase()}</span>
      </button>
    </div>
    ${is_open && html`<${LoadedView} load=${load} what=${title.toLowerCase()} ...${view} />`}
  </section>`
}
