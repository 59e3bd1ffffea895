import { type Route, readRoute, writeRoute } from './address.ts'
import { createCell } from './cell.ts'

export { linkTo, type Route, readRoute, writeRoute } from './address.ts'

const is_browser = typeof location !== 'undefined'
export const route = createCell<Route>(readRoute(is_browser ? location.search : ''))

/** Shows a route; with `replace`, the back button skips the previous one. */
export function go(next: Partial<Route>, replace = false): void {
  navigate(writeRoute({ ...route.get(), ...next }), replace)
}

/** Shows an address. */
function navigate(address: string, replace = false): void {
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  route.set(readRoute(location.search))
}

/** Handles the back button and links without reloading the page. */
export function startRouting(): void {
  addEventListener('popstate', () => route.set(readRoute(location.search)))
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a')
    if (link === null || event.defaultPrevented || event.button !== 0 || link.target !== '') return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.origin !== location.origin || link.pathname !== '/' || link.hash !== '') return
    event.preventDefault()
    navigate(`${link.pathname}${link.search}`)
    scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  })
}
