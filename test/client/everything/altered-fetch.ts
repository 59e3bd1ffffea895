/** Answer of the API on its way to the client. */
// biome-ignore lint/suspicious/noExplicitAny: a test alters answers of every shape
type PassingBody = any

/** Changes of a service's answers: of /v1 the parsed body, in place; of /log the bytes, in place. `path` follows /v1 or /log. */
export type Alterations = {
  readonly api?: (path: string, body: PassingBody) => void
  readonly log?: (path: string, bytes: Buffer) => void
  /** Parameter of /v1 that the service does not know, as in an earlier release. */
  readonly unknown?: string
  /** Called for each request with its path. */
  readonly seen?: (path: string) => void
}

const real = globalThis.fetch

/** Returns a `fetch` whose answers are altered. */
export function alteredFetch({ api, log, unknown, seen }: Alterations): typeof fetch {
  return async (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    seen?.(pathname)
    if (unknown !== undefined && pathname.endsWith('/prices') && searchParams.has(unknown)) return refusal(unknown)
    const response = await real(input, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const { status, headers } = response
    if (pathname.startsWith('/log/')) {
      if (response.ok) log?.(pathname.slice('/log/'.length), bytes)
      return new Response(bytes, { status, headers })
    }
    const body = JSON.parse(bytes.toString()) as PassingBody
    if (response.ok) api?.(pathname.replace(/^\/v1/, ''), body)
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }
}

function refusal(name: string): Response {
  const error = { code: 'VALIDATION_PARAMETER_UNKNOWN', message: `${name} is unknown`, retryable: false }
  return new Response(JSON.stringify({ error }), { status: 400, headers: { 'content-type': 'application/json' } })
}
