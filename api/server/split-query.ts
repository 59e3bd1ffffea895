/** One `name=value` of a query string, decoded; null: its percent-encoding is broken. */
export type QueryPair = { readonly raw: string; readonly name: string | null; readonly value: string | null }

/**
 * The pairs of a raw query string (without `?`), in order, each as sent: nothing is merged, dropped or nested.
 * `+` is a space and `%2B` a plus, as forms and URLSearchParams write them; a name without `=` has the empty value.
 */
export function splitQuery(raw_query: string): readonly QueryPair[] {
  return raw_query.split('&').map((raw) => {
    const at = raw.indexOf('=')
    const name = at < 0 ? raw : raw.slice(0, at)
    return { raw, name: decode(name), value: at < 0 ? '' : decode(raw.slice(at + 1)) }
  })
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
