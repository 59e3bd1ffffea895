import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ObjectStoreAccess, useObjectStores } from '../../warehouse/store/s3/object-store-access.ts'
import { openS3Store } from '../../warehouse/store/s3/s3-store.ts'
import type { Store } from '../../warehouse/store/store.ts'

/** Fault of an answer: nothing after the write took effect, nothing before it does, or a status. */
type Fault = 'silent' | 'lost' | number

/** Object store in memory that speaks as much of S3 as the warehouse uses. */
export type ObjectServer = {
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** Requests, such as `GET bucket/a/b`. */
  readonly requests: string[]
  /** Chooses a fault for a request; null: none. */
  fault: (request: string) => Fault | null
  close(): Promise<void>
}

/** Starts an object store on a free port. Buckets need not be created. */
export async function startObjectServer(): Promise<ObjectServer> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  const own: ObjectServer = { url: '', objects, requests, fault: () => null, close }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const url = new URL(request.url!, 'http://localhost')
    const name = decodeURIComponent(url.pathname.slice(1))
    const line = `${request.method} ${name}`
    requests.push(line)
    const fault = own.fault(line)
    if (fault === 'lost') return void request.socket.destroy()
    const [status, content] =
      typeof fault === 'number' ? [fault, ''] : isSigned(request, body) ? act(request, name, url, body) : [403, '']
    if (fault === 'silent') return void request.socket.destroy()
    const size = request.method === 'HEAD' ? { 'content-length': content.length } : {}
    response.writeHead(status, { 'last-modified': new Date(0).toUTCString(), ...size })
    response.end(request.method === 'HEAD' ? '' : content)
  }

  function act({ method, headers }: IncomingMessage, name: string, url: URL, body: Buffer): [number, Buffer | string] {
    if (method === 'PUT') {
      if (headers['if-none-match'] === '*' && objects.has(name)) return [412, '<Code>PreconditionFailed</Code>']
      objects.set(name, body)
      return [200, '']
    }
    if (method === 'DELETE') return [objects.delete(name) ? 204 : 204, '']
    if (url.searchParams.get('list-type') === '2') return [200, listing(objects, name, url.searchParams)]
    const found = objects.get(name)
    return found === undefined ? [404, method === 'HEAD' ? '' : '<Code>NoSuchKey</Code>'] : [200, found]
  }

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(own, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

/** Lets this process open warehouses of such a server by their addresses. */
export function reachMemoryServer(url: string, folder: string): void {
  useObjectStores(accessOf(url, folder))
}

function accessOf(url: string, folder: string): ObjectStoreAccess {
  const keys = { access_key_id: 'test-key', secret_access_key: 'test-secret', session_token: '' }
  return { endpoints: [url], region: 'us-east-1', ...keys, folder, copies_bytes_max: 1 << 20 }
}

/** Opens the store in a prefix of such a server, which need not pass the races. @param folder of the machine, for copies */
export function openMemoryStore(url: string, prefix: string, folder: string): Store {
  const store = openS3Store(`s3://bucket/${prefix}`, { bucket: 'bucket', prefix }, accessOf(url, folder))
  mkdirSync(store.remote!.folder, { recursive: true })
  writeFileSync(join(store.remote!.folder, 'raced'), '')
  return store
}

function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const { authorization = '', 'x-amz-content-sha256': stated } = headers
  const hash = createHash('sha256').update(body).digest('hex')
  return authorization.startsWith('AWS4-HMAC-SHA256 Credential=test-key/') && stated === hash
}

function listing(objects: Map<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const start = `${bucket.replace(/\/$/, '')}/${query.get('prefix')}`
  const after = query.get('continuation-token') ?? ''
  const names = [...objects.keys()].filter((name) => name.startsWith(start) && name > after).sort()
  const page = names.slice(0, Number(query.get('max-keys')))
  const contents = page.map((name) => {
    const key = name.slice(name.indexOf('/') + 1).replace(/&/g, '&amp;')
    const size = objects.get(name)!.length
    return `<Contents><Key>${key}</Key><LastModified>2026-01-17T00:00:00.000Z</LastModified><Size>${size}</Size></Contents>`
  })
  const next = page.length < names.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}
