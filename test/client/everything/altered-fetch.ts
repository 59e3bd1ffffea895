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

type Kept = { readonly status: number; readonly headers: Headers; readonly ok: boolean; readonly bytes: Buffer }

/** Answers by address: those of a deployment that nobody changes are asked for once. */
const kept = new Map<string, Promise<Kept>>()

function answerOf(input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]): Promise<Kept> {
  const address = String(input)
  const known = kept.get(address)
  if (known !== undefined) return known
  const asked = real(input, init).then(async (response) => {
    const { status, headers, ok } = response
    return { status, headers, ok, bytes: Buffer.from(await response.arrayBuffer()) }
  })
  kept.set(address, asked)
  asked.catch(() => kept.delete(address))
  return asked
}

/** Returns a `fetch` whose answers are altered. */
export function alteredFetch({ api, log, unknown, seen }: Alterations): typeof fetch {
  return async (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    seen?.(pathname)
    if (unknown !== undefined && pathname.endsWith('/prices') && searchParams.has(unknown)) return refusal(unknown)
    const { status, headers, ok, bytes: whole } = await answerOf(input, init)
    const bytes = Buffer.from(whole)
    if (pathname.startsWith('/log/')) {
      if (ok) log?.(pathname.slice('/log/'.length), bytes)
      return new Response(bytes, { status, headers })
    }
    const body = JSON.parse(bytes.toString()) as PassingBody
    if (ok) api?.(pathname.replace(/^\/v1/, ''), body)
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }
}

function refusal(name: string): Response {
  const error = { code: 'VALIDATION_PARAMETER_UNKNOWN', message: `${name} is unknown`, retryable: false }
  return new Response(JSON.stringify({ error }), { status: 400, headers: { 'content-type': 'application/json' } })
}
