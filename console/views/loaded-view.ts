import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { html } from '../html.ts'
import { Empty, Loading } from '../parts/notes.ts'

/** A view whose code is loaded when it is first shown. */
export function LoadedView<P extends object>({
  load,
  what,
  ...props
}: P & { load: () => Promise<{ default: FunctionComponent<P> }>; what: string }) {
  const [view, setView] = useState<{ readonly of: FunctionComponent<P> } | 'failed' | null>(null)
  useEffect(() => {
    load().then(
      (module) => setView({ of: module.default }),
      () => setView('failed'),
    )
  }, [load])
  if (view === 'failed') return html`<${Empty}>This view could not be loaded. Reload the page.<//>`
  if (view === null) return html`<${Loading} what=${what} />`
  return html`<${view.of} ...${props} />`
}
