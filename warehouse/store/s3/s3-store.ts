import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat as statFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { announcementName, announcementsOf } from '../announcement.ts'
import { hashFile } from '../hash-file.ts'
import {
  type HashedObject,
  type ProducedObject,
  type PutOutcome,
  type Store,
  type StoredObject,
  type StoreKey,
  UNFINISHED,
} from '../store.ts'
import { hostFolder, makeCacheFolder } from './host-folder.ts'
import { errorCodeOf, type ListingPage, parseListing } from './listing.ts'
import { type ObjectCopies, openObjectCopies } from './object-copies.ts'
import type { ObjectStoreAccess } from './object-store-access.ts'
import { bodyOf, createS3Client, isPassing, type S3Client, type SignedBody, unreachable } from './s3-client.ts'
import type { S3Location } from './s3-location.ts'
import { StoreClock } from './store-clock.ts'

/** Objects of one listing page. */
const PAGE_MAX = 1000

/**
 * Opens a store in an S3 bucket. `PUT If-None-Match: *` is the conditional write. It is sent once: an answer that is lost is `unknown`.
 * Everything else may be repeated without harm and is.
 */
export function openS3Store(root: string, { bucket, prefix }: S3Location, access: ObjectStoreAccess): Store {
  const clock = new StoreClock()
  const copies = openObjectCopies(join(access.folder, 'objects'), access.copies_bytes_max)
  const place: Place = { root, prefix, clock, copies, folder: hostFolder(root, access) }
  const stores = access.endpoints.map((endpoint) => {
    return storeAt(place, createS3Client(access, endpoint, bucket, clock), endpoint)
  })
  const [{ copyOf, ...store }] = stores as [StoreAt]
  return { ...store, remote: { folder: place.folder, endpoints: stores, copyOf } }
}

type Place = {
  readonly root: string
  readonly prefix: string
  readonly clock: StoreClock
  readonly copies: ObjectCopies
  readonly folder: string
}

type StoreAt = Store & { copyOf(object: HashedObject, again: boolean): Promise<string> }

function storeAt({ root, prefix, clock, copies }: Place, client: S3Client, endpoint: string): StoreAt {
  const nameOf = (key: StoreKey) => (prefix === '' ? key : `${prefix}/${key}`)
  const keyOf = (name: string) => (prefix === '' ? name : name.slice(prefix.length + 1))
  const now = async (): Promise<Micros> => clock.now()

  async function get(key: StoreKey): Promise<Buffer | null> {
    const request = { method: 'GET', name: nameOf(key) } as const
    const answer = await client.safely(request)
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.status !== 404) return bytes
    if (errorCodeOf(bytes.toString()) === NO_BUCKET) throw client.refused(request, NO_BUCKET)
    return null
  }

  async function stat(key: StoreKey): Promise<StoredObject | null> {
    const { status, headers, body } = await client.safely({ method: 'HEAD', name: nameOf(key) })
    await body.dump()
    if (status === 404) return null
    const modified_at = Date.parse(String(headers['last-modified'])) * 1000
    return { key, size_bytes: Number(headers['content-length']), modified_at }
  }

  async function put(key: StoreKey, body: SignedBody): Promise<void> {
    const request = { method: 'PUT', name: nameOf(key), body } as const
    const answer = await client.safely(request)
    if (answer.status === 404) throw await client.refusal(request, answer)
    await answer.body.dump()
  }

  async function putIfAbsent(key: StoreKey, bytes: Uint8Array): Promise<PutOutcome> {
    const request = {
      method: 'PUT',
      name: nameOf(key),
      headers: { 'if-none-match': '*' },
      body: bodyOf(bytes),
    } as const
    let answer: Awaited<ReturnType<S3Client['once']>>
    try {
      answer = await client.once(request)
    } catch (error) {
      if (wasNotSent(error)) throw unreachable(endpoint, error)
      return 'unknown'
    }
    const { status } = answer
    if (status < 300 || status === 412) {
      await answer.body.dump()
      return status === 412 ? 'taken' : 'placed'
    }
    // 409: another write of the name was under way, which may have failed too.
    if (!isPassing(status) || status === 501) throw await client.refusal(request, answer)
    await answer.body.dump()
    return 'unknown'
  }

  async function page(folder: StoreKey, max: number, token: string | null): Promise<ListingPage> {
    const request = {
      method: 'GET',
      name: '',
      query: {
        'list-type': '2',
        prefix: nameOf(folder),
        'max-keys': String(max),
        ...(token === null ? {} : { 'continuation-token': token }),
      },
    } as const
    const answer = await client.safely(request)
    if (answer.status === 404) throw await client.refusal(request, answer)
    return parseListing(await answer.body.text())
  }

  async function* listFrom(start: StoreKey): AsyncGenerator<StoredObject> {
    for (let token: string | null = null; ; ) {
      const { objects, next }: ListingPage = await page(start, PAGE_MAX, token)
      for (const { name, size_bytes, modified_ms } of objects) {
        yield { key: keyOf(name), size_bytes, modified_at: modified_ms * 1000 }
      }
      if (next === null) return
      token = next
    }
  }

  async function remove(key: StoreKey): Promise<void> {
    const { body } = await client.safely({ method: 'DELETE', name: nameOf(key) })
    await body.dump()
  }

  async function putProduced(key: StoreKey, produce: (path: string) => Promise<void>): Promise<ProducedObject> {
    await makeCacheFolder(copies.unfinished)
    const file = join(copies.unfinished, `${randomUUID()}.parquet`)
    try {
      await produce(file)
      const [{ size }, sha256] = await Promise.all([statFile(file), hashFile(file)])
      await put(key, { sha256, size_bytes: size, open: () => createReadStream(file) })
      await copies.adopt(file, sha256)
      return { size_bytes: size, sha256, modified_at: clock.now() }
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
  }

  async function fetch(key: StoreKey): Promise<Readable> {
    const answer = await client.safely({ method: 'GET', name: nameOf(key) })
    if (answer.status !== 404) return answer.body
    await answer.body.dump()
    throw damaged(key, 'it is missing')
  }

  async function copyOf(object: HashedObject, again: boolean): Promise<string> {
    const path = await copies.path(object, () => fetch(object.key), again)
    if (path === null) throw damaged(object.key, 'its bytes do not have the hash its log states')
    return path
  }

  async function watermark(key: StoreKey): Promise<number> {
    const { objects } = await page(`${key}/`, 1, null)
    return objects.length === 0 ? 0 : markOf(objects[0]!.name)
  }

  /** A greater value has a name that is listed earlier. Lesser values are removed once it is there, so the first listed never falls. */
  async function raiseWatermark(key: StoreKey, to: number): Promise<void> {
    if ((await watermark(key)) >= to) return
    await put(`${key}/${String(MARK_MAX - to).padStart(16, '0')}`, bodyOf(new Uint8Array()))
    for await (const mark of listFrom(`${key}/`)) if (markOf(mark.key) < to) await remove(mark.key)
  }

  async function announced() {
    const names: string[] = []
    for await (const { key } of listFrom(`${UNFINISHED}/commit-`)) names.push(key.slice(UNFINISHED.length + 1))
    return names.flatMap(announcementsOf)
  }

  return {
    root,
    now,
    get,
    stat,
    putIfAbsent,
    replace: (key, bytes) => put(key, bodyOf(bytes)),
    putProduced,
    localPath: async (key) => (await copies.keep(() => fetch(key))).path,
    copyOf,
    list: (folder) => listFrom(folder === '' ? '' : `${folder}/`),
    delete: remove,
    async announce(table, at) {
      const key = `${UNFINISHED}/${announcementName(table, at)}`
      await put(key, bodyOf(new Uint8Array()))
      return () => remove(key)
    },
    announced,
    watermark,
    raiseWatermark,
  }
}

/** Code of an answer about an absent bucket, which has the status of an absent object. */
const NO_BUCKET = 'NoSuchBucket'

/** Greater than every value of a watermark in microseconds, until the year 2255. */
const MARK_MAX = 9_000_000_000_000_000

function markOf(name: string): number {
  return MARK_MAX - Number(name.slice(name.lastIndexOf('/') + 1))
}

/** True if no connection was made, so that the request cannot take effect. */
function wasNotSent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'EAI_AGAIN'
}

function damaged(key: StoreKey, seen: string): ServiceError {
  return new ServiceError('WAREHOUSE_CORRUPT', `data file ${key} is damaged: ${seen}`, { file: key })
}
