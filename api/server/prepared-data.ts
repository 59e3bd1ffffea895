import { digestOf, entityTag } from './entity-tag.ts'

/** The JSON text of `data`, how many bytes of UTF-8 it is, the digest that its entity tag begins with, and the tag of it alone. */
export type PreparedData = {
  readonly text: string
  readonly bytes: number
  readonly digest: string
  readonly tag: string
}

/** Of bytes that a route answers with again and again, all of it is made once, as long as the bytes live. */
const prepared = new WeakMap<Buffer, PreparedData>()

/** Prepares what a route answered: a JSON value, or the bytes of one that were built before and never change. */
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
