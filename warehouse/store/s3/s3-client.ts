import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import { type BackoffRule, backoffMs } from '../../../primitives/backoff.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { errorCodeOf } from './listing.ts'
import type { ObjectStoreAccess } from './object-store-access.ts'
import type { StoreClock } from './store-clock.ts'

/** Body of a request with its hash, which is signed. `open`: a new stream for each attempt. */
export type SignedBody = { readonly sha256: string; readonly size_bytes: number; open(): Uint8Array | Readable }

/** Request of one object or listing. */
type S3Request = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Name in the bucket; empty: the bucket itself. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: SignedBody
}

type S3Answer = { readonly status: number; readonly headers: Dispatcher.ResponseData['headers'] } & {
  readonly body: Dispatcher.ResponseData['body']
}

/** Sends signed requests to one endpoint of an object store. */
export type S3Client = {
  /** Sends a request once. @throws the error of the connection; the request may have taken effect */
  once(request: S3Request): Promise<S3Answer>
  /**
   * Sends a request that may take effect several times, again after errors that pass.
   * @returns an answer that is no error, or 404
   * @throws {ServiceError} SERVICE_UNAVAILABLE, WAREHOUSE_STORE_UNSUITABLE
   */
  safely(request: S3Request): Promise<S3Answer>
  /** Builds the error of an answer that refuses a request. */
  refusal(request: S3Request, answer: S3Answer): Promise<ServiceError>
  /** Builds the same error from the code of the answer. */
  refused(request: S3Request, code: string): ServiceError
}

const EMPTY = sha256Hex('')
/** Longest wait for an answer and between two pieces of it, in milliseconds. */
const ANSWER_MS = 20_000
const CONNECT_MS = 5_000
const CONNECTIONS_MAX = 64
const TRIES_MAX = 5
const BETWEEN: BackoffRule = { first_ms: 50, max_ms: 2000 }

/** Connections of all stores of a process; idle ones do not keep it alive. */
let shared_agent: Agent | null = null

function agent(): Agent {
  shared_agent ??= new Agent({
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  })
  return shared_agent
}

/** Returns the signed body of bytes in memory. */
export function bodyOf(bytes: Uint8Array): SignedBody {
  return { sha256: sha256Hex(bytes), size_bytes: bytes.byteLength, open: () => bytes }
}

/** Creates a client of one endpoint. Addresses are in path style, which every store accepts. */
export function createS3Client(
  access: ObjectStoreAccess,
  endpoint: string,
  bucket: string,
  clock: StoreClock,
): S3Client {
  const base = `${endpoint.replace(/\/+$/, '')}/${bucket}`

  async function once({ method, name, query = {}, headers = {}, body }: S3Request): Promise<S3Answer> {
    const url = new URL(`${base}/${name.split('/').map(encodeURIComponent).join('/')}`)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY },
      accessKeyId: access.access_key_id,
      secretAccessKey: access.secret_access_key,
      ...(access.session_token === '' ? {} : { sessionToken: access.session_token }),
      service: 's3',
      region: access.region,
      datetime: datetimeOf(clock),
    }).sign()
    const sent_at = wallClock()
    const answer = await agent().request({
      origin: signed.url.origin,
      path: `${signed.url.pathname}${signed.url.search}`,
      method,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body === undefined ? {} : { 'content-length': String(body.size_bytes) }),
      },
      ...(body === undefined ? {} : { body: body.open() }),
    })
    const { date } = answer.headers
    if (typeof date === 'string') clock.observe(date, sent_at)
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }

  async function safely(request: S3Request): Promise<S3Answer> {
    let last: unknown = null
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      if (tries > 1) await sleep(backoffMs(BETWEEN, tries - 1))
      try {
        const answer = await once(request)
        if (answer.status < 400 || answer.status === 404) return answer
        if (!isPassing(answer.status)) throw await refusal(request, answer)
        last = await refusal(request, answer)
      } catch (error) {
        if (error instanceof ServiceError) throw error
        last = error
      }
    }
    throw unreachable(endpoint, last)
  }

  async function refusal(request: S3Request, answer: S3Answer): Promise<ServiceError> {
    const code = errorCodeOf(await answer.body.text().catch(() => '')) || `status ${answer.status}`
    return refused(request, code, answer.status === 401 || answer.status === 403)
  }

  function refused(request: S3Request, code: string, is_forbidden = false): ServiceError {
    const seen = `${endpoint} refused ${request.method} in bucket ${bucket}: ${code}`
    return new ServiceError(
      'WAREHOUSE_STORE_UNSUITABLE',
      `${seen}; check AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and that the bucket exists`,
      { bucket, seen: code },
      // The same code as of a folder that may only be read.
      is_forbidden ? Object.assign(new Error(code), { code: 'EACCES' }) : undefined,
    )
  }

  return { once, safely, refusal, refused }
}

/** Statuses that may be followed by another one when the request is repeated. */
export function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 409 || status === 408
}

/** Builds the error of a store that does not answer. */
export function unreachable(endpoint: string, cause: unknown): ServiceError {
  const why = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause)
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    `the object store at ${endpoint} does not answer (${why}); check AWS_ENDPOINT_URL, then run the same command again`,
    { endpoint },
    cause,
  )
}

/** Instant of a signature, by the store's own clock: it refuses signatures that are minutes off. */
function datetimeOf(clock: StoreClock): string {
  return new Date(Math.floor(clock.now() / 1000)).toISOString().replace(/[:-]|\.\d{3}/g, '')
}
