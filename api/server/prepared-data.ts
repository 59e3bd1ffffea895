import { digestOf, entityTag } from './entity-tag.ts'

/** JSON text of `data`, its length in UTF-8, the digest for its entity tag, and the tag of `data` alone. */
export type PreparedData = {
  readonly text: string
  readonly bytes: number
  readonly digest: string
  readonly tag: string
}

/** Prepared data by prebuilt bytes; it lives as long as the bytes. */
const prepared = new WeakMap<Buffer, PreparedData>()

/** Prepares the data of an answer: a JSON value, or prebuilt bytes of one, which never change. */
export function prepareData(data: unknown): PreparedData {
  if (!Buffer.isBuffer(data)) return preparedText(JSON.stringify(data))
  const known = prepared.get(data)
  if (known !== undefined) return known
  const made = preparedText(data.toString('utf8'))
  prepared.set(data, made)
  return made
}

function preparedText(text: string): PreparedData {
  const digest = digestOf(text)
  return { text, bytes: Buffer.byteLength(text), digest, tag: entityTag(digest, '') }
}
