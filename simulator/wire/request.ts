/** A parsed request: `/book?token_id=1` has the path ['book'] and the parameter token_id. */
export type Request = { readonly path: readonly string[]; readonly query: URLSearchParams }

/** Parses a path with its query. */
export function parseRequest(request: string): Request {
  const mark = request.indexOf('?')
  const path = mark < 0 ? request : request.slice(0, mark)
  return {
    path: path.split('/').filter((part) => part !== ''),
    query: new URLSearchParams(mark < 0 ? '' : request.slice(mark + 1)),
  }
}

/** Reads a whole number of the query in [low, high]; the default if it is absent or invalid. */
export function wholeNumber(query: URLSearchParams, name: string, low: number, high: number, fallback: number): number {
  const text = query.get(name) ?? ''
  return /^\d{1,15}$/.test(text) ? Math.max(low, Math.min(high, Number(text))) : fallback
}

/** Returns the request with other values of some parameters. */
export function withQuery(request: string, changes: Readonly<Record<string, string>>): string {
  const { path, query } = parseRequest(request)
  for (const [name, value] of Object.entries(changes)) query.set(name, value)
  return `/${path.join('/')}?${query.toString()}`
}
